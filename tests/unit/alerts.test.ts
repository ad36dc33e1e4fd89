import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { alarmsAfter, parseMetrics } from '#tests/support/alarms.ts';
import { ALERTS } from '../../scripts/alerts/rules.ts';
import { toYaml } from '../../scripts/alerts/to-yaml.ts';

const guide = readFileSync('docs/operate.md', 'utf8');
const failures = readFileSync('docs/failures.md', 'utf8');
const source = readFileSync('app/server/observability/metrics.server.ts', 'utf8');

/** As they stand in the sources, which start no lab. */
function faultNames(): string[] {
  return ['cuts', 'faults']
    .flatMap((folder) => readdirSync(`scripts/chaos/${folder}`).map((file) => `scripts/chaos/${folder}/${file}`))
    .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/^\s*name: '([a-z0-9-]+)',$/gm)])
    .map(([, name = '']) => name);
}

it('docs/alerts.yml has the alerts, and docs/operate.md says what each means and what helps (B547)', async () => {
  await expect(toYaml(ALERTS)).toMatchFileSnapshot('../../docs/alerts.yml');
  for (const { name, means, remedy } of ALERTS) expect(guide).toContain(`| ${name} | ${means} | ${remedy} |`);
});

it('each metric of an alert is one that the process or Prometheus has (B547)', () => {
  for (const { metric } of ALERTS.flatMap(({ when }) => when)) {
    const own = /^flightline_(\w+)$/.exec(metric)?.[1];
    if (own === undefined) expect(['up', 'process_start_time_seconds']).toContain(metric);
    else expect(source).toContain(`'${own}'`);
  }
});

it('an increase, a state throughout and one of now are told apart (B546)', () => {
  const scrape = (errors: number, up: number, pool = 0) =>
    parseMetrics(
      `flightline_errors_total{cause="database"} ${errors}\nflightline_errors_total{cause="pool"} ${pool}\nflightline_database_state{state="up"} ${up}\nflightline_ready 1`,
    );
  expect(alarmsAfter([scrape(3, 1), scrape(4, 1)])).toEqual(['FlightlineDatabaseFails']);
  expect(alarmsAfter([scrape(3, 1), scrape(4, 1, 1)])).toEqual(['FlightlinePoolExhausted']);
  expect(alarmsAfter([scrape(3, 1), scrape(3, 1)])).toEqual([]);
  expect(alarmsAfter([scrape(3, 1), scrape(4, 0)])).toEqual([]);
  expect(alarmsAfter([scrape(3, 0), scrape(4, 1)])).toEqual([]);
});

it('docs/failures.md says of each fault of npm run chaos which alert it raises (B964)', () => {
  const table = failures.slice(failures.indexOf('| fault | alert |')).split('\n\n')[0] ?? '';
  const named = [...table.matchAll(/^\| ([a-z0-9, -]+) \|/gm)].flatMap(([, names = '']) => names.split(', '));
  expect(named.filter((name) => name !== 'fault').toSorted()).toEqual(faultNames().toSorted());
  const alerts = ALERTS.map(({ name }) => name);
  for (const [name] of table.matchAll(/Flightline\w+/g)) expect(alerts).toContain(name);
});

it('a restart, an embedded Postgres started again and a full queue are told by what has grown (B546, B963)', () => {
  const scrape = (...lines: string[]) => parseMetrics(lines.join('\n'));
  const started = (at: number) => scrape(`process_start_time_seconds ${at}`);
  expect(alarmsAfter([started(1000), started(1060)])).toEqual(['FlightlineRestarted']);
  expect(alarmsAfter([started(1000), started(1000)])).toEqual([]);
  const restarts = (count: number, up: number) =>
    scrape(`flightline_embedded_postgres_restarts_total ${count}`, `flightline_database_state{state="up"} ${up}`);
  expect(alarmsAfter([restarts(0, 1), restarts(1, 1)])).toEqual(['FlightlinePostgresRestarted']);
  expect(alarmsAfter([restarts(0, 1), restarts(1, 0)])).toEqual([]);
  const busy = (count: number) => scrape(`flightline_errors_total{cause="busy"} ${count}`);
  expect(alarmsAfter([busy(1), busy(22)])).toEqual(['FlightlineBusy']);
  expect(alarmsAfter([busy(1), busy(21)])).toEqual([]);
  // Others by themselves.
  const disk = ['data"} 0.2', 'uploads"} 0.04'].map((folder) => `flightline_disk_free_ratio{folder="${folder}`);
  expect(alarmsAfter([scrape(...disk)])).toEqual(['FlightlineDiskNearlyFull']);
  const behind = scrape('flightline_ready 0', 'flightline_database_state{state="up"} 1');
  expect(alarmsAfter([behind])).toEqual(['FlightlineSchemaBehind']);
});
