import { readFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import {
  ARCHIVED_TABLE_NAMES,
  archivedTable,
  type ArchivedTableName,
  TABLES_OF_SUBJECTS,
} from '#app/domain/archive/archived-tables.ts';
import { readZip, rowsIn } from '#tests/support/archive/read-zip.ts';

type Files = Record<string, string>;
type Row = Record<string, unknown>;

interface Comparison {
  cells: number;
  photos: number;
  differences: string[];
  added: string[];
}

const MOST_SHOWN = 10;
/** Of the place and the texts of an event, ids too. */
const HASHES = new Set(['hash', 'previous_hash']);

/** Holds every cell of two exports against each other, ids by their rows, and every photo byte by byte. */
export async function compareExports(first: string, second: string): Promise<Comparison> {
  const [before, after] = [await readZip(await readFile(first)), await readZip(await readFile(second))];
  const result: Comparison = { cells: 0, photos: 0, differences: [], added: [] };
  const [placesBefore, placesAfter] = [placesOf(before), placesOf(after)];
  const isMoved = rowsIn(before, 'schools')[0]?.id !== rowsIn(after, 'schools')[0]?.id;
  for (const table of ARCHIVED_TABLE_NAMES) {
    const [rows, others] = [rowsIn(before, table), rowsIn(after, table)];
    if (others.length < rows.length) result.differences.push(`${table}: ${rows.length} and ${others.length} rows`);
    others.slice(rows.length).forEach(({ action }) => result.added.push(`${table} ${String(action ?? '')}`.trim()));
    for (const [at, row] of rows.entries()) {
      const [one, other] = [placed(table, row, placesBefore), placed(table, others[at] ?? {}, placesAfter)];
      for (const column of new Set([...Object.keys(one), ...Object.keys(other)])) {
        if (isMoved && HASHES.has(column)) continue;
        result.cells += 1;
        if (isDeepStrictEqual(one[column], other[column]) || result.differences.length >= MOST_SHOWN) continue;
        const values = [one[column], other[column]].map((value) => JSON.stringify(value)).join(' and ');
        result.differences.push(`${table} ${at + 1} ${column}: ${values}`);
      }
    }
  }
  const pictures = (files: Files) => Object.keys(files).filter((name) => name.startsWith('photos/'));
  const [photos, others] = [pictures(before), pictures(after)];
  result.photos = photos.length;
  photos.forEach((name, at) => {
    if (before[name] !== after[others[at] ?? '']) result.differences.push(name);
  });
  return result;
}

type Places = Map<string, Map<unknown, number>>;

function placesOf(files: Files): Places {
  return new Map(
    ARCHIVED_TABLE_NAMES.map((table) => [table, new Map(rowsIn(files, table).map(({ id }, at) => [id, at]))]),
  );
}

function placed(table: ArchivedTableName, row: Row, places: Places): Row {
  const place = (of: string, id: unknown) =>
    id === null ? null : (places.get(of)?.get(id) ?? `no ${of} ${String(id)}`);
  const listed = (of: string, value: unknown) =>
    Array.isArray(value) ? (value as { id: number }[]).map((item) => ({ ...item, id: place(of, item.id) })) : value;
  const { references = {} } = archivedTable(table);
  const targetOf = (column: string): string | undefined => {
    if (column === 'id') return table;
    if (column === 'school_id' || column === 'chain') return 'schools';
    if (column === 'subject_id') return TABLES_OF_SUBJECTS[String(row.subject)];
    return references[column];
  };
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => {
      if (column === 'unsafe_at_start' || column === 'deferrals_over_at_start')
        return [column, listed('squawks', value)];
      if (column === 'overdue_at_start') return [column, listed('inspections', value)];
      const target = targetOf(column);
      return [column, target === undefined ? value : place(target, value)];
    }),
  );
}
