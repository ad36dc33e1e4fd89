import type { Db, Trx } from '#db/connect.server.ts';
import type { Member } from '../actor.ts';
import { hashLinkToken } from '../link-tokens.server.ts';
import { mustAddSecondFactor } from '../people/access-tokens/access-tokens.server.ts';

/** The user whom a calendar is for, with the rights of today, and its aircraft. */
export interface CalendarReader {
  reader: Member;
  aircraft: { id: number; tailNumber: string };
}

/** Finds the reader of a link; undefined for one that never was or has ended. */
export async function findCalendarReader(db: Db, secret: string): Promise<CalendarReader | undefined> {
  const row = await db
    .selectFrom('calendar_links')
    .innerJoin('users', 'users.id', 'calendar_links.user_id')
    .innerJoin('schools', 'schools.id', 'calendar_links.school_id')
    .innerJoin('aircraft', 'aircraft.id', 'calendar_links.aircraft_id')
    .select(['users.id', 'username', 'email', 'role', 'calendar_links.school_id as schoolId', 'time_zone as timeZone'])
    .select(['aircraft_id as aircraftId', 'tail_number as tailNumber'])
    .where('link_hash', '=', hashLinkToken(secret))
    .whereRef('users.school_id', '=', 'calendar_links.school_id')
    .whereRef('aircraft.school_id', '=', 'calendar_links.school_id')
    .where('users.deleted_at', 'is', null)
    .where('aircraft.deleted_at', 'is', null)
    // Pages are refused to them, too.
    .where((eb) => eb.not(mustAddSecondFactor(eb)))
    .executeTakeFirst();
  if (!row) return undefined;
  const { aircraftId, tailNumber, ...reader } = row;
  return { reader, aircraft: { id: aircraftId, tailNumber } };
}

/** Finds when the user made their link to the aircraft's calendar; null without one. */
export async function findOwnCalendarLink(
  db: Db | Trx,
  { id, schoolId }: { id: number; schoolId: number | null },
  aircraftId: number,
): Promise<Date | null> {
  const link = await db
    .selectFrom('calendar_links')
    .select('made_at')
    .where('school_id', '=', schoolId)
    .where('user_id', '=', id)
    .where('aircraft_id', '=', aircraftId)
    .executeTakeFirst();
  return link?.made_at ?? null;
}

/** Deletes everybody's links, because the calendar goes with its aircraft. */
export async function deleteCalendarLinks(trx: Trx, schoolId: number, aircraftId: number): Promise<void> {
  await trx
    .deleteFrom('calendar_links')
    .where('school_id', '=', schoolId)
    .where('aircraft_id', '=', aircraftId)
    .execute();
}
