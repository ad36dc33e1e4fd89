import { connect } from '#db/connect.server.ts';
import { EXPORT_STATEMENT_MS, QUERY_MS } from '#db/deadlines.ts';
import { env } from '#app/env.server.ts';
import { EXPORT_CONNECTIONS } from '#app/limits.ts';
import { exportPlaces } from '#app/domain/turns/queues.server.ts';
import { onShutdown } from '../remix-serve/shutdown.server.ts';
import { log } from '../log.server.ts';

/** Connections of their own, so that slow downloads leave pages theirs. */
export const exportDb = connect(env.DATABASE_URL, {
  max: EXPORT_CONNECTIONS,
  statementTimeoutMs: EXPORT_STATEMENT_MS,
  queryMs: QUERY_MS,
  onConnectionError: (error) => log.warn({ err: error, reqId: undefined }, 'a database connection broke'),
});

onShutdown('pools', () => exportDb.destroy());

/** Hands on rows while the school has a place. Throws 'tooMany' past its places, which leaves other schools theirs. */
export async function* withExportSlot<Row>(
  schoolId: number | null,
  rows: AsyncIterable<Row>,
): AsyncGenerator<Row, void> {
  const leave = await exportPlaces.enter([String(schoolId)]);
  try {
    yield* rows;
  } finally {
    leave();
  }
}
