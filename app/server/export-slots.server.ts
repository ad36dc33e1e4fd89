import { exportPlaces } from '#app/domain/turns/queues.server.ts';

/** Hands on the rows while the school has a place; 'tooMany' past its places, so that slow downloads leave others theirs. */
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
