import { IMPORT_KINDS, type ImportKind, type SheetRow } from '../records.ts';
import { type Column, findColumns, placesOf } from './find-columns.ts';

/** A file is told to be of a kind if it shows one field of each group. */
const SIGNS: Record<ImportKind, string[][]> = {
  fleet: [['aircraft'], ['model', 'make']],
  people: [
    ['email', 'lastName', 'username'],
    ['name', 'firstName', 'username', 'role', 'email'],
  ],
  flights: [
    ['date', 'start'],
    ['aircraft', 'pilot', 'startHobbs'],
    ['end', 'hours', 'startHobbs', 'startTach', 'hobbsHours'],
  ],
  squawks: [['aircraft'], ['text'], ['reportedAt', 'state']],
  inspections: [['aircraft'], ['name'], ['dueHobbs', 'dueTach', 'dueOn']],
};

/** The kind whose fields name most of the filled columns; null where two name about as many. */
export function findKind(table: { header: string[]; rows: SheetRow[] }): ImportKind | null {
  const found = IMPORT_KINDS.flatMap((kind) => {
    const columns = findColumns(kind, table);
    const places = placesOf(columns);
    const isOne = SIGNS[kind].every((fields) => fields.some((field) => field in places));
    return isOne ? [{ kind, count: countUsed(columns) }] : [];
  }).toSorted((a, b) => b.count - a.count);
  const [best, second] = found;
  return best && best.count > (second?.count ?? 0) ? best.kind : null;
}

function countUsed(columns: Column[]): number {
  return columns.filter(({ field, isFilled }) => field !== null && isFilled).length;
}
