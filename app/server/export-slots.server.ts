import { AppError } from '#app/domain/app-error.ts';
import { KeyedCounter } from '#app/domain/keyed-counter.ts';
import { texts } from '#app/domain/texts.ts';
import { EXPORT_RETRY_S, MAX_EXPORTS_OF_SCHOOL } from '#app/limits.ts';

const running = new KeyedCounter<number | null>();

export function exportsRunning(): number {
  return running.total;
}

/** Hands on rows while the school has a place. Throws 'tooMany' past its places, which leaves other schools theirs. */
export async function* withExportSlot<Row>(
  schoolId: number | null,
  rows: AsyncIterable<Row>,
): AsyncGenerator<Row, void> {
  if (running.of(schoolId) >= MAX_EXPORTS_OF_SCHOOL) {
    throw new AppError('tooMany', texts.tooManyRequests).retryAfter(EXPORT_RETRY_S);
  }
  running.increment(schoolId);
  try {
    yield* rows;
  } finally {
    running.decrement(schoolId);
  }
}
