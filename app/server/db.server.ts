import { connect } from '#db/connect.server.ts';
import { READINESS_WAIT_SHARE } from '#db/deadlines.ts';
import { env } from '#app/env.server.ts';
import { onShutdown } from './remix-serve/shutdown.server.ts';
import { log } from './log.server.ts';

// The undefined id keeps the request that opened the connection out of the line.
const onConnectionError = (error: Error) => log.warn({ err: error, reqId: undefined }, 'a database connection broke');

const onUnprepared = (error: Error) =>
  log.warn({ err: error, reqId: undefined }, 'statements are not prepared any more: a pooler did not carry them');

const prepares = ({ auto: 'direct', yes: 'always', no: 'never' } as const)[env.PREPARED_STATEMENTS];

export const db = connect(env.DATABASE_URL, { pipelines: true, prepares, onUnprepared, onConnectionError });

export const readinessWaitMs = env.DATABASE_WAIT_MS * READINESS_WAIT_SHARE;

/** A connection of its own, so that a crowd of requests does not make the server unready. */
export const readinessDb = connect(env.DATABASE_URL, {
  max: 1,
  statementTimeoutMs: readinessWaitMs,
  lockTimeoutMs: readinessWaitMs,
  poolWaitMs: readinessWaitMs,
  onConnectionError,
});

for (const pool of [db, readinessDb]) onShutdown('pools', () => pool.destroy());
