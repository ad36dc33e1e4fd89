import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { connect } from '#db/connect.server.ts';
import type { Member } from '#app/domain/actor.ts';
import { findAircraft, lockAircraft } from '#app/domain/aircraft/queries.server.ts';
import { startFlight } from '#app/domain/flights/start-flight.server.ts';
import { toErrorView } from '#app/server/error-responses.server.ts';
import { type Answer } from '#tests/support/answers.ts';
import { testDatabase } from '#tests/support/database.ts';
import { makeFlight } from '#tests/support/flight.ts';
import { sendUntilServed } from '#tests/support/send-until-served.ts';
import { cookieOf, formRequest, jsonRequest } from '#tests/support/requests.ts';
import { answerTo } from '#tests/support/routes.ts';
import { takesAll } from '#tests/support/takes-all.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';

// Everybody presses at once: far more than the pool has connections, through the routes, against a real Postgres.
const AT_ONCE = takesAll ? 50 : 20;

const { db, url } = await testDatabase();

interface Person {
  user: Member;
  cookie: string;
}

const schoolId = await makeSchool(db);
const crowd = await Promise.all(Array.from({ length: AT_ONCE }, () => person('student')));
const admin = await person('administrator');
let aircraftId: number;
beforeEach(async () => {
  await voidOpenFlights();
  aircraftId = await makeAircraft(db, schoolId);
});

it('of many pilots who start with one aircraft at once, by call or wizard, one flies (B315, B290, C02)', async () => {
  const starts = crowd.map((pilot, index) => (index % 2 ? start(pilot) : startByForm(pilot)));
  const { 201: byCall = 0, 303: byForm = 0, ...refused } = counted(await Promise.all(starts));
  expect([byCall + byForm, refused]).toEqual([1, { '409 This aircraft is already checked out.': AT_ONCE - 1 }]);
  expect(await flights()).toHaveLength(1);
});

it('a start that waits for its aircraft longer than a statement may take is 503, in words that are true (B503)', async () => {
  const { user } = await person('student');
  const impatient = connect(url, { statementTimeoutMs: 100 });
  const input = { aircraftId, startHobbsTime: '100.0', startTachTime: '90.0' };
  await db.transaction().execute(async (trx) => {
    await lockAircraft(trx, schoolId, aircraftId);
    const error = await startFlight(impatient, user, input).catch((thrown: unknown) => thrown);
    const text = 'The database took too long to answer. Please try again in a moment.';
    expect(toErrorView(error)).toEqual({ status: 503, text, fields: {}, headers: { 'retry-after': '1' } });
  });
  await impatient.destroy();
  expect(await flights()).toEqual([]);
});

it('an aircraft set to maintenance amid many starts has a flight only where the start came first (B289, B317, C05)', async () => {
  // The grounding comes first, last and in between.
  for (const turn of [0, 1, 7, AT_ONCE / 2, AT_ONCE]) {
    aircraftId = await makeAircraft(db, schoolId);
    const before = crowd.slice(0, turn).map((pilot) => start(pilot));
    const grounding = ground(admin);
    const after = crowd.slice(turn).map((pilot) => start(pilot));
    const answers = await Promise.all([...before, ...after]);
    const { status } = JSON.parse(String((await grounding).body));

    const started = answers.filter((answer) => answer.status === 201).length;
    expect(status).toBe(started === 1 ? 'checked_out' : 'maintenance');
    expect(answers.filter((answer) => answer.status === 409)).toHaveLength(AT_ONCE - started);
    expect(await flights()).toHaveLength(started);
    await voidOpenFlights();
  }
  await ground(admin);
  const message = 'This aircraft is currently under maintenance and cannot be used for flights.';
  expect(counted(await Promise.all(crowd.map((pilot) => start(pilot))))).toEqual({ [`409 ${message}`]: AT_ONCE });
});

it('a pilot who starts with many aircraft at once flies one, and the rest stay available (B316, B288, C02)', async () => {
  const pilot = await person('student');
  const fleet = await Promise.all(Array.from({ length: AT_ONCE }, () => makeAircraft(db, schoolId)));
  const answers = await Promise.all(fleet.map((id) => start(pilot, { aircraftId: id })));
  const message =
    'You have an active flight in progress. Please complete your current flight before starting a new one.';
  expect(counted(answers)).toEqual({ 201: 1, [`409 ${message}`]: AT_ONCE - 1 });
  const statuses = await Promise.all(fleet.map((id) => findAircraft(db, schoolId, id)));
  expect(statuses.filter((aircraft) => aircraft?.status === 'checked_out')).toHaveLength(1);
});

describe('one flight, many completions', () => {
  let pilot: Person;
  let flightId: number;
  beforeEach(async () => {
    pilot = await person('student');
    flightId = await makeFlight(db, pilot.user, aircraftId);
  });

  it('many completions of a flight at once with the same readings all get the answer that counted (B318, C58)', async () => {
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => complete(pilot, flightId)));
    expect(counted(answers)).toEqual({ 200: AT_ONCE });
    expect(new Set(answers.map(({ body }) => JSON.parse(String(body)).completedAt)).size).toBe(1);
    await expectFreedOnce('101.2');
  });

  it('of many completions of a flight at once with different readings, one counts, and the others are 409 (B318)', async () => {
    const readings = Array.from({ length: AT_ONCE }, (_, index) => `10${1 + (index % 9)}.${index % 10}`);
    const answers = await Promise.all(readings.map((endHobbsTime) => complete(pilot, flightId, { endHobbsTime })));
    const won = answers.filter(({ status }) => status === 200).map(({ body }) => JSON.parse(String(body)).endHobbsTime);
    const [reading = ''] = won;
    expect(new Set(won)).toEqual(new Set([reading]));
    expect(won).toHaveLength(readings.filter((typed) => typed === reading).length);
    const lost = AT_ONCE - won.length;
    expect(counted(answers)).toEqual({ 200: won.length, '409 This flight has already been completed.': lost });
    await expectFreedOnce(reading);
  });

  it('a flight completed by API call and by form at once is completed once, while the next pilot starts (B318)', async () => {
    const next = await person('student');
    const form = { endHobbsTime: '101.2', endTachTime: '91.0', notes: 'Flat tyre', refueled: 'on' };
    const path = `/flight-log/${flightId}/post-check`;
    const completions = Array.from({ length: AT_ONCE / 2 }, () => [
      complete(pilot, flightId, { notes: 'Flat tyre', fuelRecords: [{ refueled: true }] }),
      sendUntilServed(() => answerTo(formRequest(path, form, pilot.cookie))),
    ]).flat();
    const waiting = start(next, { startHobbsTime: '101.2', startTachTime: '91.0' });
    expect(new Set((await Promise.all(completions)).map(({ status }) => status))).toEqual(new Set([200, 303]));
    expect([201, 409]).toContain((await waiting).status);
    const fuel = db.selectFrom('fuel_records').select('id').where('flight_log_id', '=', flightId);
    expect(await fuel.execute()).toHaveLength(1);
    expect((await flights())[0]).toMatchObject({ id: flightId, notes: 'Flat tyre', end_hobbs: '101.2' });
  });

  async function expectFreedOnce(lastHobbs: string) {
    expect(await findAircraft(db, schoolId, aircraftId)).toMatchObject({ status: null, lastHobbsTime: lastHobbs });
    expect(await flights()).toMatchObject([{ end_hobbs: lastHobbs, completed_by: pilot.user.id }]);
    const another = await person('student');
    expect((await start(another)).status).toBe(201);
  }
});

async function person(role: Member['role']): Promise<Person> {
  const user = await makeUser(db, schoolId, role);
  return { user, cookie: await cookieOf(db, user) };
}

function start({ cookie }: Person, more: object = {}): Promise<Answer> {
  const body = { aircraftId, startHobbsTime: '100.0', startTachTime: '90.0', ...more };
  return sendUntilServed(() => answerTo(jsonRequest('POST', '/api/flight-logs', body, cookie)));
}

function startByForm({ cookie }: Person): Promise<Answer> {
  const fields = { aircraftId: String(aircraftId), startHobbsTime: '100.0', startTachTime: '90.0' };
  return sendUntilServed(() => answerTo(formRequest('/flight-log?step=2', fields, cookie)));
}

function complete({ cookie }: Person, id: number, more: object = {}): Promise<Answer> {
  const body = { endHobbsTime: '101.2', endTachTime: '91.0', ...more };
  const request = () => jsonRequest('POST', `/api/flight-logs/${id}/complete`, body, cookie);
  return sendUntilServed(() => answerTo(request()));
}

function ground({ cookie }: Person): Promise<Answer> {
  const id = aircraftId;
  const request = () => jsonRequest('PUT', `/api/aircraft/${id}/status`, { status: 'maintenance' }, cookie);
  return sendUntilServed(() => answerTo(request()));
}

function voidOpenFlights() {
  return sql`update flight_logs set voided_at = now(), voided_by = user_id, void_reason = 'The next turn begins'
    where school_id = ${schoolId} and voided_at is null and completed_at is null`.execute(db);
}

/** How often each answer was given, by status, refusals by message too. */
function counted(answers: Answer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, body } of answers) {
    const name = status < 400 ? String(status) : `${status} ${wordsOf(body)}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

/** An API call is refused in plain text, a form by its page's toast. */
function wordsOf(body: unknown): string {
  return typeof body === 'string' ? body : z.object({ toast: z.object({ text: z.string() }) }).parse(body).toast.text;
}

function flights() {
  const ofAircraft = db.selectFrom('flight_logs').selectAll().where('aircraft_id', '=', aircraftId);
  return ofAircraft.where('voided_at', 'is', null).orderBy('id').execute();
}
