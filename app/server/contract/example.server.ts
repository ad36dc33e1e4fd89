import type { z } from 'zod';

const TEXTS = ['1234.5', '1.20', '08:30', '2026-05-12', '2026-05-12T14:05:00.000Z', '/photos/7', '0', 'Europe/Berlin'];

export function exampleOf(schema: JsonSchema, named: Readonly<Record<string, JsonSchema>>): unknown {
  const name = referenceOf(schema);
  if (name !== undefined) return exampleOf(named[name] ?? {}, named);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  const [choice] = choicesOf(schema);
  if (choice) return exampleOf(choice, named);
  return exampleOfType(schema, named);
}

function exampleOfType(schema: JsonSchema, named: Readonly<Record<string, JsonSchema>>): unknown {
  const { type, minimum = 0 } = schema;
  if (type === 'object')
    return Object.fromEntries(propertiesOf(schema).map(([key, one]) => [key, exampleOf(one, named)]));
  if (type === 'array') return [exampleOf(itemsOf(schema) ?? {}, named)];
  if (type === 'integer' || type === 'number') return Math.max(7, minimum);
  if (type === 'boolean') return true;
  return type === 'null' ? null : exampleText(schema);
}

function exampleText({ format, pattern }: JsonSchema): string {
  if (format === 'date-time') return '2026-05-12T14:05:00.000Z';
  if (format === 'email') return 'ida@example.com';
  const fits = (text: string) => pattern === undefined || new RegExp(pattern, 'u').test(text);
  return pattern === undefined ? 'Words' : (TEXTS.find(fits) ?? 'Words');
}

export type JsonSchema = z.core.JSONSchema.BaseSchema;

const REFERENCE = '#/components/schemas/';

/** Returns the schema's name, if it refers to one of the contract's. */
export function referenceOf({ $ref }: JsonSchema): string | undefined {
  return $ref?.startsWith(REFERENCE) ? $ref.slice(REFERENCE.length) : undefined;
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function propertiesOf({ properties = {} }: JsonSchema): [string, JsonSchema][] {
  return Object.entries(properties).filter((entry): entry is [string, JsonSchema] => isSchema(entry[1]));
}

export function itemsOf({ items }: JsonSchema): JsonSchema | undefined {
  return isSchema(items) ? items : undefined;
}

export function choicesOf({ anyOf, oneOf }: JsonSchema): JsonSchema[] {
  return anyOf ?? oneOf ?? [];
}
