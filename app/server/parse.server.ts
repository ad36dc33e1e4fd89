import { z } from 'zod';
import { AppError } from '#app/domain/app-error.ts';
import { unknownFieldsText } from '#app/domain/field-schemas.server.ts';
import { RECORDED_FIELD_NAMES } from '#app/domain/flights/schema.server.ts';

/** Parses the input. Throws 'invalid' with a text per field. */
export function parseOrThrow<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const result = schema.safeParse(input, { error: wordsForField });
  if (result.success) return result.data;
  const { issues } = result.error;
  throw new AppError('invalid', [...new Set(issues.map(({ message }) => message))].join('\n'), textsByField(issues));
}

function wordsForField({ path = [], code, expected }: z.core.$ZodRawIssue): string {
  const field = path.length === 0 ? 'The request body' : `"${path.join('.')}"`;
  const type = code === 'invalid_type' && typeof expected === 'string' ? TYPES[expected] : undefined;
  return type === undefined ? `${field} is not what this call takes.` : `${field} must be ${type}.`;
}

const TYPES: Readonly<Record<string, string>> = {
  ...{ string: 'a text', number: 'a number', boolean: 'true or false', object: 'an object', array: 'a list' },
};

/**
 * Parses the body of a call. Throws 'invalid' as `parseOrThrow`, and for what is recorded of a flight where the call does
 * not take it. Names that no call knows are ignored.
 */
export function parseBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const input = parseOrThrow(schema, body);
  const taken = fieldsOf(schema);
  const dropped = Object.keys(Object(body)).filter(
    (name) => RECORDED_FIELD_NAMES.has(name) && taken && !taken.has(name),
  );
  if (dropped.length > 0) throw new AppError('invalid', unknownFieldsText(dropped));
  return input;
}

/** The names of the fields of an object, or of any of several; null for what is no object. */
function fieldsOf(schema: z.core.$ZodType): Set<string> | null {
  if (schema instanceof z.ZodObject) return new Set(Object.keys(schema.shape));
  if (schema instanceof z.ZodPipe) return fieldsOf(schema.in);
  if (!(schema instanceof z.ZodUnion)) return null;
  const each = schema.options.map(fieldsOf);
  return each.includes(null) ? null : new Set(each.flatMap((fields) => [...(fields ?? [])]));
}

export function fieldErrors(schema: z.ZodType, input: unknown): Record<string, string> {
  return textsByField(schema.safeParse(input).error?.issues ?? []);
}

/** Written in reverse, so that the first issue of a field wins. */
function textsByField(issues: z.core.$ZodIssue[]): Record<string, string> {
  return Object.fromEntries(issues.toReversed().map(({ path, message }) => [path.join('.') || 'body', message]));
}
