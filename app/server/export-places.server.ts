import { AppError } from '#app/domain/app-error.ts';
import { texts } from '#app/domain/texts.ts';
import { EXPORT_RETRY_S, MAX_EXPORTS_OF_SCHOOL } from '#app/limits.ts';

const running = new Map<number | null, number>();

/** Hands on the rows while the school has a place; 'tooMany' past its places, so that slow downloads leave others theirs. */
export async function* withExportPlace<Row>(
  schoolId: number | null,
  rows: AsyncIterable<Row>,
): AsyncGenerator<Row, void> {
  const others = running.get(schoolId) ?? 0;
  if (others >= MAX_EXPORTS_OF_SCHOOL) throw new AppError('tooMany', texts.tooManyRequests).retryAfter(EXPORT_RETRY_S);
  running.set(schoolId, others + 1);
  try {
    yield* rows;
  } finally {
    const left = (running.get(schoolId) ?? 1) - 1;
    if (left === 0) running.delete(schoolId);
    else running.set(schoolId, left);
  }
}
