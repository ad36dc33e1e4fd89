import { sql } from 'kysely';
import { expect, it } from 'vitest';
import type { NewRow } from '#db/tables.ts';
import type { FlightFilter } from '#app/domain/flights/logbook/flight-filter.server.ts';
import { findFlightSums, findHours } from '#app/domain/flights/logbook/hours.server.ts';
import { findStuckFlights } from '#app/domain/flights/logbook/stuck-flights.server.ts';
import { findFlightLogs } from '#app/domain/flights/queries.server.ts';
import { instructorHours } from '#app/domain/times/instruction.ts';
import { findPendingMaintenance } from '#app/domain/aircraft/maintenance.server.ts';
import { testDatabase } from '#tests/support/database.ts';
import { makeFlight } from '#tests/support/flight.ts';
import { insert } from '#tests/support/rows.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';

const { db } = await testDatabase();
const LOS_ANGELES = 'America/Los_Angeles';

/** A school in Los Angeles with people and two aircraft, and a flight of so many hundredths. */
async function makeScene() {
  const schoolId = await makeSchool(db, { time_zone: LOS_ANGELES });
  const inZone = { timeZone: LOS_ANGELES };
  const scene = {
    schoolId,
    admin: { ...(await makeUser(db, schoolId, 'administrator')), ...inZone },
    anna: { ...(await makeUser(db, schoolId, 'student')), ...inZone },
    ben: { ...(await makeUser(db, schoolId, 'student')), ...inZone },
    ivan: { ...(await makeUser(db, schoolId, 'instructor')), ...inZone },
    n1: await makeAircraft(db, schoolId),
    n2: await makeAircraft(db, schoolId),
  };
  const fly = (columns: Partial<NewRow<'flight_logs'>> = {}, pilot = scene.anna) =>
    makeFlight(db, pilot, columns.aircraft_id ?? scene.n1, {
      ...landed('2026-05-12T20:00:00Z'),
      completed_by: pilot.id,
      ...columns,
    });
  const found = async (filter: FlightFilter) =>
    (await findFlightLogs(db, schoolId, { timeZone: LOS_ANGELES, ...filter })).map(({ id }) => id);
  return { ...scene, fly, found };
}

function landed(start: string) {
  const created_at = new Date(start);
  const completed_at = new Date(created_at.getTime() + 3_600_000);
  return { created_at, completed_at, end_hobbs: '101.2', end_tach: '91.0' };
}

const lesson = (id: number) => ({ instructor_id: id, instructor_time_in: '23:30', instructor_time_out: '00:50' });

it('each part of the filter leaves the flights it names, and all parts together those that fit them all (B733)', async () => {
  const { fly, found, n2, anna, ben, ivan } = await makeScene();
  const plain = await fly();
  const other = await fly({ aircraft_id: n2 });
  const bens = await fly({}, ben);
  const taught = await fly({ ...lesson(ivan.id), notes: 'Left brake soft' });
  const open = await makeFlight(db, ben, n2);
  expect(await found({ aircraftId: n2 })).toEqual([open, other]);
  expect(await found({ pilotId: ben.id })).toEqual([open, bens]);
  expect(await found({ instructorId: ivan.id })).toEqual([taught]);
  expect(await found({ status: 'in_progress' })).toEqual([open]);
  expect(await found({ status: 'completed', pilotId: anna.id })).toEqual([taught, other, plain]);
  expect(await found({ aircraftId: n2, pilotId: ben.id, status: 'completed' })).toEqual([]);
});

it('a day of 23 or 25 hours is filtered from its midnight to the next at the school (B734)', async () => {
  for (const [day, ...starts] of [
    ['2026-03-08', '2026-03-08T07:59:59Z', '2026-03-08T08:00:00Z', '2026-03-09T06:59:59Z', '2026-03-09T07:00:00Z'],
    ['2026-11-01', '2026-11-01T06:59:59Z', '2026-11-01T07:00:00Z', '2026-11-02T07:59:59Z', '2026-11-02T08:00:00Z'],
  ] as const) {
    const { fly, found, schoolId } = await makeScene();
    const ids: number[] = [];
    for (const start of starts) ids.push(await fly(landed(start)));
    const [before, first, last, after] = ids;
    expect(await found({ from: day, to: day })).toEqual([last, first]);
    expect(await found({ from: day })).toEqual([after, last, first]);
    expect(await found({ to: day })).toEqual([last, first, before]);
    const filter = { timeZone: LOS_ANGELES };
    const { days } = await findFlightSums(db, schoolId, filter, { filter, first: day, last: day });
    expect(days).toEqual([{ day, flights: 2, hobbs: '2.40' }]);
  }
});

it('words are looked for in the squawks one by one, as they are written (B735)', async () => {
  const { fly, found } = await makeScene();
  await fly();
  const id = await fly({ notes: String.raw`Left Brake soft, fuel cap 100% closed, a\b` });
  for (const q of ['brake soft', 'SOFT  brake', 'rake', '100%', String.raw`a\b`])
    expect(await found({ q }), q).toEqual([id]);
  for (const q of ['brake flat', '10%', '1_0', String.raw`a\\b`]) expect(await found({ q }), q).toEqual([]);
});

it('sums of hundredths are exact where those of floats are not, and leave out what is in progress (B736)', async () => {
  const { fly, schoolId, ivan, ben, n2 } = await makeScene();
  for (let flight = 0; flight < 30; flight += 1) {
    await fly({ end_hobbs: '100.10', end_tach: '90.07', ...lesson(ivan.id), ground_school_time: '0.25' });
  }
  await makeFlight(db, ben, n2);
  const voided = { voided_at: new Date(), voided_by: ben.id, void_reason: 'Fog' };
  await makeFlight(db, ben, n2, voided);
  const hours = { hobbs: '3.00', tach: '2.10', instructor: '39.90', ground: '7.50' };
  expect((await findFlightSums(db, schoolId, {})).sums).toEqual({ flights: 31, inProgress: 1, ...hours });
});

it('the database counts instructor hours as the details and the export do, for every length of lesson (B736, C43)', async () => {
  const { schoolId, anna, ivan, n1 } = await makeScene();
  await sql`
    insert into flight_logs (school_id, aircraft_id, user_id, instructor_id, start_hobbs, start_tach, end_hobbs, end_tach,
      created_at, completed_at, completed_by, instructor_time_in, instructor_time_out)
    select ${schoolId}, ${n1}, ${anna.id}, ${ivan.id}, 1, 1, 2, 2, now(), now(), ${anna.id},
      to_char(time '00:00' + greatest(-n, 0) * interval '1 minute', 'HH24:MI'),
      to_char(time '00:00' + greatest(n, 0) * interval '1 minute', 'HH24:MI')
    from generate_series(-1439, 1439) n`.execute(db);
  const columns = [
    'instructor_time_in as timeIn',
    'instructor_time_out as timeOut',
    'instructor_hours as hours',
  ] as const;
  const rows = await db.selectFrom('flight_logs').select(columns).where('school_id', '=', schoolId).execute();
  expect(rows).toHaveLength(2879);
  expect(rows.filter(({ timeIn, timeOut, hours }) => hours !== instructorHours(timeIn, timeOut))).toEqual([]);
});

it('hours by pilot, instructor and aircraft have a row for each by name, and the sum of all (B739)', async () => {
  const { fly, admin, anna, ben, ivan, n1, n2 } = await makeScene();
  await fly({ ...lesson(ivan.id), ground_school_time: '0.5' });
  await fly({ aircraft_id: n2, end_hobbs: '100.75' }, ben);
  await makeFlight(db, ben, n2, { created_at: new Date('2026-05-13T01:00:00Z') });
  const hoursBy = async (by: 'pilot' | 'instructor' | 'aircraft') => {
    const { rows, sum } = await findHours(db, admin, { by, filter: { from: '2026-05-12', to: '2026-05-12' } });
    return { rows: rows.map(({ id, hobbs, instructor }) => [id, hobbs, instructor].join(' ')), sum };
  };
  const sum = { flights: 2, inProgress: 0, hobbs: '1.95', tach: '2.00', instructor: '1.33', ground: '0.50' };
  expect(await hoursBy('pilot')).toMatchObject({ sum });
  const rowsOf = (...ids: (number | string)[]) => [`${ids[0]} 1.20 1.33`, `${ids[1]} 0.75 0.00`];
  expect((await hoursBy('pilot')).rows.toSorted()).toEqual(rowsOf(anna.id, ben.id).toSorted());
  expect((await hoursBy('aircraft')).rows.toSorted()).toEqual(rowsOf(n1, n2).toSorted());
  expect((await hoursBy('instructor')).rows).toEqual(rowsOf(ivan.id, ''));
  const inZone = { by: 'pilot', filter: { from: '2026-05-12', to: '2026-05-12', timeZone: LOS_ANGELES } } as const;
  expect((await findHours(db, admin, inZone)).sum).toMatchObject({ flights: 3, inProgress: 1 });
});

it('names stand in the order of their letters, large or small, and nobody without flights (B739)', async () => {
  const { fly, schoolId, admin } = await makeScene();
  const { rows: none, sum } = await findHours(db, admin, { by: 'aircraft', filter: {} });
  expect([none, sum]).toMatchObject([[], { flights: 0, hobbs: '0.00', instructor: '0.00' }]);
  const names = ['Zoe', 'anna', 'Bert'].map((name) => `${name}-${schoolId}`);
  for (const name of names)
    await fly({}, { ...(await makeUser(db, schoolId, 'student', name)), timeZone: LOS_ANGELES });
  const { rows } = await findHours(db, admin, { by: 'pilot', filter: {} });
  expect(rows.map(({ name }) => name?.split('-')[0])).toEqual(['anna', 'Bert', 'Zoe']);
});

it('whoever may not see all hours has their own, as pilot or as instructor, whatever the filter asks for (B740)', async () => {
  const { fly, anna, ben, ivan } = await makeScene();
  await fly(lesson(ivan.id));
  await fly({}, ben);
  await fly({}, ivan);
  const idsOf = async (reader: typeof anna, by: 'pilot' | 'instructor' | 'aircraft', filter: FlightFilter = {}) =>
    (await findHours(db, reader, { by, filter })).rows.map(({ id, flights }) => [id, flights]);
  expect(await idsOf(anna, 'pilot')).toEqual([[anna.id, 1]]);
  expect(await idsOf(anna, 'instructor')).toEqual([]);
  expect(await idsOf(anna, 'pilot', { pilotId: ben.id })).toEqual([]);
  expect(await idsOf(ivan, 'pilot')).toEqual([[ivan.id, 1]]);
  expect(await idsOf(ivan, 'instructor')).toEqual([[ivan.id, 1]]);
  expect((await idsOf(ivan, 'aircraft'))[0]?.[1]).toBe(1);
});

const now = new Date('2026-05-12T21:00:00Z');

it('a flight is listed as not checked in after six hours or past midnight at the school, the longest first (B741)', async () => {
  const { admin, anna, ben, ivan, n1, n2, schoolId } = await makeScene();
  const n3 = await makeAircraft(db, schoolId);
  const atSix = await makeFlight(db, anna, n1, { created_at: new Date('2026-05-12T14:59:00Z') });
  await makeFlight(db, ivan, n3, { created_at: new Date('2026-05-12T15:01:00Z') });
  const old = await makeFlight(db, ben, n2, { created_at: new Date('2026-05-11T20:00:00Z') });
  const idsOf = async (reader: typeof anna, at = now) => (await findStuckFlights(db, reader, at)).map(({ id }) => id);
  expect(await idsOf(admin)).toEqual([old, atSix]);
  expect(await idsOf(anna)).toEqual([atSix]);
  expect(await idsOf(ivan)).toEqual([]);
  const early = await makeUser(db, schoolId, 'student');
  const evening = await makeFlight(db, early, await makeAircraft(db, schoolId), {
    created_at: new Date('2026-05-12T06:30:00Z'),
  });
  expect(await idsOf(admin, new Date('2026-05-12T07:30:00Z'))).toEqual([old, evening]);
});

it('the fleet’s maintenance has what is overdue first, then the soonest (B1274)', async () => {
  const { schoolId } = await makeScene();
  const add = async (tail_number: string, due: Partial<NewRow<'inspections'>>) => {
    const aircraft_id = await makeAircraft(db, schoolId, { tail_number, last_hobbs: '100.0', last_tach: '90.0' });
    await insert(db, 'inspections', { school_id: schoolId, aircraft_id, name: 'Check', ...due });
  };
  await add('N-FAR', { due_on: '2026-09-01' });
  await add('N-SOON', { due_hobbs: '101.0' });
  await add('N-LATE', { due_tach: '80.0' });
  const due = await findPendingMaintenance(db, schoolId, '2026-05-12');
  expect(due.map(({ aircraft, text }) => [aircraft.tailNumber, text])).toEqual([
    ['N-LATE', 'Overdue by 10.0 h'],
    ['N-SOON', 'Due in 1.0 h'],
    ['N-FAR', 'Due on 1 Sep'],
  ]);
});
