import { connect } from '#db/connect.server.ts';
import { IMPORT_LOCK_MS, IMPORT_STATEMENT_MS } from '#db/deadlines.ts';
import { env } from '#app/env.server.ts';
import { IMPORT_CONNECTIONS } from '#app/limits.ts';
import { log } from '../log.server.ts';
import { onShutdown } from '../remix-serve/shutdown.server.ts';

/** Connections of their own, so that long imports leave pages theirs. */
export const importDb = connect(env.DATABASE_URL, {
  max: IMPORT_CONNECTIONS,
  statementTimeoutMs: IMPORT_STATEMENT_MS,
  lockTimeoutMs: IMPORT_LOCK_MS,
  poolWaitMs: IMPORT_STATEMENT_MS,
  onConnectionError: (error) => log.warn({ err: error, reqId: undefined }, 'a database connection broke'),
});

onShutdown('pools', () => importDb.destroy());
