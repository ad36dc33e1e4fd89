import type { Db, Trx } from '#db/connect.server.ts';
import type { FlightSchool } from './schema.server.ts';

/** Undefined without a school. */
export function findSchool(db: Db | Trx, schoolId: number | null): Promise<FlightSchool | undefined> {
  return schoolQuery(db, schoolId).executeTakeFirst();
}

/** With what only its administrators see. */
export function findSchoolSettings(db: Db | Trx, schoolId: number | null) {
  return schoolQuery(db, schoolId)
    .select('administrators_need_second_factor as administratorsNeedSecondFactor')
    .select('reminder_after_hours as reminderAfterHours')
    .executeTakeFirst();
}

function schoolQuery(db: Db | Trx, schoolId: number | null) {
  return db
    .selectFrom('schools')
    .select(['name', 'address', 'phone', 'time_zone as timeZone', 'activity_kept_days as activityKeptDays'])
    .where('id', '=', schoolId);
}

export async function findSchoolName(db: Db | Trx, schoolId: number): Promise<string> {
  const { name } = await db.selectFrom('schools').select('name').where('id', '=', schoolId).executeTakeFirstOrThrow();
  return name;
}

/** Serializes changes of a school's settings and accounts, but not inserts that reference it. */
export async function lockSchool(trx: Trx, schoolId: number): Promise<void> {
  await trx.selectFrom('schools').select('id').where('id', '=', schoolId).forNoKeyUpdate().execute();
}
