import { connect } from '#db/connect.server.ts';
import { env } from '#app/env.server.ts';
import { EXPORT_CONNECTION_WAIT_MS, EXPORT_CONNECTIONS, EXPORT_STATEMENT_TIMEOUT_MS } from '#app/limits.ts';
import { onShutdown } from './remix-serve/shutdown.server.ts';
import { log } from './log.server.ts';

/** Separate, so that slow downloads leave pages their connections. */
export const exportDb = connect(env.DATABASE_URL, {
  max: EXPORT_CONNECTIONS,
  poolWaitMs: EXPORT_CONNECTION_WAIT_MS,
  statementTimeoutMs: EXPORT_STATEMENT_TIMEOUT_MS,
  // Not by the id of the request that opened it.
  onConnectionError: (error) => log.warn({ err: error, reqId: undefined }, 'a database connection broke'),
});

onShutdown('pools', () => exportDb.destroy());
