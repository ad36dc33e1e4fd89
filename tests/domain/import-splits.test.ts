import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Member } from '#app/domain/actor.ts';
import { correctFlight } from '#app/domain/flights/correction/correct-flight.server.ts';
import { groupBy } from '#app/domain/imports/group-by.ts';
import type { ImportOptions } from '#app/domain/imports/options.server.ts';
import { requireImport } from '#app/domain/imports/queries.server.ts';
import { previewImport, uploadImport } from '#app/domain/imports/upload-import.server.ts';
import { testDatabase } from '#tests/support/database.ts';
import { completed, makeFlight } from '#tests/support/flight.ts';
import { apply, importFile, undo } from '#tests/support/imports/files.ts';
import { fc } from '#tests/support/properties.ts';
import { takesAll } from '#tests/support/takes-all.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';

const { db } = await testDatabase();

interface School {
  admin: Member;
  pilot: Member;
  aircraft: number;
}

let school: School;
beforeEach(async () => {
  school = await newSchool();
});

async function newSchool(): Promise<School> {
  const schoolId = await makeSchool(db);
  const admin = await makeUser(db, schoolId, 'administrator');
  const pilot = await makeUser(db, schoolId, 'student');
  return { admin, pilot, aircraft: await makeAircraft(db, schoolId, { tail_number: 'N1' }) };
}

interface Flight {
  day: number;
  /** Of its day, in minutes. */
  minute: number;
  /** On both meters, in tenths of an hour. */
  start: number;
  end: number;
}

const reading = (tenths: number) => (tenths / 10).toFixed(1);
const clock = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
const dayOf = ({ day }: Flight) => `2025-06-${String(day).padStart(2, '0')}`;

/** Six minutes are a tenth of an hour. */
const endOf = ({ minute, start, end }: Flight) => minute + (end - start) * 6;

function logOf({ pilot }: School, flights: Flight[], isTimed = true) {
  const lines = flights.map((flight) => {
    const times = isTimed ? `,${clock(flight.minute)},${clock(endOf(flight))}` : '';
    const readings = [flight.start, flight.end, flight.start, flight.end].map(reading).join(',');
    return `${dayOf(flight)},N1,${pilot.username},${readings}${times}`;
  });
  const headings = `Date,Aircraft,Pilot,Hobbs Start,Hobbs End,Tach Start,Tach End${isTimed ? ',Start,End' : ''}`;
  return { content: Buffer.from([headings, ...lines].join('\n')), name: 'club.csv' };
}

async function importFlights(
  school: School,
  flights: Flight[],
  { isTimed = true, ...options }: Partial<ImportOptions> & { isTimed?: boolean } = {},
) {
  const log = logOf(school, flights, isTimed);
  const { state, failure, preview } = await importFile(db, school.admin, 'flights', log, options);
  const { added, present, different, refused } = preview;
  return { state, failure, added, present, different, refused };
}

/** Checked out and in on the product, or entered there later, with the last readings that it leaves. */
async function flyHere({ pilot, aircraft }: School, flight: Flight, { enteredAt }: { enteredAt?: Date } = {}) {
  const [from, to] = [flight.minute, endOf(flight)].map((minute) => `${dayOf(flight)}T${clock(minute)}:00Z`);
  const [start, last] = [reading(flight.start), reading(flight.end)];
  const readings = { start_hobbs: start, start_tach: start, end_hobbs: last, end_tach: last };
  const entered = enteredAt && { entered_at: enteredAt, entered_by: pilot.id, entry_reason: 'Written down' };
  await makeFlight(db, pilot, aircraft, { ...completed(String(from), String(to)), ...readings, ...entered });
  const at = enteredAt ?? new Date(String(to));
  const saved = { last_hobbs: last, last_tach: last, last_hobbs_at: at, last_tach_at: at };
  await db.updateTable('aircraft').set(saved).where('id', '=', aircraft).execute();
}

/** Read from a photo once the flight was over: the reading of both meters. */
async function saveReading({ aircraft }: School, last?: Flight) {
  if (!last) return;
  const at = new Date(`${dayOf(last)}T${clock(endOf(last))}:00Z`);
  const read = { last_hobbs: reading(last.end), last_tach: reading(last.end), last_hobbs_at: at, last_tach_at: at };
  await db.updateTable('aircraft').set(read).where('id', '=', aircraft).execute();
}

/** A flight's end was misread by a tenth of an hour in each of the schools; one that is no longer is left as it is. */
async function correctEnd(misread: Flight | undefined, ...schools: School[]) {
  if (!misread || misread.end - misread.start < 2) return;
  const [start, end] = [reading(misread.start), reading(misread.end - 1)];
  const readings = { startHobbsTime: start, startTachTime: start, endHobbsTime: end, endTachTime: end };
  for (const { admin } of schools) {
    const { id } = await db
      .selectFrom('flight_logs')
      .select('id')
      .where('school_id', '=', admin.schoolId)
      .where('start_hobbs', '=', start)
      .executeTakeFirstOrThrow();
    await correctFlight(db, admin, id, { ...readings, reason: 'Misread' });
  }
}

/** Day and readings of each flight, in the order of its time. */
async function flightsOf({ admin }: School): Promise<string[]> {
  const { rows } = await sql<{ flight: string }>`
    select concat_ws(' ', (created_at at time zone 'UTC')::date, start_hobbs, end_hobbs, start_tach, end_tach) as flight
    from flight_logs where school_id = ${admin.schoolId} order by created_at, start_hobbs`.execute(db);
  return rows.map((row) => row.flight);
}

async function startsOf({ admin }: School) {
  const { rows } = await sql<{ times: string }>`
    select to_char(created_at at time zone 'UTC', 'HH24:MI–') || to_char(completed_at at time zone 'UTC', 'HH24:MI') as times
    from flight_logs where school_id = ${admin.schoolId} order by start_hobbs`.execute(db);
  return rows.map((row) => row.times);
}

const flight = (minute: number, start: number, end: number, day = 10): Flight => ({ day, minute, start, end });
const a = flight(540, 100, 110);
const b = flight(600, 110, 115);
const next = flight(630, 115, 125);

it('flights after the last one come in once that was checked in here, corrected, or entered later (B344, B1446)', async () => {
  const added = { state: 'applied', failure: null, added: 1, present: 0, different: 0, refused: 0 };
  await flyHere(school, b);
  expect(await importFlights(school, [next])).toEqual(added);
  const [corrected, entered] = [await newSchool(), await newSchool()];
  await importFlights(corrected, [a, b]);
  await correctEnd(b, corrected);
  expect(await importFlights(corrected, [next])).toEqual(added);
  await flyHere(entered, b, { enteredAt: new Date() });
  expect(await importFlights(entered, [next])).toEqual(added);
});

it('flights without clock times come in once, after the one before, from whatever files (B345, B346)', async () => {
  const grown = [a, b, flight(0, 120, 130), flight(0, 130, 132)];
  await importFlights(school, [a], { isTimed: false });
  const added = { state: 'applied', added: 3, present: 1, refused: 0 };
  expect(await importFlights(school, grown, { isTimed: false })).toMatchObject(added);
  expect(await startsOf(school)).toEqual(['08:00–09:00', '09:00–09:30', '09:30–10:30', '10:30–10:42']);

  const other = await newSchool();
  const odd = { isTimed: false, oddReadings: true, leaveOutRefused: true };
  expect(await importFlights(other, [a, b, a], odd)).toMatchObject({ added: 2, refused: 1 });
  expect(await importFlights(other, [flight(0, 90, 100), a, b], odd)).toMatchObject({ added: 1, present: 2 });
  expect(await importFlights(other, [a, b], { ...odd, isTimed: true })).toMatchObject({ added: 0, present: 2 });
  expect(await flightsOf(other)).toHaveLength(3);
});

async function importText(kind: 'fleet' | 'people' | 'squawks', text: string) {
  const { admin } = school;
  const file = { content: Buffer.from(text), name: 'club.csv' };
  const { id } = await uploadImport(db, { member: admin }, file, kind);
  const remarks = (await requireImport(db, admin.schoolId, id)).preview.remarks.map(({ message }) => message);
  const { preview } = await apply(db, admin, id);
  return { remarks, added: preview.added, present: preview.present, refused: preview.refused };
}

it('a namesake with another address in a later file becomes a user of their own, and is marked (B348)', async () => {
  const name = `Alex ${[...String(school.admin.schoolId)].map((digit) => 'abcdefghij'[Number(digit)]).join('')}`;
  const person = (email: string) => `name,email,role\n${name},${email},student`;
  await importText('people', person('alex@example.org'));
  const second = await importText('people', person('alex.second@example.org'));
  expect(second).toMatchObject({ added: 1, present: 0, refused: 0 });
  expect(second.remarks).toEqual([expect.stringContaining('the username will be alex.second@example.org')]);
  for (const email of ['alex@example.org', 'ALEX.SECOND@example.org'])
    expect(await importText('people', person(email))).toMatchObject({ added: 0, present: 1 });
});

it('an aircraft of a fleet file is known in every spelling of its tail, and refused twice in one file (B391)', async () => {
  const fleet = (...tails: string[]) =>
    ['Registration,Make,Model,Year', ...tails.map((tail) => `${tail},Cessna,152,1980`)].join('\n');
  expect(await importText('fleet', fleet('G-AAAA', 'N2'))).toMatchObject({ added: 2 });
  const again = await importText('fleet', fleet('GAAAA', 'n 2'));
  expect(again).toMatchObject({ added: 0, present: 2 });
  expect(again.remarks).toContain('GAAAA is G-AAAA, which is in the fleet.');
  expect(await importText('fleet', fleet('G-AAAB', 'G AAAB'))).toMatchObject({ refused: 1 });
});

it('who left comes once as a former person, whose flights count and who is undone with the file (B394)', async () => {
  const { admin, pilot } = school;
  const people = 'name,email,role,status\nCarla Alt,,student,Active\nDieter Weg,dieter@example.org,student,Resigned';
  expect(await importText('people', people)).toMatchObject({ added: 2, refused: 0 });
  expect(await importText('people', people)).toMatchObject({ added: 0, present: 2 });
  const left = async () => {
    const users = db.selectFrom('users').select(['name', 'password_hash']).where('school_id', '=', admin.schoolId);
    return (await users.where('deleted_at', 'is not', null).orderBy('id').execute()).map(Object.values);
  };
  expect(await left()).toEqual([
    ['Carla Alt', null],
    ['Dieter Weg', null],
  ]);
  const flown = await importFlights({ ...school, pilot: { ...pilot, username: 'Carla Alt' } }, [a]);
  expect(flown).toMatchObject({ state: 'applied', added: 1 });
  const imports = db.selectFrom('imports').select('id').where('school_id', '=', admin.schoolId);
  for (const { id } of await imports.where('state', '=', 'applied').orderBy('id', 'desc').execute())
    expect(await undo(db, admin, id)).toMatchObject({ state: 'undone', failure: null });
  expect(await left()).toEqual([]);
});

it('a row of another pilot than the flight that is there is different, with both names, and is not written (B1323)', async () => {
  await importFlights(school, [a, b]);
  const other = await makeUser(db, school.admin.schoolId, 'student');
  const seen = (of: School, flight: Flight) => previewImport(db, of.admin, logOf(of, [flight]), 'flights');
  const different = await seen({ ...school, pilot: other }, b);
  expect(different).toMatchObject({ added: 0, present: 0, different: 1, refused: 0, there: [] });
  expect(different.differences[0]?.message).toMatch(
    /^The flight of N1, .+ \(Hobbs 11\.00 to 11\.50\) is there: the pilot is /,
  );
  expect(different.differences[0]?.message).toContain(`${school.pilot.username} here, ${other.username} in the file.`);
  const present = await seen(school, a);
  expect(present).toMatchObject({ added: 0, present: 1, different: 0, differences: [] });
  expect(present.there[0]?.message).toMatch(/^The flight of N1, .+ \(Hobbs 10\.00 to 11\.00\) is there already\.$/);
});

it('who came along refuses no flight; without a role column all are told to be students (B1326)', async () => {
  const line = `2025-06-10,N1,${school.pilot.username},Karl Fluggast,10.0,11.0,10.0,11.0,09:00,10:00`;
  const log = (heading: string) => {
    const headings = `Date,Aircraft,Pilot,${heading},Hobbs Start,Hobbs End,Tach Start,Tach End,Start,End`;
    return previewImport(db, school.admin, { content: Buffer.from(`${headings}\n${line}`), name: 'a.csv' }, 'flights');
  };
  expect(await log('Begleiter/FI')).toMatchObject({
    ...{ added: 1, refused: 0 },
    remarks: [{ row: 2, message: 'Karl Fluggast is no instructor here: the flight comes without one.' }],
  });
  expect(await log('Instructor')).toMatchObject({ added: 0, refused: 1 });
  const people = { content: Buffer.from('Name,Email\nAnna,anna@club.example'), name: 'a.csv' };
  expect((await previewImport(db, school.admin, people, 'people')).remarks).toEqual([
    { row: 1, column: null, message: 'No column says a role: everybody is a student.' },
  ]);
});

it('filled columns whose headings no field has are named once for the file, unless they were left out (B1737)', async () => {
  const content = Buffer.from('Name,Email,Stato,Extra,Vuoto\nAnna,anna@club.example,dimesso,1,');
  const remarks = async (columns: Record<string, string>) => {
    const choices = { answers: { columns } };
    return (await previewImport(db, school.admin, { content, name: 'a.csv' }, 'people', choices)).remarks[0]?.message;
  };
  expect(await remarks({})).toBe("Left out, since no field has such a heading: 'Stato', 'Extra'.");
  expect(await remarks({ Stato: '' })).toBe("Left out, since no field has such a heading: 'Extra'.");
});

it('a squawk without a clock time is known by its day, so that a file of today is there already later (B349)', async () => {
  const text = `tailNumber,text,reportedAt\nN1,Radio,${new Date().toISOString().slice(0, 10)}`;
  expect(await importText('squawks', text)).toMatchObject({ added: 1 });
  // Two minutes sooner, but on the same day.
  await sql`update squawks set created_at = greatest(created_at - interval '2 minutes',
    date_trunc('day', created_at, 'UTC')) where school_id = ${school.admin.schoolId}`.execute(db);
  expect(await importText('squawks', text)).toMatchObject({ added: 0, present: 1 });
});

describe('any split of a log into files', () => {
  /** One after the other on both meters, some hours, days or a week apart. */
  const log = fc
    .array(
      fc.record({
        length: fc.integer({ min: 1, max: 20 }),
        wait: fc.constantFrom(0, 0, 30),
        days: fc.constantFrom(0, 0, 1, 1, 7),
      }),
      { minLength: 3, maxLength: 7 },
    )
    .map((steps) => {
      let last = flight(480, 1000, 1000, 1);
      return steps.map(({ length, wait, days }) => {
        const [day, minute] = days > 0 ? [last.day + days, 480] : [last.day, endOf(last) + wait];
        last = flight(minute, last.end, last.end + length, day);
        return last;
      });
    })
    .filter((flights) => flights.every(({ day }) => day <= 30));
  const windows = fc.array(fc.record({ from: fc.nat(), length: fc.nat() }), { minLength: 1, maxLength: 3 });
  const split = fc.record({
    by: fc.constantFrom('day', 'week', 'windows'),
    windows,
    order: fc.array(fc.nat(), { minLength: 7, maxLength: 7 }),
    isTimed: fc.array(fc.boolean(), { minLength: 7, maxLength: 7 }),
  });
  type Split = Parameters<Parameters<typeof split.map>[0]>[0];

  /** The files, in any order; windows may overlap, and leave flights out. */
  function filesOf(flights: Flight[], { by, windows: parts, order, isTimed }: Split) {
    const days = [...groupBy(flights, ({ day }) => (by === 'day' ? day : Math.floor(day / 7))).values()];
    const cut = parts.map(({ from, length }) => {
      const first = from % flights.length;
      return flights.slice(first, first + 1 + (length % flights.length));
    });
    return (by === 'windows' ? cut : days)
      .map((part, at) => ({ part, isTimed: isTimed[at] ?? true, place: order[at] ?? 0 }))
      .toSorted((one, other) => one.place - other.place);
  }

  const maybe = fc.option(fc.nat({ max: 6 }), { nil: undefined });

  // A thousand of them take longer than any other test.
  const timeout = takesAll ? 7_200_000 : undefined;

  it(
    'gives the same flights as the whole in any parts and order, beside check-ins, scans, corrections (B347)',
    { ...(timeout !== undefined && { timeout }) },
    async () => {
      await fc.assert(
        fc.asyncProperty(
          log,
          split,
          fc.array(fc.boolean(), { maxLength: 3 }),
          maybe,
          maybe,
          async (flights, how, isHere, saved, corrected) => {
            const [whole, parts] = [await newSchool(), await newSchool()];
            await importFlights(whole, flights);
            for (const one of flights.filter((_, at) => isHere[at])) await flyHere(parts, one);
            if (saved !== undefined && isHere.length === 0) await saveReading(parts, flights[saved % flights.length]);
            for (const [at, { part, isTimed }] of filesOf(flights, how).entries()) {
              expect(await importFlights(parts, part, { isTimed })).toMatchObject({ state: 'applied', refused: 0 });
              expect(await importFlights(parts, part, { isTimed, oddReadings: true })).toMatchObject({ added: 0 });
              if (at === 0 && corrected !== undefined) await correctEnd(part[corrected % part.length], parts, whole);
            }
            await importFlights(parts, flights);
            const again = await importFlights(parts, flights, { oddReadings: true });
            expect(again).toMatchObject({ added: 0, refused: 0, ...(corrected === undefined && { different: 0 }) });
            expect((await flightsOf(parts)).toSorted()).toEqual((await flightsOf(whole)).toSorted());
          },
        ),
        takesAll ? { numRuns: 1000 } : { seed: 1, numRuns: 10 },
      );
    },
  );
});
