// These limit every wait, each with its unit in its name. Sizes and counts are in app/limits.ts.

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;

// Postgres
/** Limit for one statement; Postgres ends it then, too. */
export const QUERY_MS = 5 * SECOND_MS;
export const LOCK_WAIT_MS = 2 * SECOND_MS;
export const POOL_WAIT_MS = 3 * SECOND_MS;
/** Limit for connecting to each of several hosts, before the next one is tried. */
export const HOST_CONNECT_MS = SECOND_MS;
export const COMMAND_CONNECT_MS = 10 * SECOND_MS;
export const IDLE_IN_TRANSACTION_MS = 10 * SECOND_MS;
export const DATABASE_KEEP_ALIVE_DELAY_MS = 10 * SECOND_MS;
/** Limit for all statements of a request together, so that its answer comes within five seconds. */
export const REQUEST_DATABASE_MS = 4 * SECOND_MS;
/** Share of a request's wait that readiness waits: a second. */
export const READINESS_WAIT_SHARE = 1 / 4;
/** Pause before a transaction whose connection broke is tried again; the second try waits twice as long, and so on. */
export const TRANSACTION_RETRY_DELAY_MS = SECOND_MS / 10;
/** A client that obeys this Retry-After is back within two seconds of a failover. */
export const DATABASE_RETRY_AFTER_SECONDS = 1;
export const EXPORT_STATEMENT_MS = 10 * MINUTE_MS;
export const IMPORT_STATEMENT_MS = 2 * MINUTE_MS;
export const IMPORT_LOCK_WAIT_MS = 30 * SECOND_MS;
/** Pause that is long enough for the pool to notice a dead connection, so that the retry gets another one. */
export const CHECK_IN_RETRY_DELAY_MS = 200;

// The embedded Postgres
/** Limit for a start; a server that says it is still recovering gets longer. */
export const EMBEDDED_START_MS = MINUTE_MS;
export const EMBEDDED_QUERY_MS = 10 * SECOND_MS;
/** Limit for the recovery of a server that crashed while it was to be stopped. */
export const EMBEDDED_RECOVERY_MS = 2 * SECOND_MS;
/** First pause before a new start; it doubles after each start that failed. */
export const FIRST_RELAUNCH_DELAY_MS = SECOND_MS;
export const MAX_RELAUNCH_DELAY_MS = 30 * SECOND_MS;

// Requests
/** Limit for a request's wait for its turn: shorter than browsers and proxies wait for an answer. */
export const ADMISSION_WAIT_MS = 45 * SECOND_MS;
export const ADMISSION_CHECK_INTERVAL_MS = SECOND_MS / 4;
/** Idle time in which no answer was finished, after which others are let in beside the requests at work. */
export const ADMISSION_STALL_MS = SECOND_MS / 2;
/** Idle time of a request's work after which it counts no longer: it does not wait for the database. */
export const ADMISSION_IDLE_RELEASE_MS = 5 * SECOND_MS;
/** Longest pause before the server looks again for a form's body, which comes after its headers. */
export const MAX_ADMISSION_BODY_PAUSE_MS = 100;
/** Limit for the wait to hash a password, while others sign in. */
export const HASHING_WAIT_MS = 15 * SECOND_MS;
/** Part of a request's budget that is left however long the request waited to be let in. */
export const MIN_REQUEST_DATABASE_MS = 1500;
export const REQUEST_HEADERS_MS = 15 * SECOND_MS;
/** Limit for the pause between one byte of a body and the next. */
export const REQUEST_BODY_IDLE_MS = 30 * SECOND_MS;
/** Limit for a request with its body: a slow uplink takes minutes for photos. */
export const REQUEST_BODY_MS = 5 * MINUTE_MS;
export const DOWNLOAD_IDLE_MS = 30 * SECOND_MS;

// Webhooks
/** Limit for finding the address, connecting and TLS together. */
export const WEBHOOK_CONNECT_MS = 3 * SECOND_MS;
export const WEBHOOK_ANSWER_MS = 10 * SECOND_MS;

// Shutdown
/** Time for load balancers to read on /readyz that the server is about to end. */
export const SHUTDOWN_GRACE_MS = 250;
export const MAX_SHUTDOWN_GRACE_MS = MINUTE_MS;
/** Longer than deploy/nginx.conf keeps an idle connection: it closes each of them itself. */
export const SHUTDOWN_IDLE_CONNECTION_MS = 1500;
export const SHUTDOWN_WORK_MS = 5 * SECOND_MS;
export const SHUTDOWN_POOLS_MS = SECOND_MS;
export const SHUTDOWN_POSTGRES_MS = 3500;

// Photos
/** Limit for a photo's wait for its turn, and for its sleep while it is read; processor time has a budget. */
export const PHOTO_WAIT_MS = 15 * SECOND_MS;
export const PHOTO_DECODE_S = 60;
/** For the decoder or a reader, each of which has one photo at a time. */
export const PHOTO_STEP_WAIT_MS = MINUTE_MS;

// Imports
/** Limit for a file's wait for its turn; the next two limit its processor time and its reading as a whole. */
export const IMPORT_READER_WAIT_MS = 60 * SECOND_MS;
export const IMPORT_READER_CPU_S = 120;
export const IMPORT_READER_MS = 10 * MINUTE_MS;

// Backups
/** Limit for a program that copies a backup to its second place: the next night's backup waits for its end. */
export const BACKUP_COPY_MS = 6 * 60 * MINUTE_MS;
