import type { z } from 'zod';

export type JsonSchema = z.core.JSONSchema.BaseSchema;

const REFERENCE = '#/components/schemas/';

/** The schema's name, where it is one of the contract's by reference. */
export function referenceOf({ $ref }: JsonSchema): string | undefined {
  return $ref?.startsWith(REFERENCE) ? $ref.slice(REFERENCE.length) : undefined;
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Of the schema's properties, and of the items of a list, those that are schemas. */
export function propertiesOf({ properties = {} }: JsonSchema): [string, JsonSchema][] {
  return Object.entries(properties).filter((entry): entry is [string, JsonSchema] => isSchema(entry[1]));
}

export function itemsOf({ items }: JsonSchema): JsonSchema | undefined {
  return isSchema(items) ? items : undefined;
}

export function choicesOf({ anyOf, oneOf }: JsonSchema): JsonSchema[] {
  return anyOf ?? oneOf ?? [];
}
