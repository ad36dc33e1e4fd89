import type { ColumnType } from './column-profile.ts';

export interface ImportField {
  name: string;
  label: string;
  isRequired: boolean;
}

interface FieldWords {
  type: ColumnType;
  /** Combinations of concepts that name it, with how surely in percent. */
  patterns: string;
  /** Concepts that may stand beside them. */
  beside?: string;
}

export type KnownField = ImportField & FieldWords;

export const AIRCRAFT: KnownField = {
  ...field('tailNumber', 'Tail number', 'required'),
  type: 'tail',
  patterns: 'tail, aircraft:85, aircraft number:85, aircraft id:60',
  beside: 'number aircraft name id',
};

export function field(name: string, label: string, required?: 'required'): ImportField {
  return { name, label, isRequired: required !== undefined };
}
