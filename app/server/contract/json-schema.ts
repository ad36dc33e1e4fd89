import type { z } from 'zod';

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
