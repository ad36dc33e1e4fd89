import { sql } from 'kysely';
import type { Trx } from '#db/connect.server.ts';
import type { ArchivedTableName } from './archived-tables.ts';

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

/** Moves the sequence past the rows, so that no row has the next id. */
export async function moveSequence(trx: Trx, table: ArchivedTableName): Promise<void> {
  await sql`
    select setval(pg_get_serial_sequence(${table}, 'id'), max(id)) from ${sql.table(table)}
    having max(id) is not null`.execute(trx);
}
