import { connect } from '#db/connect.server.ts';
import { env } from '#app/env.server.ts';
import { onShutdown } from './remix-serve/shutdown.server.ts';
import { log } from './log.server.ts';

/** A small pool for exports, so that slow downloads leave pages their connections. */
export const exportDb = connect(env.DATABASE_URL, {
  max: 2,
  poolWaitMs: 30_000,
  statementTimeout: 10 * 60_000,
  onConnectionError: (error) => log.warn({ err: error }, 'a database connection broke'),
});

onShutdown('pools', () => exportDb.destroy());
