import { sql } from 'kysely';
import type { Db, Trx } from '#db/connect.server.ts';
import { EXPORT_BEFORE_REMOVAL_HOURS } from '#app/limits.ts';
import { ago } from '../../database-clock.server.ts';

/** Finds the moment until which the removal can be called off, and whether it can be asked for. */
export async function findRemoval(db: Db | Trx, schoolId: number) {
  const { dueAt, isExported } = await db
    .selectFrom('schools')
    .select(['removal_due_at as dueAt', wasExported(schoolId).as('isExported')])
    .where('id', '=', schoolId)
    .executeTakeFirstOrThrow();
  return { dueAt, isExported };
}

function wasExported(schoolId: number) {
  return sql<boolean>`exists (
    select from audit_entries where school_id = ${schoolId} and action = 'exported everything' and outcome = 'done'
      and created_at > ${ago(EXPORT_BEFORE_REMOVAL_HOURS, 'hours')})`;
}
