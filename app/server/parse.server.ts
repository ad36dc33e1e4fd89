import type { z } from 'zod';
import { AppError } from '#app/domain/app-error.ts';

/** Parses the input. Throws 'invalid' with a text per field. */
export function parseOrThrow<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const { issues } = result.error;
  throw new AppError('invalid', [...new Set(issues.map(({ message }) => message))].join('\n'), textsByField(issues));
}

/** The text of each field that does not parse. */
export function fieldErrors(schema: z.ZodType, input: unknown): Record<string, string> {
  return textsByField(schema.safeParse(input).error?.issues ?? []);
}

/** Written in reverse, so that the first issue of a field wins. */
function textsByField(issues: z.core.$ZodIssue[]): Record<string, string> {
  return Object.fromEntries(issues.toReversed().map(({ path, message }) => [path.join('.') || 'body', message]));
}
