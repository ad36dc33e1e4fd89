import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '#db/connect.server.ts';
import { ARCHIVED_TABLE_NAMES, archivedTable, TABLES_OF_SUBJECTS, type ArchivedTableName } from './archived-tables.ts';

type Expression = RawBuilder<unknown>;

/** Numbers that are added to the ids of each table, to get past those that were given here. */
export type IdShifts = Readonly<Record<ArchivedTableName, number>>;

export async function findIdShifts(trx: Trx): Promise<IdShifts> {
  const { rows } = await sql<{ table: string; given: string | null }>`
    select table_name as table, last_value::text as given from information_schema.columns
      join pg_sequences on schemaname = table_schema
        and format('%I.%I', schemaname, sequencename) = pg_get_serial_sequence(format('%I.%I', table_schema, table_name), column_name)
      where table_schema = current_schema() and column_name = 'id' and is_identity = 'YES'`.execute(trx);
  const given = new Map(rows.map((row) => [row.table, Number(row.given ?? 0)]));
  const shifts = ARCHIVED_TABLE_NAMES.map((table) => [table, given.get(table) ?? 0] as const);
  return Object.fromEntries(shifts) as Record<ArchivedTableName, number>;
}

/** Between ids that others take at this moment and those of an import; two that meet all the same are refused as a whole. */
const GAP = 1000;

/** Takes as many ids of each table as an export has, while others go on taking theirs. */
export async function takeIdRanges(trx: Trx, lastIds: ReadonlyMap<ArchivedTableName, number>): Promise<IdShifts> {
  const shifts: Partial<Record<ArchivedTableName, number>> = {};
  for (const [table, before] of Object.entries(await findIdShifts(trx)) as [ArchivedTableName, number][]) {
    const last = lastIds.get(table) ?? 0;
    shifts[table] = last === 0 ? before : await takeRange(trx, table, last);
  }
  return shifts as IdShifts;
}

async function takeRange(trx: Trx, table: ArchivedTableName, count: number): Promise<number> {
  const { rows } = await sql<{ last: string }>`
    select setval(name, nextval(name) + ${GAP + count}::integer)::text as last
    from (select pg_get_serial_sequence(${table}, 'id') as name) as of`.execute(trx);
  return Number(rows[0]?.last) - count;
}

/** Selects a column of an archived row `r`, with the ids that it has here. */
export function shiftedColumn(table: ArchivedTableName, column: string, shifts: IdShifts): Expression {
  const value = sql`${sql.ref(`r.${column}`)}`;
  if (column === 'id') return shifted(value, shifts[table]);
  if (column === 'school_id') return shifted(value, shifts.schools);
  if (table === 'audit_entries' && column === 'subject_id') return subjectId(value, sql.ref('r.subject'), shifts, 1);
  if (column === 'unsafe_at_start' || column === 'deferrals_over_at_start') return listed(value, shifts.squawks);
  if (column === 'overdue_at_start') return listed(value, shifts.inspections);
  const target = archivedTable(table).references?.[column];
  return target === undefined ? value : shifted(value, shifts[target as ArchivedTableName]);
}

/** Selects the id of what an event is about: as it is here, or with -1 as it was. */
export function subjectId(value: Expression, subject: Expression, shifts: IdShifts, direction: 1 | -1): Expression {
  const cases = Object.entries(TABLES_OF_SUBJECTS).map(
    ([name, table]) => sql`when ${name} then ${shifted(value, direction * shifts[table])}`,
  );
  return sql`case ${subject} ${sql.join(cases, sql` `)} else ${value} end`;
}

export function shifted(value: Expression, shift: number): Expression {
  return shift === 0 ? value : sql`${value} + ${shift}::integer`;
}

function listed(value: Expression, shift: number): Expression {
  if (shift === 0) return value;
  const moved = sql`jsonb_set(item, '{id}', to_jsonb((item ->> 'id')::integer + ${shift}::integer))`;
  return sql`(select coalesce(jsonb_agg(${moved} order by place), '[]')
    from jsonb_array_elements(${value}) with ordinality as items (item, place))`;
}
