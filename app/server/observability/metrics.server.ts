import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { databaseRestartChannel } from '#db/embedded/trouble.ts';
import { committedOperationsChannel } from '#app/domain/run-operation.server.ts';
import { endedTriesChannel, JOB_KINDS, TRY_OUTCOMES } from '#app/domain/jobs/job.ts';
import { readerFailuresChannel } from '#app/domain/meters/reader-failures.ts';
import { CLOCK_CHECK_MS, CLOCK_STEP_MS } from '#app/limits.ts';
import { FAILURE_CAUSES } from './failure-cause.ts';

const DURATION_BUCKETS_S = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export type Metrics = ReturnType<typeof createMetrics>;

/** Every metric of this process; docs/operate.md says what each means. */
export function createMetrics() {
  const registers = [new Registry()];
  const [registry] = registers as [Registry];
  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name: `flightline_${name}`, help, labelNames, registers });
  const gauge = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Gauge({ name: `flightline_${name}`, help, labelNames, registers });
  collectDefaultMetrics({ register: registry });
  const metrics = {
    registry,
    requests: new Histogram({
      name: 'flightline_http_request_duration_seconds',
      help: 'Requests by route, method and class of status',
      labelNames: ['route', 'method', 'status'],
      buckets: DURATION_BUCKETS_S,
      registers,
    }),
    errors: counter(
      'errors_total',
      'Requests, parts of pages, and promises that nobody waited for, that failed, by cause',
      'cause',
    ),
    signInsRefused: counter('sign_ins_refused_total', 'Sign-ins answered 401 or 429'),
    flights: counter('flights_total', 'Check-outs, check-ins, flights closed on behalf and cancelled', 'event'),
    readerFailures: counter('photo_reader_failures_total', 'Photos that the reader gave no answer to'),
    postgresRestarts: counter('embedded_postgres_restarts_total', 'Times the embedded Postgres ended unasked'),
    stalls: counter(
      'event_loop_stalled_seconds_total',
      'Time the event loop stood still, beyond a quarter of a second at once',
    ),
    ready: gauge('ready', 'Whether the database can be written and has this version’s schema'),
    databaseState: gauge('database_state', '1 for the state a new connection met', 'state'),
    connections: gauge('database_pool_connections', 'Open connections', 'pool', 'state'),
    poolWaiting: gauge('database_pool_waiting', 'Requests that wait for a connection', 'pool'),
    jobs: counter('jobs_total', 'Tries at mails, webhooks and other work, by what became of them', 'kind', 'outcome'),
    jobsWaiting: gauge('jobs_waiting', 'Work that is due and not done', 'kind'),
    jobsOldest: gauge('jobs_oldest_seconds', 'Since the work that waits longest was due; 0 without any', 'kind'),
    jobsGivenUp: gauge('jobs_given_up', 'Work that was given up within the last hour', 'kind'),
    webhooksFailing: gauge('webhooks_failing', 'Webhooks an event of which was given up'),
    backupAge: gauge('backup_age_seconds', 'Since the last backup, or since the first school where there is none'),
    backupBytes: gauge('backup_bytes', 'Size of the last backup'),
    backupCopyFailed: gauge('backup_copy_failed', 'Whether the last backup has no copy in BACKUP_COPY_TO'),
    backupVerifiedAge: gauge(
      'backup_verified_age_seconds',
      'Since a backup was verified, or since the first one where none was',
    ),
    photos: gauge('photos', 'Photos being read, and waiting', 'state'),
    exports: gauge('exports_running', 'CSV exports in progress'),
    clockOff: gauge(
      'clock_off_seconds',
      'By how much the clock was set within a minute, or differs from that of Postgres',
    ),
    clockStep: watchClockSteps(),
    diskFree: gauge('disk_free_ratio', 'Free share of the disk of DATA_DIR and of uploads in progress', 'folder'),
  };
  // Each starts at 0, because an increase can be seen only from a first value on.
  for (const cause of FAILURE_CAUSES) metrics.errors.inc({ cause }, 0);
  for (const event of FLIGHT_EVENTS) metrics.flights.inc({ event }, 0);
  for (const kind of JOB_KINDS) for (const outcome of TRY_OUTCOMES) metrics.jobs.inc({ kind, outcome }, 0);
  endedTriesChannel.subscribe((ended) => metrics.jobs.inc({ ...Object(ended) }));
  committedOperationsChannel.subscribe((operation) => {
    const event = flightEventOfOperation(operation);
    if (event) metrics.flights.inc({ event });
  });
  readerFailuresChannel.subscribe(() => metrics.readerFailures.inc());
  watchEventLoop((seconds) => metrics.stalls.inc(seconds));
  databaseRestartChannel.subscribe(() => metrics.postgresRestarts.inc());
  return metrics;
}

const INTERVAL_MS = 250;

/** Calls back with the seconds for which the event loop stood still, each time it did for longer than an interval. */
function watchEventLoop(onStall: (seconds: number) => void): void {
  let due = performance.now() + INTERVAL_MS;
  const watch = () => {
    const now = performance.now();
    if (now - due > INTERVAL_MS) onStall((now - due) / 1000);
    due = now + INTERVAL_MS;
  };
  setInterval(watch, INTERVAL_MS).unref();
}

const MINUTE_MS = 60_000;
/** The difference changes only if somebody sets the clock. */
const offset = () => Date.now() - performance.now();

/** Watches this machine's clock; the returned function tells by how many seconds it was set within the last minute. */
export function watchClockSteps(): () => number {
  let last = offset();
  let steps: { at: number; seconds: number }[] = [];
  const watch = () => {
    const step = Math.abs(offset() - last);
    last = offset();
    steps = steps.filter(({ at }) => performance.now() - at < MINUTE_MS);
    if (step > CLOCK_STEP_MS) steps.push({ at: performance.now(), seconds: step / 1000 });
  };
  setInterval(watch, CLOCK_CHECK_MS).unref();
  return () => {
    watch();
    return Math.max(0, ...steps.map(({ seconds }) => seconds));
  };
}

const EVENT_BY_OPERATION = {
  'start flight': 'checked out',
  'complete flight': 'checked in',
  'close flight': 'closed on behalf',
  'cancel check-out': 'cancelled',
};

const FLIGHT_EVENTS = Object.values(EVENT_BY_OPERATION);

/** Returns what an operation such as 'complete flight 12' did to a flight; undefined for others. */
export function flightEventOfOperation(operation: unknown): string | undefined {
  const found = Object.entries(EVENT_BY_OPERATION).find(([name]) => String(operation).startsWith(name));
  return found?.[1];
}
