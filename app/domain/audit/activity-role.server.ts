import { sql } from 'kysely';
import { ACTIVITY_ROLE } from '#db/activity-role.ts';
import type { Db, Trx } from '#db/connect.server.ts';

/** Does the work as a role that can insert and not change; if there is none, the triggers stand alone. */
export async function asActivityRole(trx: Trx, work: () => Promise<void>): Promise<void> {
  await sql`
    select set_config('role', rolname, true) from pg_roles
      where rolname = ${ACTIVITY_ROLE} and pg_has_role(current_user, oid, 'member')`.execute(trx);
  await work();
  await sql`set local role none`.execute(trx);
}

export async function canTakeActivityRole(db: Db): Promise<boolean> {
  const found = await sql`
    select 1 from pg_roles where rolname = ${ACTIVITY_ROLE} and pg_has_role(current_user, oid, 'member')`.execute(db);
  return found.rows.length > 0;
}
