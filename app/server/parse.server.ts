import type { z } from 'zod';
import { AppError } from '#app/domain/app-error.ts';

/** The input through a schema. Throws 'invalid' with the text of each field. */
export function parseOrThrow<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const { issues } = result.error;
  // The first issue of a field is its text, so it is written last.
  const fields = Object.fromEntries(
    issues.toReversed().map(({ path, message }) => [path.join('.') || 'body', message]),
  );
  throw new AppError('invalid', [...new Set(issues.map(({ message }) => message))].join('\n'), fields);
}
