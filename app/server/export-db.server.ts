import { connect } from '#db/connect.server.ts';
import { env } from '#app/env.server.ts';
import { EXPORT_CONNECTIONS } from '#app/limits.ts';
import { EXPORT_STATEMENT_MS, QUERY_MS } from '#db/deadlines.ts';
import { onShutdown } from './remix-serve/shutdown.server.ts';
import { log } from './log.server.ts';

/** Connections of their own, so that slow downloads leave pages theirs. */
export const exportDb = connect(env.DATABASE_URL, {
  max: EXPORT_CONNECTIONS,
  statementTimeoutMs: EXPORT_STATEMENT_MS,
  queryMs: QUERY_MS,
  onConnectionError: (error) => log.warn({ err: error, reqId: undefined }, 'a database connection broke'),
});

onShutdown('pools', () => exportDb.destroy());
