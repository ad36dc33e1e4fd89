import type { z } from 'zod';
import { AppError } from '#app/domain/app-error.ts';

/** Parses the input. Throws 'invalid' with a text per field. */
export function parseOrThrow<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const { issues } = result.error;
  // The fields are written in reverse, so that the first issue of each wins.
  const fields = Object.fromEntries(
    issues.toReversed().map(({ path, message }) => [path.join('.') || 'body', message]),
  );
  throw new AppError('invalid', [...new Set(issues.map(({ message }) => message))].join('\n'), fields);
}
