import { beforeEach, expect, it } from 'vitest';
import type { Member } from '#app/domain/actor.ts';
import { closeFlight } from '#app/domain/flights/end-flight.server.ts';
import { type Answer } from '#tests/support/answers.ts';
import { testDatabase } from '#tests/support/database.ts';
import { makeFlight } from '#tests/support/flight.ts';
import { sendUntilServed } from '#tests/support/send-until-served.ts';
import { cookieOf, jsonRequest } from '#tests/support/requests.ts';
import { answerTo } from '#tests/support/routes.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';

const { db } = await testDatabase();
const schoolId = await makeSchool(db);

let pilot: Member;
let cookie: string;
let aircraftId: number;
beforeEach(async () => {
  pilot = await makeUser(db, schoolId);
  cookie = await cookieOf(db, pilot);
  aircraftId = await makeAircraft(db, schoolId);
});

function start(key: string, more: object = {}, as = cookie): Promise<Answer> {
  const body = { aircraftId, startHobbsTime: '100.0', startTachTime: '90.0', ...more };
  const request = () => jsonRequest('POST', '/api/flight-logs', body, as, { 'idempotency-key': key });
  return sendUntilServed(() => answerTo(request()));
}

const flightsOf = (user: Member) => db.selectFrom('flight_logs').selectAll().where('user_id', '=', user.id).execute();
const answersTo = (key: string) => db.selectFrom('idempotency_keys').selectAll().where('key', '=', key).execute();

it('the same request sent again gets its first answer, after the flight has ended and others, too (C58)', async () => {
  const [first, second] = [await start('again'), await start('again')];
  expect([first.status, second.status]).toEqual([201, 201]);
  expect(JSON.parse(String(second.body))).toEqual(JSON.parse(String(first.body)));
  expect(await flightsOf(pilot)).toHaveLength(1);
  await db
    .updateTable('flight_logs')
    .set({ end_hobbs: '101', end_tach: '91', completed_at: new Date(Date.now() + 1000), completed_by: pilot.id })
    .where('user_id', '=', pilot.id)
    .execute();
  const next = await start('next', { startHobbsTime: '101.0', startTachTime: '91.0' });
  expect(JSON.parse(String(next.body)).id).not.toBe(JSON.parse(String(first.body)).id);
  expect(JSON.parse(String((await start('again')).body))).toEqual(JSON.parse(String(first.body)));
  expect(await flightsOf(pilot)).toHaveLength(2);
});

it('fifty of the same request at once have one effect, and all get its answer (C58)', async () => {
  const answers = await Promise.all(Array.from({ length: 50 }, () => start('fifty')));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
  expect(new Set(answers.map(({ body }) => JSON.parse(String(body)).id)).size).toBe(1);
  expect(await flightsOf(pilot)).toHaveLength(1);
});

it('a request with other contents under the same key is 422 (C58)', async () => {
  await start('other');
  expect(await start('other', { startHobbsTime: '100.1' })).toMatchObject({
    status: 422,
    body: 'This request was already sent with other contents.',
  });
  expect(await flightsOf(pilot)).toMatchObject([{ start_hobbs: '100.0' }]);
});

it('the same key sent by another user is another request, each with its own answer again (C58)', async () => {
  const report = async (as: string) => {
    const body = { aircraftId, text: 'Flat tyre' };
    const request = jsonRequest('POST', '/api/squawks', body, as, { 'idempotency-key': 'common' });
    const answer = await sendUntilServed(() => answerTo(request.clone()));
    return Number(JSON.parse(String(answer.body)).id);
  };
  const others = await cookieOf(db, await makeUser(db, schoolId));
  const [own, theirs] = [await report(cookie), await report(others)];
  expect(theirs).not.toBe(own);
  expect([await report(cookie), await report(others)]).toEqual([own, theirs]);
});

it('an Idempotency-Key that is none is refused; a request that was refused may be sent again with its key (C58)', async () => {
  const refused = { status: 400, body: 'The Idempotency-Key must have 1 to 200 visible characters.' };
  for (const key of ['', ' ', 'x'.repeat(201), 'a b']) expect(await start(key), key).toMatchObject(refused);
  expect(await flightsOf(pilot)).toEqual([]);
  await db.updateTable('aircraft').set({ maintenance_since: new Date() }).where('id', '=', aircraftId).execute();
  expect((await start('refused')).status).toBe(409);
  expect(await answersTo('refused')).toEqual([]);
  await db.updateTable('aircraft').set({ maintenance_since: null }).where('id', '=', aircraftId).execute();
  expect((await start('refused')).status).toBe(201);
});

const ends = { endHobbsTime: '101.2', endTachTime: '91.0' };
const said = { ...ends, notes: 'Flat tyre', groundSchoolTime: '0.5', fuelRecords: [{ refueled: true }] };

async function complete(flight: number, body: object) {
  const answer = await answerTo(jsonRequest('POST', `/api/flight-logs/${flight}/complete`, body, cookie));
  return [answer.status, String(answer.body)];
}

const ended = [409, 'This flight has already been completed.'];

it('a check-in whose answer was lost is answered again, and one that says more is refused (B1655, C58)', async () => {
  const flight = await makeFlight(db, pilot, aircraftId);
  expect((await complete(flight, said))[0]).toBe(200);
  for (const again of [said, ends, { ...said, endHobbsTime: '101.20' }])
    expect((await complete(flight, again))[0]).toBe(200);
  const teacher = await makeUser(db, schoolId, 'instructor');
  const more: object[] = [
    ...[{ unsafe: true }, { notes: 'Left brake soft' }, { instructorId: teacher.id }, { groundSchoolTime: '1' }],
    ...[{ startHobbsTime: '99.9' }, { fuelRecords: [{ refueled: true }, { oilAdded: true, oilQuantity: 1 }] }],
    { meterChanges: { hobbs: { oldLast: '100.5', newFirst: '100.5', reason: 'replaced' } } },
  ];
  for (const one of more) expect(await complete(flight, { ...said, ...one }), JSON.stringify(one)).toEqual(ended);
});

it('a check-in of a flight that was closed on behalf with its readings is refused (B1655, B1254)', async () => {
  const flight = await makeFlight(db, pilot, aircraftId);
  const admin = await makeUser(db, schoolId, 'administrator');
  await closeFlight(db, admin, flight, { ...ends, reason: 'Left for home' });
  expect(await complete(flight, { ...ends, notes: 'Brakes fail', unsafe: true })).toEqual(ended);
  expect(await complete(flight, ends)).toEqual(ended);
});
