import { sql } from 'kysely';
import type { Db } from '#db/connect.server.ts';
import { serverOnlyPaths } from '#app/paths.ts';
import { SUM_MONTHS, SUM_WEEKS } from '#app/limits.ts';
import type { Actor } from '../actor.ts';
import { asksForAll, changeIdsSince, toSinceInstant, isChangedSince, type ListPageQuery } from '../changes.server.ts';
import { now } from '../database-clock.server.ts';
import { findFleet, fleetQuery, toAircraft } from './queries.server.ts';
import type { ListedAircraft } from './schema.server.ts';

/** Lists the fleet by tail number, or a part of it by id; removed aircraft are only among what has changed. */
export async function listAircraft(db: Db, reader: Actor, page: ListPageQuery): Promise<ListedAircraft[]> {
  const { schoolId, timeZone } = reader;
  if (asksForAll(page)) return findFleet(db, schoolId);
  const { after, limit, since } = page;
  const rows = await fleetQuery(db, schoolId, { includeRemoved: since !== undefined })
    .$if(after !== undefined, (query) => query.where('aircraft.id', '>', after ?? 0))
    .$if(since !== undefined, (query) => query.where(isChanged(schoolId, since ?? '', timeZone)))
    .$if(limit !== undefined, (query) => query.limit(limit ?? 0))
    .orderBy('aircraft.id')
    .execute();
  return rows.map((row) => ({
    ...toAircraft(row),
    ...(row.deleted_at && { deletedAt: row.deleted_at.toISOString() }),
  }));
}

/** A flight changes the status of its aircraft, squawks and inspections its condition. */
function isChanged(schoolId: number | null, since: string, timeZone: string) {
  const from = toSinceInstant(since, timeZone);
  const changed = sql`school_id = ${schoolId} and change_id in (${changeIdsSince(schoolId, from)})`;
  return sql<boolean>`(${isChangedSince('aircraft', schoolId, from)} or aircraft.id in (
    select aircraft_id from flight_logs where ${changed}
    union all select aircraft_id from squawks where ${changed}
    union all select aircraft_id from inspections
      where school_id = ${schoolId} and changed_at >= ${from} - ${LONGEST_TRANSACTION}))`;
}

/** Inspections have the time at which a transaction began; the others have the time when it ended. */
const LONGEST_TRANSACTION = sql`interval '10 minutes'`;

/** Finds the newest photo of each meter at the end of a flight. */
export async function findNewestEndPhotos(db: Db, schoolId: number | null, aircraftId: number) {
  const newest = db
    .selectFrom('flight_logs')
    .select(['id', 'end_hobbs as hobbs', 'end_tach as tach', 'completed_at as at'])
    .where('school_id', '=', schoolId)
    .where('aircraft_id', '=', aircraftId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1);
  const hobbs = await newest
    .select('end_hobbs_photo_id as photo')
    .where('end_hobbs_photo_id', 'is not', null)
    .executeTakeFirst();
  const tach = await newest
    .select('end_tach_photo_id as photo')
    .where('end_tach_photo_id', 'is not', null)
    .executeTakeFirst();
  return [
    { meter: 'Hobbs', photo: hobbs?.photo, value: hobbs?.hobbs, flightId: hobbs?.id },
    { meter: 'Tach', photo: tach?.photo, value: tach?.tach, flightId: tach?.id },
  ].flatMap(({ meter, photo, value, flightId }) =>
    photo == null || value == null || flightId === undefined
      ? []
      : [{ meter, src: serverOnlyPaths.photo(photo), value, flightId }],
  );
}

const PERIODS = { week: SUM_WEEKS - 1, month: SUM_MONTHS - 1 };

export type HoursOfPeriod = Awaited<ReturnType<typeof findHoursFlownByPeriod>>[number];

/** Sums the aircraft's completed hours by the week or month of their start; the last ones only, newest first. */
export async function findHoursFlownByPeriod(
  db: Db,
  { schoolId, timeZone }: { schoolId: number | null; timeZone: string },
  aircraftId: number,
  period: keyof typeof PERIODS,
) {
  const thisPeriod = sql`date_trunc(${period}, ${now} at time zone ${timeZone})`;
  const ago = (count: number) => sql`${`${count} ${period}`}::interval`;
  const { rows } = await sql<{ start: string; flights: number; hobbs: string; tach: string }>`
    select to_char(start, 'YYYY-MM-DD') as start, sums.*
    from generate_series(${thisPeriod} - ${ago(PERIODS[period])}, ${thisPeriod}, ${ago(1)}) as start
    cross join lateral (
      select count(*)::integer as flights, sum(hobbs_hours)::numeric(12, 2)::text as hobbs, sum(tach_hours)::numeric(12, 2)::text as tach
      from flight_logs where school_id = ${schoolId} and aircraft_id = ${aircraftId} and completed_at is not null
        and created_at >= start at time zone ${timeZone} and created_at < (start + ${ago(1)}) at time zone ${timeZone}
    ) as sums
    where flights > 0 order by 1 desc`.execute(db);
  return rows;
}
