import { exportPlaces } from '#app/domain/turns/queues.server.ts';

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
