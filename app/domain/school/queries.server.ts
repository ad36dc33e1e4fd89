import type { Db, Trx } from '#db/connect.server.ts';
import type { FlightSchool } from './schema.server.ts';

/** The school; undefined for a user who has none (C36). */
export function findSchool(db: Db | Trx, schoolId: number | null): Promise<FlightSchool | undefined> {
  return db
    .selectFrom('schools')
    .select(['name', 'address', 'phone', 'time_zone as timeZone'])
    .where('id', '=', schoolId)
    .executeTakeFirst();
}

/** What a school that somebody belongs to is called. */
export async function findSchoolName(db: Db | Trx, schoolId: number): Promise<string> {
  const { name } = await db.selectFrom('schools').select('name').where('id', '=', schoolId).executeTakeFirstOrThrow();
  return name;
}

/** Lets one transaction at a time change the school's settings and its users' accounts; inserts that reference it go on. */
export async function lockSchool(trx: Trx, schoolId: number): Promise<void> {
  await trx.selectFrom('schools').select('id').where('id', '=', schoolId).forNoKeyUpdate().execute();
}
