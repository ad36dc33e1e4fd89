import { sql } from 'kysely';
import type { Db, Trx } from '#db/connect.server.ts';
import type { MeterType } from '#db/tables.ts';
import { PILOT_CORRECTION_HOURS } from '#app/limits.ts';
import { ago } from '../../database-clock.server.ts';
import { adjacentFlightId, type FlightOrderColumns, placeOfFlight, placeOfRow } from '../flight-order.server.ts';

export interface NeighbourReadings {
  previous: { end_hobbs: string | null; end_tach: string | null; completed_at: Date | null } | undefined;
  /** The aircraft's next flight, completed or open. */
  next: { start_hobbs: string; start_tach: string; created_at: Date } | undefined;
  /** Meters changed between the flight before and this one, or between this one and the next. */
  between: { meter: MeterType; isBefore: boolean; oldLast: string; newFirst: string }[];
  last_hobbs: string | null;
  last_tach: string | null;
}

/** The readings before and after a flight, and the aircraft's last ones. */
export async function findNeighbourReadings(db: Db | Trx, log: FlightOrderColumns): Promise<NeighbourReadings> {
  const place = placeOfFlight(log);
  const previous = await db
    .selectFrom('flight_logs')
    .select(['end_hobbs', 'end_tach', 'completed_at'])
    .where('school_id', '=', log.school_id)
    .where('id', '=', adjacentFlightId(place, '<', sql`one.completed_at is not null`))
    .executeTakeFirst();
  const next = await db
    .selectFrom('flight_logs')
    .select(['start_hobbs', 'start_tach', 'created_at'])
    .where('school_id', '=', log.school_id)
    .where('id', '=', adjacentFlightId(place, '>'))
    .executeTakeFirst();
  const aircraft = await db
    .selectFrom('aircraft')
    .select(['last_hobbs', 'last_tach'])
    .where('school_id', '=', log.school_id)
    .where('id', '=', log.aircraft_id)
    .executeTakeFirstOrThrow();
  const changes = await findChangesBetweenFlights(db, log);
  const between = changes
    .filter(({ at }) => at >= (previous?.completed_at ?? at) && at <= (next?.created_at ?? at))
    .map(({ at, ...change }) => ({ ...change, isBefore: at <= log.created_at }));
  return { previous, next, between, ...aircraft };
}

async function findChangesBetweenFlights(db: Db | Trx, log: FlightOrderColumns) {
  const rows = await db
    .selectFrom('meter_segments')
    .select(['meter_type as meter', 'old_last', 'first_reading', 'started_at as at'])
    .where('school_id', '=', log.school_id)
    .where('aircraft_id', '=', log.aircraft_id)
    .where('reason', '<>', 'new aircraft')
    .where('flight_log_id', 'is', null)
    .orderBy('started_at')
    .orderBy('id')
    .execute();
  return rows.flatMap(({ meter, at, old_last: oldLast, first_reading: newFirst }) =>
    oldLast === null || newFirst === null ? [] : [{ meter, at, oldLast, newFirst }],
  );
}

/** Why meters were changed in the flight, as it was declared. */
export async function findDeclaredMeterChanges(db: Db | Trx, { school_id, id }: { school_id: number; id: number }) {
  const rows = await db
    .selectFrom('meter_segments')
    .select(['meter_type', 'reason', 'remark'])
    .where('school_id', '=', school_id)
    .where('flight_log_id', '=', id)
    .execute();
  const of = (meter: MeterType) => rows.find((row) => row.meter_type === meter);
  return { hobbs: of('hobbs'), tach: of('tachometer') };
}

/** Returns true if a pilot may still correct the flight (docs/decisions/025). */
export async function isRecentLastFlight(db: Db | Trx, log: FlightOrderColumns): Promise<boolean> {
  const found = await db
    .selectFrom('flight_logs')
    .select(isRecentLast.as('isRecentLast'))
    .where('school_id', '=', log.school_id)
    .where('id', '=', log.id)
    .executeTakeFirst();
  return found?.isRecentLast === true;
}

/** Tells a row of `flight_logs` that is its aircraft's and its pilot's last flight, completed hours ago at most. */
export const isRecentLast = sql<boolean>`(
  flight_logs.completed_at is not null and flight_logs.completed_at > ${ago(PILOT_CORRECTION_HOURS, 'hours')}
  and ${adjacentFlightId(placeOfRow('aircraft_id'), '>')} is null
  and ${adjacentFlightId(placeOfRow('user_id'), '>')} is null)`;
