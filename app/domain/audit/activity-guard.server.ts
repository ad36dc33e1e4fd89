import { sql } from 'kysely';
import type { Db } from '#db/connect.server.ts';

/** Returns the role of these connections where it may change the tables of the activity; undefined where it only adds to them. */
export async function findRoleThatCanAlterActivity(db: Db): Promise<string | undefined> {
  const { rows } = await sql<{ role: string }>`
    select current_user::text as role from pg_class where oid = 'audit_entries'::regclass
      and (pg_has_role(relowner, 'member') or has_schema_privilege(relnamespace, 'create')
        or has_table_privilege(oid, 'update, delete, truncate, trigger'))`.execute(db);
  return rows[0]?.role;
}
