import type { Db, Trx } from '#db/connect.server.ts';
import type { Actor } from '../actor.ts';
import { writeAuditEntry } from '../audit/write-audit-entry.server.ts';
import { exactlyOnce } from '../idempotency.server.ts';
import { AppError } from '../app-error.ts';
import { texts } from '../texts.ts';
import type { FlightSchool, SchoolInput } from './schema.server.ts';
import { serverTimeZone } from './server-time-zone.server.ts';
import { findSchool } from './queries.server.ts';

/**
 * Saves the school's name, address, phone and time zone (spec §2). The first save of an administrator without a school
 * makes one and puts them in it (C25). Throws 'unauthorized' for a user deleted meanwhile.
 */
export function saveSchool(db: Db, actor: Actor, input: SchoolInput, key?: string): Promise<FlightSchool> {
  return exactlyOnce(db, { scope: `user:${actor.id}`, key, operation: 'save school', input }, async (trx) => {
    const own = await findOwnSchoolForUpdate(trx, actor);
    const schoolId = own ?? (await insertSchool(trx, actor, input));
    const before = await findSchool(trx, own);
    await trx
      .updateTable('schools')
      .set({ name: input.name, address: input.address, phone: input.phone })
      .$if(input.timeZone !== undefined, (update) => update.set({ time_zone: input.timeZone }))
      .where('id', '=', schoolId)
      .execute();
    const after = await findSchool(trx, schoolId);
    if (!after) throw new Error(`school ${schoolId} is gone within its own transaction`);
    await writeAuditEntry(
      trx,
      { id: actor.id, schoolId },
      {
        action: before ? 'saved school settings' : 'created school',
        subject: 'school',
        before,
        after,
      },
    );
    return after;
  });
}

/** The user's school as it is now, both rows held: two first saves make one school. */
async function findOwnSchoolForUpdate(trx: Trx, actor: Actor): Promise<number | null> {
  const user = await trx
    .selectFrom('users')
    .select('school_id')
    .where('id', '=', actor.id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  if (!user) throw new AppError('unauthorized', texts.unauthorized);
  await trx.selectFrom('schools').select('id').where('id', '=', user.school_id).forUpdate().execute();
  return user.school_id;
}

async function insertSchool(trx: Trx, actor: Actor, { name }: SchoolInput): Promise<number> {
  const { id } = await trx
    .insertInto('schools')
    .values({ name, time_zone: serverTimeZone() })
    .returning('id')
    .executeTakeFirstOrThrow();
  await trx.updateTable('users').set({ school_id: id }).where('id', '=', actor.id).execute();
  return id;
}
