import { expect, vi } from 'vitest';
import { ALERTS, type Alert, type Condition } from '../../scripts/alerts/rules.ts';
import type { TestServer } from './server.ts';

interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

export type Scrape = Sample[];

const SAMPLE = /^(\w+)(?:\{(.*)\})? (\S+)$/;

/** The port that a server took for its metrics, given METRICS_PORT=0 and LOG_LEVEL=info. */
export async function metricsPortOf(server: Pick<TestServer, 'output'>): Promise<number> {
  const port = () => Number(/metrics at http:\/\/127\.0\.0\.1:(\d+)\//.exec(server.output())?.[1]);
  await vi.waitFor(() => expect(port()).toBeGreaterThan(0), { timeout: 120_000, interval: 100 });
  return port();
}

/** What Prometheus would have of the process at this moment, `up` included. */
export async function scrape(port: number): Promise<Scrape> {
  const text = await fetch(`http://127.0.0.1:${port}/metrics`).then(
    async (answer) => (answer.ok ? answer.text() : undefined),
    () => undefined,
  );
  return parseMetrics(`up{job="flightline"} ${text === undefined ? 0 : 1}\n${text ?? ''}`);
}

/** Of one metric, with these labels: the only value there is. */
export function valueOf(samples: Scrape, name: string, labels: Record<string, string> = {}): number {
  const [found, ...more] = seriesOf(samples, name, labels);
  if (!found || more.length > 0) throw new Error(`${more.length + 1} or no series of ${name}`);
  return found.value;
}

/** The names of the alerts that Prometheus would raise after these scrapes of one minute, in their order. */
export function alarmsAfter(scrapes: Scrape[], alerts: Alert[] = ALERTS): string[] {
  return alerts.filter(({ when }) => when.every((condition) => isMet(condition, scrapes))).map(({ name }) => name);
}

export function parseMetrics(text: string): Scrape {
  return text.split('\n').flatMap((line) => {
    const [, name, labels = '', value] = SAMPLE.exec(line) ?? [];
    if (name === undefined) return [];
    const pairs = [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, label, held]) => [label, held]);
    return [{ name, labels: Object.fromEntries(pairs), value: Number(value) }];
  });
}

function isMet({ metric, labels, over = 'now', is, value }: Condition, scrapes: Scrape[]): boolean {
  const [earliest, latest] = [scrapes[0] ?? [], scrapes.at(-1) ?? []];
  return seriesOf(latest, metric, labels).some((series) => {
    const at = (samples: Scrape) => seriesOf(samples, metric, series.labels)[0]?.value;
    if (over === 'now') return compare(series.value, is, value);
    if (over === 'increase') return compare(series.value - (at(earliest) ?? series.value), is, value);
    return scrapes.every((samples) => compare(at(samples) ?? NaN, is, value));
  });
}

function seriesOf(samples: Scrape, metric: string, labels: Record<string, string> = {}): Sample[] {
  return samples.filter(
    (sample) =>
      sample.name === metric && Object.entries(labels).every(([name, value]) => sample.labels[name] === value),
  );
}

function compare(left: number, is: Condition['is'], right: number): boolean {
  if (is === '==') return left === right;
  if (is === '<') return left < right;
  return is === '>' ? left > right : left >= right;
}
