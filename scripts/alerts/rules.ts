import {
  BACKUP_OVERDUE_S,
  EXPORT_CONNECTIONS,
  MAX_DATABASE_CLOCK_OFF_SECONDS,
  BACKUP_VERIFICATION_LATE_SECONDS,
} from '#app/limits.ts';
import type { FailureCause } from '#app/server/observability/failure-cause.ts';
import type { DatabaseState } from '#app/server/observability/probe-database.server.ts';

/** All look at one minute: 'increase' at its growth, 'throughout' at each value of it. */
type Window = 'now' | 'increase' | 'throughout';

export interface Condition {
  metric: string;
  labels?: Record<string, string>;
  over?: Window;
  is: '>' | '>=' | '==' | '<';
  value: number;
}

export interface Alert {
  name: string;
  /** 'page': people cannot work, or soon; 'ticket': look at it by daylight. */
  severity: 'page' | 'ticket';
  when: Condition[];
  means: string;
  remedy: string;
}

const increased = (metric: string, labels: Record<string, string> = {}, value = 0): Condition => ({
  metric,
  labels,
  over: 'increase',
  is: '>',
  value,
});
const failed = (cause: FailureCause, more = 0) => increased('flightline_errors_total', { cause }, more);
const state = (wanted: DatabaseState): Condition => ({
  metric: 'flightline_database_state',
  labels: { state: wanted },
  is: '==',
  value: 1,
});
const upThroughout: Condition = { ...state('up'), over: 'throughout' };

type Words = Pick<Alert, 'means' | 'remedy'>;
const page = (name: string, when: Condition[], words: Words): Alert => ({ name, severity: 'page', when, ...words });
const ticket = (name: string, when: Condition[], words: Words): Alert => ({ name, severity: 'ticket', when, ...words });

/** docs/alerts.yml is written from these, and the tests that provoke each fault evaluate them. */
export const ALERTS: Alert[] = [
  page('FlightlineDown', [{ metric: 'up', labels: { job: 'flightline' }, is: '==', value: 0 }], {
    means: 'The process does not answer at METRICS_PORT.',
    remedy: 'Is it running? Its last lines say why it ended; a process that hangs is restarted.',
  }),
  ticket('FlightlineRestarted', [increased('process_start_time_seconds')], {
    means: 'The process was started anew: by an update, or because it had ended.',
    remedy: 'Nothing after an update. Else its last lines say why it ended; look for processes killed for memory.',
  }),
  page('FlightlineDatabaseUnreachable', [state('unreachable')], {
    means: 'Postgres refuses connections, or its address leads nowhere.',
    remedy: 'Start Postgres; check DATABASE_URL. The application recovers by itself.',
  }),
  page('FlightlineDatabaseSilent', [state('silent')], {
    means: 'Postgres, or the network before it, gives no answer within a second.',
    remedy: 'Is its machine frozen, its disk stuck, a firewall between? The application recovers by itself.',
  }),
  page('FlightlineDatabaseReadOnly', [state('read-only')], {
    means: 'DATABASE_URL leads to a standby, or to a Postgres that was set read-only: nothing can be written.',
    remedy: 'Promote it, or name the primary in DATABASE_URL.',
  }),
  page('FlightlineDatabaseFull', [state('full')], {
    means: 'Postgres has no connection left: each process takes 10, and 6 while exports run.',
    remedy: 'Raise max_connections, or find in pg_stat_activity who holds them.',
  }),
  // An exhausted pool explains it, and has an alert of its own.
  page('FlightlineDatabaseFails', [failed('database'), { ...failed('pool'), is: '==' }, upThroughout], {
    means: 'Requests fail at a database that new connections reach: a lock, a slow query, cut connections.',
    remedy: 'Find the error by its reqId in the log; look for old transactions in pg_stat_activity.',
  }),
  page('FlightlinePoolExhausted', [failed('pool'), upThroughout], {
    means: 'Requests waited in vain for one of the 10 connections of their process.',
    remedy: 'Find in pg_stat_activity what the connections do; add a process if it is load.',
  }),
  page('FlightlineSchemaBehind', [{ metric: 'flightline_ready', is: '==', value: 0 }, state('up')], {
    means: 'The database lacks migrations of this version.',
    remedy: 'Run npm run db:migrate.',
  }),
  page('FlightlineDiskFull', [failed('disk')], {
    means: 'Postgres, or the folder of uploads, cannot write: the disk is full or fails.',
    remedy: 'Free or enlarge the disk. Reads go on; writes come back by themselves.',
  }),
  ticket('FlightlineDiskNearlyFull', [{ metric: 'flightline_disk_free_ratio', is: '<', value: 0.05 }], {
    means: 'Less than 5 % of the disk of DATA_DIR, or of uploads in progress, is free.',
    remedy: 'Remove old backups and logs, or enlarge the disk.',
  }),
  page(
    'FlightlineMailStuck',
    [{ metric: 'flightline_jobs_oldest_seconds', labels: { kind: 'mail' }, is: '>', value: 40 }],
    {
      means: 'Mail waits: the mail server is away, refuses the password, or refuses one address.',
      remedy: 'The log says for each mail why it did not leave. It is sent once the server takes it.',
    },
  ),
  ticket(
    'FlightlineMailRefused',
    [{ metric: 'flightline_jobs_given_up', labels: { kind: 'mail' }, is: '>', value: 0 }],
    {
      means: 'Within the last hour the mail server refused a mail for good: its address, or all that comes from here.',
      remedy: 'The log says which and why. Of one address its school is told on its pages; of all, see SMTP_URL.',
    },
  ),
  ticket('FlightlineWebhookFails', [{ metric: 'flightline_webhooks_failing', is: '>', value: 0 }], {
    means: 'A webhook has not taken an event for three days; the school was mailed.',
    remedy: 'Its page in the settings of its school says what its receiver answers.',
  }),
  page('FlightlinePhotoReaderFails', [increased('flightline_photo_reader_failures_total')], {
    means: 'The reader of meters died, took too long, or cannot load its nets.',
    remedy: 'Is there memory? Readings can be typed meanwhile; the reader is started anew for each photo.',
  }),
  // The greatest lag would not do, since each scrape resets it.
  page('FlightlineEventLoopBlocked', [increased('flightline_event_loop_stalled_seconds_total', {}, 2)], {
    means: 'The process did nothing for over two seconds of a minute: a computation, swapping, or a frozen machine.',
    remedy: 'Look at memory and load of the machine, then at the slowest routes.',
  }),
  ticket(
    'FlightlineClockWrong',
    [{ metric: 'flightline_clock_off_seconds', is: '>', value: MAX_DATABASE_CLOCK_OFF_SECONDS }],
    {
      means: 'The clock of this machine was set within the last minute, or differs from that of Postgres.',
      remedy: 'Let NTP keep both right (timedatectl set-ntp true). Nobody is kept from flying; times may be wrong.',
    },
  ),
  ticket('FlightlineBackupOverdue', [{ metric: 'flightline_backup_age_seconds', is: '>', value: BACKUP_OVERDUE_S }], {
    means: 'No backup was made for two days.',
    remedy: 'The journal of flightline-backup says what failed; `flightline doctor` names the last one.',
  }),
  ticket('FlightlineBackupNotCopied', [{ metric: 'flightline_backup_copy_failed', is: '>', value: 0 }], {
    means: 'The last backup was not copied to BACKUP_COPY_TO.',
    remedy: 'The journal of flightline-backup says why: a disk that is full or away, or no rights.',
  }),
  ticket(
    'FlightlineBackupNotVerified',
    [{ metric: 'flightline_backup_verified_age_seconds', is: '>', value: BACKUP_VERIFICATION_LATE_SECONDS }],
    {
      means: 'No backup was proved for over a week: whether one can be restored is not known.',
      remedy: 'The journal of flightline-verify says what failed: a damaged file, or a temporary folder that is full.',
    },
  ),
  page('FlightlineDefect', [failed('defect')], {
    means: 'A request met an error that nobody foresaw and was answered 500, or work that nobody waited for failed.',
    remedy: 'Its line of level 50 in the log has the stack; please report it.',
  }),
  ticket('FlightlineExportsFull', [{ metric: 'flightline_exports_running', is: '>=', value: EXPORT_CONNECTIONS }], {
    means: 'All places for CSV exports are taken; the next one waits.',
    remedy: 'Slow downloads end by themselves; the request log names their users.',
  }),
  ticket('FlightlineBusy', [failed('busy', 20)], {
    means: 'Over twenty requests in a minute were refused because a queue was full.',
    remedy: 'A flood, or too small a machine: the request log tells by address and route.',
  }),
  ticket('FlightlineSignInsRefused', [increased('flightline_sign_ins_refused_total', {}, 60)], {
    means: 'Over sixty sign-ins were refused in a minute: somebody guesses passwords.',
    remedy: 'The request log has their addresses; block them at the proxy.',
  }),
  ticket('FlightlinePostgresRestarted', [increased('flightline_embedded_postgres_restarts_total'), state('up')], {
    means: 'The embedded Postgres ended unasked and was started again.',
    remedy: 'DATA_DIR/postgres/server.log says why.',
  }),
];
