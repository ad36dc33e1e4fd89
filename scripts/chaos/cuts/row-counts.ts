import { sql } from 'kysely';
import type { Db } from '#db/connect.server.ts';

/** A request may leave these behind however often it is sent. */
const UNCOUNTED = ['sessions', 'drafts', 'login_attempts', 'audit_seals', 'password_link_requests', 'jobs'];
/** Events that are recorded after their request, whenever there is time. */
const RECORDED_LATER = [
  'signed in',
  'signed out',
  'failed to sign in',
  'locked out',
  'refused request',
  'refused unknown id',
];

export type RowCounts = Record<string, number>;

export async function countRows(db: Db): Promise<RowCounts> {
  const tables = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public' and tablename not like 'kysely%'`.execute(db);
  const counted = tables.rows.map(({ name }) => name).filter((name) => !UNCOUNTED.includes(name));
  const counts = counted.map((name) => {
    const entries = sql`where action not in (${sql.join(RECORDED_LATER)})`;
    const rows = name === 'audit_entries' ? entries : sql``;
    return sql`select ${name}::text as name, count(*)::integer as rows from ${sql.table(name)} ${rows}`;
  });
  const { rows } = await sql<{ name: string; rows: number }>`${sql.join(counts, sql` union all `)}`.execute(db);
  return Object.fromEntries(rows.map((row) => [row.name, row.rows]));
}

export function added(before: RowCounts, after: RowCounts): RowCounts {
  const changes = Object.keys(after).map((name) => [name, (after[name] ?? 0) - (before[name] ?? 0)] as const);
  return Object.fromEntries(changes.filter(([, rows]) => rows !== 0));
}

export function describe(counts: RowCounts): string {
  return JSON.stringify(counts);
}

export function exceeds(one: RowCounts, other: RowCounts): boolean {
  return Object.entries(one).some(([name, rows]) => Math.abs(rows) > Math.abs(other[name] ?? 0));
}
