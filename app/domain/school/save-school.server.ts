import type { Db, Trx } from '#db/connect.server.ts';
import type { Actor } from '../actor.ts';
import { writeAuditEntry } from '../audit/write-audit-entry.server.ts';
import { lockUserForUpdate } from '../people/queries.server.ts';
import { weakensSchoolProtection } from '../power.ts';
import { runOperation } from '../run-operation.server.ts';
import { findSchool, findSchoolSettings, lockSchool } from './queries.server.ts';
import { type FlightSchool, type SchoolFormInput, type SchoolInput, serverTimeZone } from './schema.server.ts';

/** Saves the school; an administrator without one creates it. */
export function saveSchool(db: Db, administrator: Actor, input: SchoolFormInput, key?: string): Promise<FlightSchool> {
  const givesPower = async (trx: Trx, { schoolId }: Actor) => {
    const before = await findSchoolSettings(trx, schoolId);
    return before !== undefined && weakensSchoolProtection(before, input);
  };
  const request = { key, operation: 'save school', input, givesPower };
  const lockFirst = (trx: Trx) => lockOwnSchool(trx, administrator);
  return runOperation(db, { actor: administrator, can: 'manage school', lockFirst, ...request }, async (trx, actor) => {
    const schoolId = actor.schoolId ?? (await insertSchool(trx, actor, input));
    const before = await findSchoolSettings(trx, actor.schoolId);
    await trx
      .updateTable('schools')
      .set({ name: input.name, address: input.address, phone: input.phone })
      .$if(input.administratorsNeedSecondFactor !== undefined, (update) =>
        update.set({ administrators_need_second_factor: input.administratorsNeedSecondFactor }),
      )
      .$if(input.reminderAfterHours !== undefined, (update) =>
        update.set({ reminder_after_hours: input.reminderAfterHours }),
      )
      .$if(input.givesMeterPhotos !== undefined, (update) => update.set({ gives_meter_photos: input.givesMeterPhotos }))
      .$if(input.timeZone !== undefined, (update) => update.set({ time_zone: input.timeZone }))
      .$if(input.activityKeptDays !== undefined, (update) => update.set({ activity_kept_days: input.activityKeptDays }))
      .where('id', '=', schoolId)
      .execute();
    const after = await findSchool(trx, schoolId);
    if (!after) throw new Error(`school ${schoolId} is gone within its own transaction`);
    const action = before ? 'saved school settings' : 'created school';
    const saved = await findSchoolSettings(trx, schoolId);
    await writeAuditEntry(trx, { ...actor, schoolId }, { action, subject: 'school', before, after: saved });
    return after;
  });
}

/** Locks the school. Without one it locks the user, so that two first saves create one school. */
function lockOwnSchool(trx: Trx, { id, schoolId }: Actor): Promise<void> {
  return schoolId === null ? lockUserForUpdate(trx, id) : lockSchool(trx, schoolId);
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
