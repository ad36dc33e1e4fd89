import { type ExpressionBuilder, type RawBuilder, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { Db } from '#db/connect.server.ts';
import type { Database } from '#db/tables.ts';
import { MAX_FLIGHT_LINE_AIRCRAFT, FLIGHT_LINE_FLIGHTS_OF_AIRCRAFT, TAPE_FIRST_HOUR } from '#app/limits.ts';
import { conditionColumns, needsAttention } from '../aircraft/condition-queries.server.ts';
import { now } from '../database-clock.server.ts';
import { instantAtHour, isOverdue } from '../flights/logbook/stuck-flights.server.ts';

type School = { schoolId: number | null; timeZone: string };
export type FlightLineRow = Awaited<ReturnType<typeof findFlightLine>>[number];

/** Finds all aircraft with today's flights: the longest out first, grave conditions, free ones, maintenance. */
export function findFlightLine(db: Db, { schoolId, timeZone }: School) {
  return db
    .selectFrom('aircraft')
    .leftJoin('flight_logs as open', (join) =>
      join
        .onRef('open.school_id', '=', 'aircraft.school_id')
        .onRef('open.aircraft_id', '=', 'aircraft.id')
        .on('open.completed_at', 'is', null)
        .on('open.voided_at', 'is', null),
    )
    .leftJoin('users as pilot', 'pilot.id', 'open.user_id')
    .select(['aircraft.id', 'tail_number as tailNumber', 'last_hobbs', 'last_tach'])
    .select(['maintenance_since as maintenanceSince', 'open.id as flightId', 'open.created_at as startedAt'])
    .select(['pilot.id as pilotId', 'pilot.username as pilot'])
    .select([now.as('asOf'), minutesSince(firstMinute(timeZone), now).as('minute')])
    .select(minutesSince(firstMinute(timeZone), sql`open.created_at`).as('startMinute'))
    .select(sql<boolean>`coalesce(${isOverdue(sql`open.created_at`, timeZone)}, false)`.as('overdue'))
    .select([countOf(sql`open.id is not null`).as('outCount'), countOf(IS_GROUNDED).as('maintenanceCount')])
    .select(countOf(sql`true`).as('aircraftCount'))
    .select((eb) => countOf(sql`${IS_HERE} and ${needsAttention(eb)}`).as('attentionCount'))
    .select((eb) => [...conditionColumns(eb), openSquawks(eb), flightsJson(eb, firstMinute(timeZone))])
    .where('aircraft.school_id', '=', schoolId)
    .where('aircraft.deleted_at', 'is', null)
    .orderBy(sql`open.created_at asc nulls last`)
    .orderBy(IS_GROUNDED)
    .orderBy((eb) => sql`${IS_HERE} and ${needsAttention(eb)}`, 'desc')
    .orderBy('tail_number')
    .limit(MAX_FLIGHT_LINE_AIRCRAFT)
    .execute();
}

const IS_GROUNDED = sql`(open.id is null and maintenance_since is not null)`;
const IS_HERE = sql`(open.id is null and maintenance_since is null)`;

function countOf(condition: RawBuilder<unknown>) {
  return sql<number>`(count(*) filter (where ${condition}) over ())::integer`;
}

function firstMinute(timeZone: string) {
  return instantAtHour(timeZone, TAPE_FIRST_HOUR);
}

type LineBuilder = ExpressionBuilder<Database, 'aircraft'>;

function openSquawks({ selectFrom }: LineBuilder) {
  return selectFrom('squawks')
    .select(sql<number>`count(*)::integer`.as('count'))
    .whereRef('squawks.school_id', '=', 'aircraft.school_id')
    .whereRef('squawks.aircraft_id', '=', 'aircraft.id')
    .where(sql<boolean>`state = 'open'`)
    .as('openSquawks');
}

function flightsJson({ selectFrom }: LineBuilder, first: RawBuilder<unknown>) {
  return jsonArrayFrom(
    selectFrom('flight_logs')
      .select([minutesSince(first, sql`created_at`).as('from'), minutesSince(first, sql`completed_at`).as('to')])
      .whereRef('flight_logs.school_id', '=', 'aircraft.school_id')
      .whereRef('flight_logs.aircraft_id', '=', 'aircraft.id')
      .where('voided_at', 'is', null)
      .where(sql<boolean>`created_at > ${first} - interval '1 day'`)
      .where(sql<boolean>`completed_at > ${first}`)
      .orderBy('flight_logs.created_at', 'desc')
      .orderBy('flight_logs.id', 'desc')
      .limit(FLIGHT_LINE_FLIGHTS_OF_AIRCRAFT),
  ).as('flights');
}

function minutesSince(first: RawBuilder<unknown>, instant: RawBuilder<unknown>) {
  return sql<number>`round(extract(epoch from ${instant} - ${first}) / 60)::integer`;
}
