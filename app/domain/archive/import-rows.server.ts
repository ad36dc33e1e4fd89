import { sql } from 'kysely';
import type { Trx } from '#db/connect.server.ts';
import type { ArchivedTableName } from './archived-tables.ts';
import { type IdShifts, shiftedColumn } from './id-shifts.server.ts';

export interface RowsInsert {
  table: ArchivedTableName;
  columns: string[];
  shifts: IdShifts;
  /** Id of the school in the archive; rows of another school are not inserted. */
  archivedSchoolId: number;
}

type Extra = Record<string, ReturnType<typeof sql>>;

/** Inserts rows as the archive has them, each a JSON text; returns how many it took. */
export async function insertArchivedRows(
  trx: Trx,
  { table, columns, shifts, archivedSchoolId }: RowsInsert,
  rows: string[],
  extra: Extra = {},
): Promise<number> {
  const names = [...columns, ...Object.keys(extra)].map((name) => sql.id(name));
  const values = [...columns.map((column) => shiftedColumn(table, column, shifts)), ...Object.values(extra)];
  const whose = columns.includes('school_id') ? sql`r.school_id = ${archivedSchoolId}` : sql`true`;
  const { numAffectedRows } = await sql`
    insert into ${sql.table(table)} (${sql.join(names)}) overriding system value
    select ${sql.join(values)}
    from jsonb_populate_recordset(null::${sql.table(table)}, ${`[${rows.join(',')}]`}::jsonb) as r
    where ${whose}`.execute(trx);
  return Number(numAffectedRows ?? 0);
}

/** Finds the columns of this schema that the archive has a value for. */
export async function findInsertedColumns(trx: Trx, table: ArchivedTableName, archived: string[]): Promise<string[]> {
  const { rows } = await sql<{ name: string; generated: boolean }>`
    select column_name as name, is_generated = 'ALWAYS' as generated from information_schema.columns
    where table_schema = current_schema() and table_name = ${table} order by ordinal_position`.execute(trx);
  return rows.filter(({ name, generated }) => !generated && archived.includes(name)).map(({ name }) => name);
}

/** Moves the sequence past the rows, so that no row has the next id. */
export async function moveSequence(trx: Trx, table: ArchivedTableName): Promise<void> {
  await sql`
    select setval(pg_get_serial_sequence(${table}, 'id'), max(id)) from ${sql.table(table)}
    having max(id) is not null`.execute(trx);
}
