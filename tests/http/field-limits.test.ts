import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import { completed, makeFlight, makeInvitation, type Member, testDatabase } from '#tests/support/makers.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';
import { type Answer, answerTo, cookieOf, formRequest, getRequest, jsonRequest } from '#tests/support/ask.ts';
import { nightly } from '#tests/support/takes-all.ts';
import { makeScan } from '#tests/support/scanned-photo.ts';

const { db } = await testDatabase();

let schoolId: number, admin: Member, cookie: string;
beforeEach(async () => {
  schoolId = await makeSchool(db);
  admin = await makeUser(db, schoolId, 'administrator');
  cookie = await cookieOf(db, admin);
});

const post = (path: string, fields: Record<string, string>, as = cookie) => answerTo(formRequest(path, fields, as));
const send = (path: string, body: unknown, as = cookie, headers = {}) =>
  answerTo(jsonRequest('POST', path, body, as, headers));

/** Text of this length that nobody else has. */
const long = (length: number) => randomUUID().padEnd(length, 'x').slice(0, length);

/** An address of this length, in parts as long as a name server takes. */
function address(length: number): string {
  const host = `${'h'.repeat(60)}.`.repeat(4).slice(0, length - 49 - '.example'.length);
  return `${long(48)}@${host.padEnd(length - 49 - '.example'.length, 'h')}.example`;
}

const user = (more: object) => ({
  username: long(20),
  email: `${long(20)}@b.example`,
  password: 'gull-9',
  role: 'student',
  ...more,
});
const plane = (more: object) => ({ tailNumber: long(8), make: 'Cessna', model: '172S', year: 2004, ...more });
const school = (more: object) => ({ name: 'Cascade', address: '1 Field Road', phone: '555 0100', ...more });
const invite = (more: object) => ({ name: 'Ben', email: `${long(20)}@b.example`, role: 'student', ...more });
const register = async (more: object) => {
  const { token } = await makeInvitation(db, admin);
  return send('/api/register', { invitationToken: token, username: long(20), password: 'gull-9', ...more }, '');
};
const complete = async (more: object) => {
  const pilot = await makeUser(db, schoolId);
  const id = await makeFlight(db, pilot, await makeAircraft(db, schoolId));
  const ends = { endHobbsTime: '101.2', endTachTime: '91.0' };
  return send(`/api/flight-logs/${id}/complete`, { ...ends, ...more }, await cookieOf(db, pilot));
};
const save = (more: object) => answerTo(jsonRequest('PUT', '/api/flight-school', school(more), cookie));

async function end(way: 'close' | 'cancel', reason: string): Promise<Answer> {
  const id = await makeFlight(db, await makeUser(db, schoolId), await makeAircraft(db, schoolId));
  return post(`/flight-logs/${id}/${way}`, { endHobbsTime: '101.2', endTachTime: '91.0', reason });
}

async function correct(reason: string): Promise<Answer> {
  const landed = completed('2026-05-12T08:00:00Z', '2026-05-12T09:00:00Z');
  const id = await makeFlight(db, admin, await makeAircraft(db, schoolId), landed);
  const readings = { startHobbsTime: '100.0', startTachTime: '90.0', endHobbsTime: '101.1', endTachTime: '91.0' };
  return post(`/flight-logs/${id}/correct`, { intent: 'preview', ...readings, reason });
}

async function saveLower(reason: string): Promise<Answer> {
  const aircraft_id = await makeAircraft(db, schoolId, { last_hobbs: '200.0' });
  const id = await makeScan(db, admin, aircraft_id, { detected_text: '199.0' });
  return post(`/ocr/${id}/save`, { reason });
}

type Case = [what: string, atMost: number, send: (text: string) => Promise<Answer>, taken: number, words?: string];
const AT_MOST_500 = 'The reason may have at most 500 characters';

it.each<Case>([
  ['a username', 100, (username) => send('/api/register', user({ username })), 201],
  ['a password', 1024, (password) => send('/api/register', user({ password })), 201],
  ['an invited username', 100, (username) => register({ username }), 201],
  ['an invited password', 1024, (password) => register({ password }), 201],
  ['a username at sign-in', 1024, (username) => send('/api/login', { username, password: 'x' }), 401],
  ['a password at sign-in', 1024, (password) => send('/api/login', { username: 'nobody', password }), 401],
  ['an invited name', 100, (name) => send('/api/invitations', invite({ name })), 201],
  ['a tail number', 50, (tailNumber) => send('/api/aircraft', plane({ tailNumber })), 201],
  ['a make', 200, (make) => send('/api/aircraft', plane({ make })), 201],
  ['a model', 200, (model) => send('/api/aircraft', plane({ model })), 201],
  ["a school's name", 500, (name) => save({ name }), 200],
  ["a school's address", 500, (address) => save({ address }), 200],
  ["a school's phone number", 500, (phone) => save({ phone }), 200],
  ['notes', 20_000, (notes) => complete({ notes }), 200, 'Notes may have at most 20000 characters'],
  [
    'fuel notes',
    20_000,
    (notes) => complete({ fuelRecords: [{ notes }] }),
    200,
    'Fuel notes may have at most 20000 characters',
  ],
  ['a reason to close', 500, (reason) => end('close', reason), 303, AT_MOST_500],
  ['a reason to cancel', 500, (reason) => end('cancel', reason), 303, AT_MOST_500],
  ['a reason to correct', 500, correct, 200, AT_MOST_500],
  ['a reason for a lower reading', 500, saveLower, 303, AT_MOST_500],
  [
    'an idempotency key',
    200,
    (key) => send('/api/aircraft', plane({}), cookie, { 'idempotency-key': key }),
    201,
    'The Idempotency-Key must have 1 to 200 visible characters.',
  ],
])('%s has at most %i characters (C59)', async (_, atMost, sendText, taken, words = `At most ${atMost} characters`) => {
  for (const length of [atMost - 1, atMost]) expect((await sendText(long(length))).status, `${length}`).toBe(taken);
  const refused = await sendText(long(atMost + 1));
  expect(refused.status).toBe(400);
  expect(JSON.stringify(refused.body)).toContain(words);
});

it('an email has at most 254 characters, and a password at least 6, whoever chooses it (B073, B114, B219, B305)', async () => {
  const statuses = async (values: string[], choose: (value: string) => Promise<Answer>) => {
    const answers = [];
    for (const value of values) answers.push((await choose(value)).status);
    return answers;
  };
  const emails = [253, 254, 255].map(address);
  expect(await statuses(emails, (email) => send('/api/register', user({ email })))).toEqual([201, 201, 400]);
  const others = [253, 254, 255].map(address);
  expect(await statuses(others, (email) => send('/api/invitations', invite({ email })))).toEqual([201, 201, 400]);
  const passwords = ['gull9', 'gull-9', 'gull-99'];
  const added = await statuses(passwords, (password) => send('/api/register', user({ password })));
  expect(added).toEqual([400, 201, 201]);
  expect(await statuses(passwords, (password) => register({ password }))).toEqual([400, 201, 201]);
});

const start = async (more: object) => {
  const pilot = await makeUser(db, schoolId);
  const body = {
    aircraftId: await makeAircraft(db, schoolId),
    startHobbsTime: '100.0',
    startTachTime: '90.0',
    ...more,
  };
  return send('/api/flight-logs', body, await cookieOf(db, pilot));
};

it('readings, oil, ground school and clock times have bounds (B198, B206, C40, C43, C51, C52)', async () => {
  for (const meter of ['Hobbs', 'Tach']) {
    const startStatus = async (reading: string) => (await start({ [`start${meter}Time`]: reading })).status;
    for (const reading of ['0', '0.01', '999999.98', '999999.99'])
      expect(await startStatus(reading), reading).toBe(201);
    for (const reading of ['-0.01', '0.001', '999999.991', '1000000', '1000000.00'])
      expect(await startStatus(reading), reading).toBe(400);
    const endStatus = async (reading: string) => (await complete({ [`end${meter}Time`]: reading })).status;
    for (const reading of ['999999.98', '999999.99']) expect(await endStatus(reading), reading).toBe(200);
    for (const reading of ['999999.991', '1000000']) expect(await endStatus(reading), reading).toBe(400);
  }
  const oil = async (oilQuantity: number) =>
    (await complete({ fuelRecords: [{ oilAdded: true, oilQuantity }] })).status;
  for (const quarts of [0, 0.1, 99_998.9, 99_999]) expect(await oil(quarts), `${quarts}`).toBe(200);
  for (const quarts of [-0.1, 99_999.1, 100_000]) expect(await oil(quarts), `${quarts}`).toBe(400);
  for (const groundSchoolTime of ['0', '0.25', '2.75', '3'])
    expect((await complete({ groundSchoolTime })).status).toBe(200);
  for (const groundSchoolTime of ['-0.25', '0.24', '3.01', '3.25']) {
    expect(await complete({ groundSchoolTime })).toMatchObject({ status: 400, body: 'Invalid ground school time' });
  }
  const instructorId = (await makeUser(db, schoolId, 'instructor')).id;
  for (const name of ['instructorTimeIn', 'instructorTimeOut']) {
    for (const time of ['00:00', '23:59', '19:59', '20:00']) {
      expect((await complete({ instructorId, [name]: time })).status, time).toBe(200);
    }
    for (const time of ['24:00', '23:60', '-1:00', '9:00']) {
      expect(await complete({ instructorId, [name]: time })).toMatchObject({
        status: 400,
        body: 'Times must be given as HH:MM',
      });
    }
  }
});

nightly('a check-in has at most 20 fuel records (B267)', async () => {
  const records = (count: number) =>
    complete({ fuelRecords: Array.from({ length: count }, () => ({ refueled: true })) });
  expect([(await records(19)).status, (await records(20)).status]).toEqual([200, 200]);
  expect(await records(21)).toMatchObject({ status: 400, body: 'At most 20 fuel records' });
});

nightly('an id is at most 2147483647, and none beyond is a failure (B259)', async () => {
  for (const path of ['/api/flight-logs', '/api/aircraft', '/api/users', '/api/invitations', '/photos', '/ocr']) {
    for (const id of ['0', '2147483647', '2147483648', '99999999999999999999']) {
      const tail = path === '/ocr' ? '/save' : '';
      const request = /aircraft|users|invitations/.test(path)
        ? jsonRequest('DELETE', `${path}/${id}`, undefined, cookie)
        : getRequest(`${path}/${id}${tail}`, cookie);
      expect((await answerTo(request)).status, `${path}/${id}`).toBe(404);
    }
  }
  expect((await start({ aircraftId: 2_147_483_647 })).status).toBe(404);
  expect((await start({ aircraftId: 2_147_483_648 })).status).toBe(400);
});

const roles = ['administrator', 'instructor', 'student'];

it('roles are exactly administrator, instructor and student, for added users and for invited ones (B307, B115)', async () => {
  for (const role of roles) {
    expect((await send('/api/register', user({ role }))).status, role).toBe(201);
    expect((await send('/api/invitations', invite({ role }))).status, role).toBe(201);
  }
  for (const role of ['pilot', 'owner', 'Administrator', 'admin', ' student', '', null, 0, ['student']]) {
    expect(await send('/api/register', user({ role }))).toMatchObject({ status: 400, body: 'Please select a role' });
    expect((await send('/api/invitations', invite({ role }))).status, String(role)).toBe(400);
  }
});
