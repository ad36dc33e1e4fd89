import { hash } from '@node-rs/argon2';
import { type RawBuilder, sql } from 'kysely';
import type { Db, Trx } from './connect.server.ts';
import { inTransaction } from './transaction.ts';
import { type PlannedFlight, planFlights } from './seed/flights.ts';
import { FLEET, GROUNDED, IN_FLIGHT, PASSWORD, PEOPLE, SCHOOL, TIME_ZONE } from './seed/school.ts';

type Ids = Map<string, number>;

/**
 * Fills an empty, migrated database with the demo school: people who sign in with 'flightline-demo', a fleet, sixty
 * flights of the ninety days before `now` and one in the air. The same on every run but for the dates.
 * Throws when the database holds a school or a user.
 */
export async function seed(db: Db, now = new Date()): Promise<void> {
  const passwordHash = await hash(PASSWORD);
  await inTransaction(db, async (trx) => {
    await assertEmpty(trx);
    const school = await trx.insertInto('schools').values(SCHOOL).returning('id').executeTakeFirstOrThrow();
    const people = await insertPeople(trx, school.id, passwordHash);
    const fleet = await insertFleet(trx, school.id);
    await insertFlights(trx, school.id, people, fleet, now);
    await takeOverReadings(trx, school.id);
    await groundOne(trx, school.id, idOf(fleet, GROUNDED.tailNumber));
    await startOne(trx, school.id, people, fleet, now);
  });
}

async function assertEmpty(trx: Trx): Promise<void> {
  const school = await trx.selectFrom('schools').select('id').limit(1).executeTakeFirst();
  const user = await trx.selectFrom('users').select('id').limit(1).executeTakeFirst();
  if (school || user) throw new Error('This database is in use: the demo school goes only into an empty one.');
}

async function insertPeople(trx: Trx, schoolId: number, passwordHash: string): Promise<Ids> {
  const rows = await trx
    .insertInto('users')
    .values(
      PEOPLE.map(({ username, role }) => ({
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

async function insertFleet(trx: Trx, schoolId: number): Promise<Ids> {
  const rows = await trx
    .insertInto('aircraft')
    .values(
      FLEET.map(({ tailNumber, make, model, year }) => ({
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

async function insertFlights(trx: Trx, schoolId: number, people: Ids, fleet: Ids, now: Date): Promise<void> {
  const flights = planFlights();
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: TIME_ZONE }).format(now);
  const at = ({ daysAgo }: PlannedFlight, minutes: number): RawBuilder<Date> =>
    sql`(${today}::date - ${daysAgo}::integer + make_interval(mins => ${minutes}::integer)) at time zone ${TIME_ZONE}`;
  const logs = await trx
    .insertInto('flight_logs')
    .values(
      flights.map((flight) => ({
        school_id: schoolId,
        aircraft_id: idOf(fleet, flight.tailNumber),
        user_id: idOf(people, flight.pilot),
        instructor_id: flight.instructor === null ? null : idOf(people, flight.instructor),
        start_hobbs: flight.hobbs.start,
        start_tach: flight.tach.start,
        end_hobbs: flight.hobbs.end,
        end_tach: flight.tach.end,
        instructor_time_in: clock(flight.timeIn),
        instructor_time_out: clock(flight.timeOut),
        ground_school_time: flight.groundSchoolTime,
        notes: flight.notes,
        created_at: at(flight, flight.start),
        completed_at: at(flight, flight.end),
        completed_by: idOf(people, flight.pilot),
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

/** Each aircraft shows what its newest flight left on the meters. */
async function takeOverReadings(trx: Trx, schoolId: number): Promise<void> {
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

async function groundOne(trx: Trx, schoolId: number, aircraftId: number): Promise<void> {
  await trx
    .updateTable('aircraft')
    .set({ maintenance_since: sql<Date>`last_hobbs_at + interval '35 minutes'` })
    .where('school_id', '=', schoolId)
    .where('id', '=', aircraftId)
    .execute();
}

async function startOne(trx: Trx, schoolId: number, people: Ids, fleet: Ids, now: Date): Promise<void> {
  const aircraft = await trx
    .selectFrom('aircraft')
    .select(['id', sql<string>`last_hobbs`.as('hobbs'), sql<string>`last_tach`.as('tach')])
    .where('school_id', '=', schoolId)
    .where('id', '=', idOf(fleet, IN_FLIGHT.tailNumber))
    .executeTakeFirstOrThrow();
  await trx
    .insertInto('flight_logs')
    .values({
      school_id: schoolId,
      aircraft_id: aircraft.id,
      user_id: idOf(people, IN_FLIGHT.pilot),
      start_hobbs: aircraft.hobbs,
      start_tach: aircraft.tach,
      created_at: new Date(now.getTime() - IN_FLIGHT.minutes * 60_000),
    })
    .execute();
}

function idOf(ids: Ids, name: string): number {
  const id = ids.get(name);
  if (id === undefined) throw new Error(`the demo school has no ${name}`);
  return id;
}

/** 'HH:MM' of minutes since midnight. */
function clock(minutes: number | null): string | null {
  if (minutes === null) return null;
  return [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');
}
