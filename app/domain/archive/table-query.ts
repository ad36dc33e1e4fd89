import type { Snapshot } from '#db/read-snapshot.ts';
import { type ArchivedTableName, archivedTable } from './archived-tables.ts';

export interface ArchivedColumn {
  name: string;
  type: string;
  isGenerated: boolean;
}

export async function findColumns(query: Snapshot['query'], table: ArchivedTableName): Promise<ArchivedColumn[]> {
  const columns = await query<ArchivedColumn>(
    `select column_name as name, data_type as type, is_generated = 'ALWAYS' as "isGenerated"
      from information_schema.columns where table_schema = current_schema() and table_name = $1 order by ordinal_position`,
    [table],
  );
  const { without = [] } = archivedTable(table);
  return columns.filter(({ name }) => !without.includes(name));
}

/** Selects the rows as JSON, one text each, that reads the same in any time zone and loses no digit. */
export function jsonQuery(table: ArchivedTableName, schoolId: number, columns: ArchivedColumn[]): string {
  return `select row_to_json(archived)::text from (select ${columns.map(jsonColumn).join(', ')} ${rowsOf(table, schoolId)}) archived`;
}

/** Selects the rows for spreadsheets: text that one of them would run as a formula begins with an apostrophe. */
export function csvQuery(table: ArchivedTableName, schoolId: number, columns: ArchivedColumn[]): string {
  return `select ${columns.map(csvColumn).join(', ')} ${rowsOf(table, schoolId)}`;
}

function rowsOf(table: ArchivedTableName, schoolId: number): string {
  const { where = 'school_id = $school', order = 'id' } = archivedTable(table);
  return `from ${table} where ${where.replace('$school', String(schoolId))} order by ${order}`;
}

function jsonColumn({ name, type }: ArchivedColumn): string {
  const column = quoted(name);
  return `${valueOf(column, type)} as ${column}`;
}

function valueOf(column: string, type: string): string {
  if (type === 'timestamp with time zone')
    return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
  return type === 'numeric' ? `${column}::text` : column;
}

function csvColumn({ name, type }: ArchivedColumn): string {
  const column = quoted(name);
  if (type !== 'text') return `${valueOf(column, type)} as ${column}`;
  const isFormula = `${column} ~ '^[=+@\t\r-]' and ${column} !~ '^-?[0-9]+([.][0-9]+)?$'`;
  return `case when ${isFormula} then '''' || ${column} else ${column} end as ${column}`;
}

/** Quotes a name of the catalogue; none here has a quote. */
function quoted(name: string): string {
  return `"${name}"`;
}
