import { sql, type SqlBool } from 'kysely';
import { PAGE_ROWS } from '#app/limits.ts';

/** Position in a list: the keys of a row. */
export interface Cursor {
  createdAt: string;
  id: number;
}

export interface PageCursors {
  after?: Cursor | undefined;
  before?: Cursor | undefined;
}

/** Tells a row of the table that is older than `after` and newer than `before`. */
export function isOnPage(table: 'flight_logs' | 'removed_flights' | 'audit_entries', { after, before }: PageCursors) {
  const position = sql`(${sql.ref(`${table}.created_at`)}, ${sql.ref(`${table}.id`)})`;
  const keyOf = ({ createdAt, id }: Cursor) => sql`(${createdAt}::timestamptz, ${id}::integer)`;
  const [isOlder, isNewer] = [
    after && sql`${position} < ${keyOf(after)}`,
    before && sql`${position} > ${keyOf(before)}`,
  ];
  return sql<SqlBool>`${isOlder ?? sql`true`} and ${isNewer ?? sql`true`}`;
}

/** A page and one row more, which tells whether there is another. */
export const PAGE_QUERY_ROWS = sql.lit(PAGE_ROWS + 1);

/** Finds the newest page, or the one older than `after` or newer than `before`; `find` returns rows up to `PAGE_QUERY_ROWS`, newest first. */
export async function findPage<Row extends Cursor>(
  at: PageCursors,
  find: (at: PageCursors) => Promise<Row[]>,
): Promise<{ rows: Row[]; older: Cursor | null; newer: Cursor | null }> {
  const { after, before } = at;
  const found = await find(at);
  const more = found.length > PAGE_ROWS;
  // The newest page is found past either end, and if a newer page would be short.
  if (before ? !more : after && found.length === 0) return findPage({}, find);
  const rows = before ? found.slice(-PAGE_ROWS) : found.slice(0, PAGE_ROWS);
  return {
    rows,
    older: more ? cursorOf(rows.at(-1)) : null,
    newer: before || after ? cursorOf(rows.at(0)) : null,
  };
}

function cursorOf(row: Cursor | undefined): Cursor | null {
  return row ? { createdAt: row.createdAt, id: row.id } : null;
}
