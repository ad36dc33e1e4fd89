import { sql } from 'kysely';
import type { Trx } from '#db/connect.server.ts';
import { ARCHIVED_ROWS_CHARACTERS, IMPORTED_ROWS_AT_ONCE } from '#app/limits.ts';
import { archivedTable, type ArchivedTableName } from './archived-tables.ts';

export interface NewRow {
  text: string;
  here: Record<string, unknown>;
}

type Extra = Record<string, ReturnType<typeof sql>>;

/** Inserts rows; `extra` are values that no archive holds. */
export async function insertRows(
  trx: Trx,
  table: ArchivedTableName,
  columns: string[],
  rows: NewRow[],
  extra: Extra = {},
): Promise<void> {
  const names = [...columns, ...Object.keys(extra)].map((name) => sql.id(name));
  const values = [...columns.map((name) => sql.ref(`r.${name}`)), ...Object.values(extra)];
  await sql`
    insert into ${sql.table(table)} (${sql.join(names)}) overriding system value
    select ${sql.join(values)} from ${recordsOf(table, rows)}`.execute(trx);
}

/** Gives a school that is here the settings of the archived one. */
export async function updateSchool(trx: Trx, columns: string[], schoolId: number, row: NewRow): Promise<void> {
  const changes = columns.filter((name) => name !== 'id').map((name) => sql`${sql.id(name)} = ${sql.ref(`r.${name}`)}`);
  await sql`
    update schools set ${sql.join(changes)} from ${recordsOf('schools', [row])} where schools.id = ${schoolId}`.execute(
    trx,
  );
}

function recordsOf(table: ArchivedTableName, rows: NewRow[]) {
  const pairs = `[${rows.map(({ text, here }) => `[${text},${JSON.stringify(here)}]`).join(',')}]`;
  return sql`jsonb_array_elements(${pairs}::jsonb) as pair,
    jsonb_populate_record(null::${sql.table(table)}, (pair -> 0) || (pair -> 1)) as r`;
}

/** Finds the columns of this schema that the archive has a value for, and that a file may bring. */
export async function findInsertedColumns(trx: Trx, table: ArchivedTableName, archived: string[]): Promise<string[]> {
  const { rows } = await sql<{ name: string; generated: boolean }>`
    select column_name as name, is_generated = 'ALWAYS' as generated from information_schema.columns
    where table_schema = current_schema() and table_name = ${table} order by ordinal_position`.execute(trx);
  const { without = [] } = archivedTable(table);
  return rows
    .filter(({ name, generated }) => !generated && archived.includes(name) && !without.includes(name))
    .map(({ name }) => name);
}

export interface ColumnType {
  column: string;
  isNumber: boolean;
}

export async function findColumnTypes(trx: Trx, table: ArchivedTableName): Promise<ColumnType[]> {
  const { rows } = await sql<ColumnType>`
    select column_name as column, data_type = 'numeric' as "isNumber" from information_schema.columns
    where table_schema = current_schema() and table_name = ${table}
      and data_type in ('numeric', 'date', 'timestamp with time zone')`.execute(trx);
  return rows;
}

/** Moves the sequence past the rows, so that no row has the next id. */
export async function moveSequence(trx: Trx, table: ArchivedTableName): Promise<void> {
  await sql`
    select setval(pg_get_serial_sequence(${table}, 'id'), max(id)) from ${sql.table(table)}
    having max(id) is not null`.execute(trx);
}

/** Gathers rows for one statement, few where they are long. */
export async function* batches<Row extends { text: string }>(rows: AsyncIterable<Row>): AsyncGenerator<Row[], void> {
  let batch: Row[] = [];
  let characters = 0;
  for await (const row of rows) {
    batch.push(row);
    characters += row.text.length;
    if (batch.length < IMPORTED_ROWS_AT_ONCE && characters < ARCHIVED_ROWS_CHARACTERS) continue;
    yield batch;
    batch = [];
    characters = 0;
  }
  if (batch.length > 0) yield batch;
}
