import { beforeEach, expect, it } from 'vitest';
import { makeAircraft, makeFlight, makeSchool, makeUser, type Member, testDatabase } from '#tests/support/makers.ts';
import { type Answer, answerTo, cookieOf, jsonRequest, multipartRequest } from '#tests/support/ask.ts';
import { nightly } from '#tests/support/takes-all.ts';
import { closeFlight } from '#app/domain/flights/end-flight.server.ts';
import { sendUntilServed } from '#tests/support/send-until-served.ts';
import { randomUUID } from 'node:crypto';
import { codedMeter } from '#tests/support/coded-meter.ts';

const { db } = await testDatabase();
const schoolId = await makeSchool(db);
const admin = await makeUser(db, schoolId, 'administrator');

let pilot: Member, cookie: string, aircraftId: number;
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

const scans = () => db.selectFrom('scans').select('id').where('aircraft_id', '=', aircraftId).execute();

const send = async (path: string, fields: Record<string, string | File>) =>
  (await answerTo(multipartRequest(path, fields, cookie))).status;

const photo = async (digits: string) => new File([new Uint8Array(await codedMeter(digits))], 'meter.jpg');

const screens: [string, string, () => Promise<[string, Record<string, string>]>][] = [
  ['check-out', 'start', async () => ['/flight-log?step=1', { aircraftId: String(aircraftId) }]],
  ['check-in', 'end', async () => [`/flight-log/${await makeFlight(db, pilot, aircraftId)}/post-check`, {}]],
];

it.each(screens)('the photo of a %s form sent twice with one request id is one scan (B504)', async (_, when, where) => {
  const [path, own] = await where();
  const fields = {
    ...own,
    intent: 'read-hobbs',
    requestId: randomUUID(),
    [`${when}HobbsPhoto`]: await photo('12345'),
  };
  expect([await send(path, fields), await send(path, fields)]).toEqual([303, 303]);
  expect(await scans()).toHaveLength(1);
  expect(await Promise.all([send(path, fields), send(path, fields)])).toEqual([303, 303]);
  expect(await scans()).toHaveLength(1);
});

nightly('another photo under the request id of a page that was gone back to is another scan (B504)', async () => {
  const fields = { aircraftId: String(aircraftId), intent: 'read-hobbs', requestId: randomUUID() };
  for (const digits of ['12345', '12346'])
    expect(await send('/flight-log?step=1', { ...fields, startHobbsPhoto: await photo(digits) })).toBe(303);
  expect(await scans()).toHaveLength(2);
});

const set = async (status: 'maintenance' | null, key: string) => {
  const headers = { 'idempotency-key': `${key}-${aircraftId}` };
  return (
    await answerTo(
      jsonRequest('PUT', `/api/aircraft/${aircraftId}/status`, { status }, await cookieOf(db, admin), headers),
    )
  ).body;
};

it('a repeated change of status answers with what the status is now, and changes nothing (B505)', async () => {
  expect(JSON.parse(String(await set('maintenance', 'first')))).toMatchObject({ status: 'maintenance' });
  expect(JSON.parse(String(await set(null, 'second')))).toMatchObject({ status: null });
  expect(JSON.parse(String(await set('maintenance', 'first')))).toMatchObject({ status: null });
  const row = await db.selectFrom('aircraft').selectAll().where('id', '=', aircraftId).executeTakeFirstOrThrow();
  expect(row.maintenance_since).toBeNull();
});

nightly('a repeated change of status of an aircraft that is deleted since is 404 (B505)', async () => {
  await set('maintenance', 'first');
  await db.updateTable('aircraft').set({ deleted_at: new Date() }).where('id', '=', aircraftId).execute();
  expect(await set('maintenance', 'first')).toBe('Aircraft not found');
});
