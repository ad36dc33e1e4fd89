import { z } from 'zod';
import type { Snapshot } from '#db/read-snapshot.ts';
import { ARCHIVE_BATCH_CHARACTERS, ARCHIVE_BATCH_ROWS } from '#app/limits.ts';
import { AppError } from '../app-error.ts';
import { idSchema } from '../field-schemas.server.ts';
import { batchesOf } from '../imports/write/write-records.server.ts';
import {
  archivedTable,
  type ArchivedTableName,
  TABLES_OF_ID_LIST_COLUMNS,
  ownerColumn,
  TABLES_OF_ID_COLUMNS,
  TABLES_OF_SUBJECTS,
} from './archived-tables.ts';
import { rowsFileName } from './manifest.server.ts';
import type { OpenArchive } from './open-archive.server.ts';

export interface ArchivedRow {
  /** As the archive has it: numbers in JSON columns lose digits where they are parsed. */
  text: string;
  values: Readonly<Record<string, unknown>>;
}

const valuesSchema = z.record(z.string(), z.unknown());

/** Reads the rows of a table. Throws 'invalid' where they are not as many as listed, and for one of another school. */
export async function* readArchivedRows(
  { manifest, lines }: OpenArchive,
  table: ArchivedTableName,
): AsyncGenerator<ArchivedRow, void> {
  const owner = ownerColumn(table);
  const listed = manifest.tables[table].rows;
  let count = 0;
  for await (const text of lines(rowsFileName(table))) {
    count += 1;
    if (count > listed) break;
    const values = valuesSchema.parse(JSON.parse(text));
    if (owner !== null && values[owner] !== manifest.school.id)
      throw new AppError('invalid', `${rowsFileName(table)} has rows that are not of this school.`);
    yield { text, values };
  }
  if (count !== listed)
    throw new AppError('invalid', `${rowsFileName(table)} has not the ${listed} rows that are listed.`);
}

/** Gathers the rows of a table for one statement. */
export function readArchivedBatches(
  archive: OpenArchive,
  table: ArchivedTableName,
  rows = ARCHIVE_BATCH_ROWS,
): AsyncGenerator<ArchivedRow[], void> {
  const most = { rows, characters: ARCHIVE_BATCH_CHARACTERS };
  return batchesOf(readArchivedRows(archive, table), most, ({ text }) => text.length);
}

export interface ArchivedColumn {
  name: string;
  type: string;
  isGenerated: boolean;
}

/** Finds the columns that a table has here and an archive may have. */
export async function findColumns(query: Snapshot['query'], table: ArchivedTableName): Promise<ArchivedColumn[]> {
  const columns = await query<ArchivedColumn>(
    `select column_name as name, data_type as type, is_generated = 'ALWAYS' as "isGenerated"
      from information_schema.columns where table_schema = current_schema() and table_name = $1 order by ordinal_position`,
    [table],
  );
  const { without = {} } = archivedTable(table);
  return columns.filter(({ name }) => !Object.hasOwn(without, name));
}

/** Makes other ids of those in a row: of itself, of its school, and of all that it refers to. */
export function withOtherIds(
  table: ArchivedTableName,
  values: ArchivedRow['values'],
  otherId: (of: ArchivedTableName, id: number) => number,
): Record<string, unknown> {
  const others: Record<string, unknown> = {};
  for (const [column, value] of Object.entries(values)) {
    if (value === null) continue;
    const target = targetOf(table, column, values);
    if (table === 'import_rows' && (column === 'before' || column === 'after')) {
      // Columns of the record, of which those of an aircraft name who read its meters.
      const columns = valuesSchema.parse(value);
      others[column] = { ...columns, ...withOtherIds('aircraft', columns, otherId) };
    } else if (target !== undefined)
      others[column] = TABLES_OF_ID_LIST_COLUMNS.has(column)
        ? listSchema.parse(value).map((item) => ({ ...item, id: otherId(target, item.id) }))
        : otherId(target, idSchema.parse(value));
  }
  return others;
}

const listSchema = z.array(z.looseObject({ id: idSchema }));

function targetOf(
  table: ArchivedTableName,
  column: string,
  values: ArchivedRow['values'],
): ArchivedTableName | undefined {
  if (column === 'id') return table;
  if (column === ownerColumn(table)) return 'schools';
  if (table === 'audit_entries' && column === 'subject_id') return TABLES_OF_SUBJECTS.get(values.subject);
  return TABLES_OF_ID_LIST_COLUMNS.get(column) ?? TABLES_OF_ID_COLUMNS.get(column);
}
