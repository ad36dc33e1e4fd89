import { connect } from '#db/connect.server.ts';
import { env } from '#app/env.server.ts';
import { onShutdown } from './remix-serve/shutdown.server.ts';
import { log } from './log.server.ts';

export const db = connect(env.DATABASE_URL, {
  // Not by the id of the request that opened it.
  onConnectionError: (error) => log.warn({ err: error, reqId: undefined }, 'a database connection broke'),
});

onShutdown('pools', () => db.destroy());
