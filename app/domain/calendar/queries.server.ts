import type { Db, Trx } from '#db/connect.server.ts';
import type { Member } from '../actor.ts';
import { createLinkToken, hashLinkToken } from '../link-tokens.server.ts';
import { mustAddSecondFactor } from '../people/access-tokens/access-tokens.server.ts';
import { requireAircraftRowForUpdate, requireAircraftRow } from '../aircraft/queries.server.ts';
import { AppError } from '../app-error.ts';
import { writeAuditEntry } from '../audit/write-audit-entry.server.ts';
import { ago, now } from '../database-clock.server.ts';
import { runOperation } from '../run-operation.server.ts';
import { sql } from 'kysely';
import { CALENDAR_DAYS, MAX_CALENDAR_FLIGHTS } from '#app/limits.ts';
import { findNamesakeMarks, markedName } from '../people/namesakes.server.ts';
import { can } from '../permissions.ts';

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
export async function findCalendarLinkMadeAt(
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
export async function deleteAircraftCalendarLinks(trx: Trx, schoolId: number, aircraftId: number): Promise<void> {
  await trx
    .deleteFrom('calendar_links')
    .where('school_id', '=', schoolId)
    .where('aircraft_id', '=', aircraftId)
    .execute();
}

/** Makes the user's only link; the former one ends, the secret is not stored. Throws 'notFound' outside the fleet. */
export async function makeCalendarLink(db: Db, member: Member, aircraftId: number, key?: string): Promise<string> {
  const { token, hash } = createLinkToken();
  const request = { key, operation: `make calendar link of aircraft ${aircraftId}`, input: null };
  const store = async (trx: Trx, actor: Member) => {
    // The lock keeps the aircraft from being removed meanwhile.
    const aircraft = await requireAircraftRowForUpdate(trx, actor, aircraftId);
    await saveLink(trx, actor, aircraftId, hash);
    return aircraft.tail_number;
  };
  // Nobody may have seen the first answer, so the same request again makes another link.
  const replay = async (trx: Trx, actor: Member) => ({ tailNumber: await store(trx, actor) });
  await runOperation(db, { actor: member, can: 'anyRole', replay, ...request }, async (trx, actor) => {
    const tailNumber = await store(trx, actor);
    const about = { subject: 'aircraft', subjectId: aircraftId } as const;
    await writeAuditEntry(trx, actor, { action: 'made calendar link', ...about, after: { tailNumber } });
    return { tailNumber };
  });
  return token;
}

async function saveLink(trx: Trx, { id, schoolId }: Member, aircraftId: number, hash: string): Promise<void> {
  await trx
    .insertInto('calendar_links')
    .values({ school_id: schoolId, user_id: id, aircraft_id: aircraftId, link_hash: hash })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'aircraft_id']).doUpdateSet({ link_hash: hash, made_at: now }),
    )
    .execute();
}

/** Removes the user's link. Throws 'notFound' outside the fleet, and without a link. */
export function removeCalendarLink(db: Db, member: Member, aircraftId: number, key?: string): Promise<object> {
  const request = { key, operation: `remove calendar link of aircraft ${aircraftId}`, input: null };
  return runOperation(db, { actor: member, can: 'anyRole', ...request }, async (trx, actor) => {
    const { tail_number: tailNumber } = await requireAircraftRow(trx, actor, aircraftId);
    const { numDeletedRows } = await trx
      .deleteFrom('calendar_links')
      .where('school_id', '=', actor.schoolId)
      .where('user_id', '=', actor.id)
      .where('aircraft_id', '=', aircraftId)
      .executeTakeFirstOrThrow();
    if (numDeletedRows === 0n) throw new AppError('notFound', 'You have no calendar link for this aircraft');
    const about = { subject: 'aircraft', subjectId: aircraftId } as const;
    await writeAuditEntry(trx, actor, { action: 'removed calendar link', ...about, before: { tailNumber } });
    return {};
  });
}

export type CalendarFlight = Awaited<ReturnType<typeof findCalendarFlights>>[number];

/** Finds the aircraft's flights of the last twelve months as the reader may see them, the newest first. */
export async function findCalendarFlights(db: Db, reader: Member, aircraftId: number) {
  const [marks, rows] = await Promise.all([
    findNamesakeMarks(db, reader),
    flightsQuery(db, reader.schoolId, aircraftId).execute(),
  ]);
  const seesAll = can(reader.role, 'see all open flights');
  return rows.map(({ id, pilotId, pilot, checkedOutAt, completedAt, departedAt, landedAt, changedAt }) => ({
    ...{
      id,
      checkedOutAt,
      changedAt,
      start: departedAt ?? checkedOutAt,
      end: completedAt && (landedAt ?? completedAt),
    },
    pilot:
      completedAt !== null || seesAll || pilotId === reader.id
        ? markedName(marks, { id: pilotId, username: pilot })
        : null,
  }));
}

function flightsQuery(db: Db, schoolId: number, aircraftId: number) {
  return db
    .selectFrom('flight_logs')
    .innerJoin('users', 'users.id', 'flight_logs.user_id')
    .select(['flight_logs.id', 'user_id as pilotId', 'username as pilot', 'flight_logs.created_at as checkedOutAt'])
    .select(['completed_at as completedAt', 'departed_at as departedAt', 'landed_at as landedAt'])
    .select(({ selectFrom, fn }) => {
      const corrected = selectFrom('flight_log_revisions')
        .select(({ fn }) => fn.max('flight_log_revisions.created_at').as('at'))
        .whereRef('flight_log_revisions.school_id', '=', 'flight_logs.school_id')
        .whereRef('flight_log_revisions.flight_log_id', '=', 'flight_logs.id');
      const created = sql.ref('flight_logs.created_at');
      return fn<Date>('greatest', [created, sql.ref('completed_at'), sql.ref('entered_at'), corrected]).as('changedAt');
    })
    .where('flight_logs.school_id', '=', schoolId)
    .where('aircraft_id', '=', aircraftId)
    .where('voided_at', 'is', null)
    .where('flight_logs.created_at', '>', ago(CALENDAR_DAYS, 'days'))
    .orderBy('flight_logs.created_at', 'desc')
    .orderBy('flight_logs.id', 'desc')
    .limit(MAX_CALENDAR_FLIGHTS);
}

export type CalendarInspection = Awaited<ReturnType<typeof findCalendarInspections>>[number];

/** Finds inspections that are due on a day; one that is due at a reading has none. */
export async function findCalendarInspections(db: Db, schoolId: number, aircraftId: number) {
  return db
    .selectFrom('inspections')
    .select(['id', 'name', 'created_at as createdAt', 'changed_at as changedAt'])
    .select(sql<string>`due_on::text`.as('dueOn'))
    .where('school_id', '=', schoolId)
    .where('aircraft_id', '=', aircraftId)
    .where('removed_at', 'is', null)
    .where('due_on', 'is not', null)
    .orderBy('id')
    .execute();
}
