import { IMPORT_KINDS, type ImportKind, type ImportTable } from '../records.ts';
import { guessColumns } from './guess-columns.ts';
import { KNOWN_FIELDS } from './import-fields.ts';

/** The kind of which the file has all that is needed, and most besides; null where it has of none. */
export function guessKind(table: ImportTable): ImportKind | null {
  const found = IMPORT_KINDS.map((kind) => ({ kind, columns: guessColumns(kind, table) })).filter(({ kind, columns }) =>
    KNOWN_FIELDS[kind].every(({ name, isRequired }) => !isRequired || columns[name] !== null),
  );
  const count = (columns: object) => Object.values(columns).filter((column) => column !== null).length;
  return found.toSorted((a, b) => count(b.columns) - count(a.columns))[0]?.kind ?? null;
}
