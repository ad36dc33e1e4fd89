import type { Db, Trx } from '#db/connect.server.ts';
import type { FlightSchool } from './schema.server.ts';

/** Finds the school; undefined without one. */
export function findSchool(db: Db | Trx, schoolId: number | null): Promise<FlightSchool | undefined> {
  return schoolQuery(db, schoolId).executeTakeFirst();
}

/** Finds it with what only its administrators see. */
export function findSchoolSettings(db: Db | Trx, schoolId: number | null) {
  return schoolQuery(db, schoolId)
    .select('administrators_need_second_factor as administratorsNeedSecondFactor')
    .select(['reminder_after_hours as reminderAfterHours', 'gives_meter_photos as givesMeterPhotos'])
    .executeTakeFirst();
}

function schoolQuery(db: Db | Trx, schoolId: number | null) {
  return db
    .selectFrom('schools')
    .select(['name', 'address', 'phone', 'time_zone as timeZone', 'activity_kept_days as activityKeptDays'])
    .where('id', '=', schoolId);
}

export async function requireSchoolName(db: Db | Trx, schoolId: number): Promise<string> {
  const { name } = await db.selectFrom('schools').select('name').where('id', '=', schoolId).executeTakeFirstOrThrow();
  return name;
}

/** Locks a school against changes of its settings and accounts; rows may refer to it meanwhile. */
export async function lockSchool(trx: Trx, schoolId: number): Promise<void> {
  await rowToLock(trx, schoolId).execute();
}

/** Selects and locks a school, unless somebody else has it locked. */
export function lockSchoolIfFreeQuery(db: Db | Trx, schoolId: number) {
  return rowToLock(db, schoolId).skipLocked();
}

function rowToLock(db: Db | Trx, schoolId: number) {
  return db.selectFrom('schools').select('id').where('id', '=', schoolId).forNoKeyUpdate();
}
