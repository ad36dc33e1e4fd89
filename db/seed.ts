import { hash } from '@node-rs/argon2';
import { type RawBuilder, sql } from 'kysely';
import type { Db, Trx } from './connect.server.ts';
import { inTransaction } from './transaction.ts';
import { type DemoFlight, planDemoFlights } from './seed/plan-flights.ts';
import {
  DEMO_FLEET,
  DEMO_PASSWORD,
  DEMO_SCHOOL,
  DEMO_TIME_ZONE,
  DEMO_USERS,
  idOf,
  type IdsByName,
  DEMO_OPEN_FLIGHT,
  DEMO_AIRCRAFT_IN_MAINTENANCE,
} from './seed/demo-school.ts';
import { insertInspections, insertSquawks } from './seed/maintenance.ts';

/** Fills an empty, migrated database with the demo school, the same on every run but for the dates. Throws if in use. */
export async function seed(db: Db, now = new Date()): Promise<void> {
  const passwordHash = await hash(DEMO_PASSWORD);
  await inTransaction(db, async (trx) => {
    await assertEmpty(trx);
    const school = await trx.insertInto('schools').values(DEMO_SCHOOL).returning('id').executeTakeFirstOrThrow();
    const users = await insertUsers(trx, school.id, passwordHash);
    const aircraft = await insertFleet(trx, school.id);
    await insertMeterSegments(trx, school.id, now);
    await insertFlights(trx, school.id, users, aircraft, now);
    await updateLastReadings(trx, school.id);
    await setMaintenance(trx, school.id, idOf(aircraft, DEMO_AIRCRAFT_IN_MAINTENANCE.tailNumber));
    await insertOpenFlight(trx, school.id, users, aircraft, now);
    await insertSquawks(trx, { id: school.id, users, aircraft, now });
    await insertInspections(trx, { id: school.id, users, aircraft, now });
  });
}

async function assertEmpty(trx: Trx): Promise<void> {
  const school = await trx.selectFrom('schools').select('id').limit(1).executeTakeFirst();
  const user = await trx.selectFrom('users').select('id').limit(1).executeTakeFirst();
  if (school || user) throw new Error('This database is in use: the demo school goes only into an empty one.');
}

async function insertUsers(trx: Trx, schoolId: number, passwordHash: string): Promise<IdsByName> {
  const rows = await trx
    .insertInto('users')
    .values(
      DEMO_USERS.map(({ username, role }) => ({
        school_id: schoolId,
        username,
        username_key: username,
        email: `${username}@cascade.example`,
        password_hash: passwordHash,
        role,
      })),
    )
    .returning(['id', 'username'])
    .execute();
  return new Map(rows.map(({ id, username }) => [username, id]));
}

async function insertFleet(trx: Trx, schoolId: number): Promise<IdsByName> {
  const rows = await trx
    .insertInto('aircraft')
    .values(
      DEMO_FLEET.map(({ tailNumber, make, model, year }) => ({
        school_id: schoolId,
        tail_number: tailNumber,
        make,
        model,
        year,
      })),
    )
    .returning(['id', 'tail_number'])
    .execute();
  return new Map(rows.map((row) => [row.tail_number, row.id]));
}

async function insertMeterSegments(trx: Trx, schoolId: number, now: Date): Promise<void> {
  const started = new Date(now.getTime() - 365 * 24 * 60 * 60_000);
  const fleet = await trx
    .selectFrom('aircraft')
    .select(['id', 'tail_number'])
    .where('school_id', '=', schoolId)
    .orderBy('id')
    .execute();
  const segments = fleet.flatMap(({ id, tail_number }) => {
    const readings = DEMO_FLEET.find(({ tailNumber }) => tailNumber === tail_number)?.readings;
    const first = (hundredths: number | undefined) => (hundredths === undefined ? null : (hundredths / 100).toFixed(2));
    const segment = { school_id: schoolId, aircraft_id: id, reason: 'new aircraft' as const, started_at: started };
    return [
      { ...segment, meter_type: 'hobbs' as const, first_reading: first(readings?.hobbs) },
      { ...segment, meter_type: 'tachometer' as const, first_reading: first(readings?.tach) },
    ];
  });
  await trx.deleteFrom('meter_segments').where('school_id', '=', schoolId).execute();
  await trx.insertInto('meter_segments').values(segments).execute();
}

async function insertFlights(
  trx: Trx,
  schoolId: number,
  users: IdsByName,
  aircraft: IdsByName,
  now: Date,
): Promise<void> {
  const flights = planDemoFlights();
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: DEMO_TIME_ZONE }).format(now);
  const at = ({ daysAgo }: DemoFlight, minutes: number): RawBuilder<Date> =>
    sql`(${today}::date - ${daysAgo}::integer + make_interval(mins => ${minutes}::integer)) at time zone ${DEMO_TIME_ZONE}`;
  const logs = await trx
    .insertInto('flight_logs')
    .values(
      flights.map((flight) => ({
        school_id: schoolId,
        aircraft_id: idOf(aircraft, flight.tailNumber),
        user_id: idOf(users, flight.pilot),
        instructor_id: flight.instructor === null ? null : idOf(users, flight.instructor),
        start_hobbs: flight.hobbs.start,
        start_tach: flight.tach.start,
        end_hobbs: flight.hobbs.end,
        end_tach: flight.tach.end,
        instructor_time_in: toClockTime(flight.timeIn),
        instructor_time_out: toClockTime(flight.timeOut),
        ground_school_time: flight.groundSchoolTime,
        notes: flight.notes,
        created_at: at(flight, flight.start),
        completed_at: at(flight, flight.end),
        landed_at: flight.landed === null ? null : at(flight, flight.landed),
        completed_by: idOf(users, flight.pilot),
      })),
    )
    .returning('id')
    .execute();
  const fuel = flights.flatMap((flight, index) => {
    const log = logs[index];
    return flight.fuel && log
      ? [
          {
            school_id: schoolId,
            flight_log_id: log.id,
            refueled: flight.fuel.refueled,
            oil_added: flight.fuel.oilQuarts !== null,
            oil_quantity: flight.fuel.oilQuarts,
            notes: flight.fuel.notes,
          },
        ]
      : [];
  });
  await trx.insertInto('fuel_records').values(fuel).execute();
}

async function updateLastReadings(trx: Trx, schoolId: number): Promise<void> {
  await sql`
    update aircraft
    set last_hobbs = end_hobbs, last_hobbs_at = completed_at, last_hobbs_by = user_id,
        last_tach = end_tach, last_tach_at = completed_at, last_tach_by = user_id
    from (
      select distinct on (aircraft_id) aircraft_id, end_hobbs, end_tach, completed_at, user_id
      from flight_logs where school_id = ${schoolId} order by aircraft_id, created_at desc
    ) as newest
    where aircraft.id = newest.aircraft_id`.execute(trx);
}

async function setMaintenance(trx: Trx, schoolId: number, aircraftId: number): Promise<void> {
  await trx
    .updateTable('aircraft')
    .set({ maintenance_since: sql<Date>`last_hobbs_at + interval '35 minutes'` })
    .where('school_id', '=', schoolId)
    .where('id', '=', aircraftId)
    .execute();
}

async function insertOpenFlight(
  trx: Trx,
  schoolId: number,
  users: IdsByName,
  aircraft: IdsByName,
  now: Date,
): Promise<void> {
  const flown = await trx
    .selectFrom('aircraft')
    .select(['id', sql<string>`last_hobbs`.as('hobbs'), sql<string>`last_tach`.as('tach')])
    .where('school_id', '=', schoolId)
    .where('id', '=', idOf(aircraft, DEMO_OPEN_FLIGHT.tailNumber))
    .executeTakeFirstOrThrow();
  await trx
    .insertInto('flight_logs')
    .values({
      school_id: schoolId,
      aircraft_id: flown.id,
      user_id: idOf(users, DEMO_OPEN_FLIGHT.pilot),
      start_hobbs: flown.hobbs,
      start_tach: flown.tach,
      created_at: new Date(now.getTime() - DEMO_OPEN_FLIGHT.minutes * 60_000),
    })
    .execute();
}

function toClockTime(minutes: number | null): string | null {
  if (minutes === null) return null;
  return [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');
}
