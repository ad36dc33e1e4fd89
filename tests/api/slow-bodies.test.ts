import { beforeEach, expect, it } from 'vitest';
import { makeInvitation, makeSchool, makeUser, type Member, testDatabase } from '#tests/support/makers.ts';
import { revokeSessions } from '#tests/support/sessions.ts';
import { answerTo, cookieOf, jsonRequest } from '#tests/support/ask.ts';
import { API_CALLS } from '#app/server/contract/calls.server.ts';
import { drawn } from '#tests/support/drawn.ts';
import { apiRows } from '#tests/support/matrix/api-rows.ts';
import { matrixFixtures } from '#tests/support/matrix/fixtures.ts';
import { storedRows } from '#tests/support/stored-rows.ts';

const { db } = await testDatabase();
const rows = apiRows(matrixFixtures(db));
const FIRST_BYTES = 3;

/** Every call of the contract with a body that needs a session, with the row that sends it. */
const calls = API_CALLS.filter(({ method, path, body }) => body && method !== 'get' && path !== '/api/login').map(
  ({ method, path }) => {
    const name = `${method.toUpperCase()} ${path.replace(/\{\w+\}/g, ':id')}`;
    return { name, row: rows.find((row) => row.name === name) };
  },
);

let user: Member, cookie: string;
beforeEach(async () => {
  user = await makeUser(db, await makeSchool(db), 'administrator');
  cookie = await cookieOf(db, user);
});

it('each call with a body is refused and stores nothing if the session ends while it is under way (B413)', async () => {
  expect(calls.length).toBeGreaterThanOrEqual(8);
  expect(calls.filter(({ row }) => !row)).toEqual([]);
  for (const { name, row } of drawn(calls, 6, 'calls')) {
    if (!row) throw new Error('no such row');
    user = await makeUser(db, user.schoolId, 'administrator');
    cookie = await cookieOf(db, user);
    const id = row.id ? String(await row.id.own(user)) : '';
    const slow = await withSlowBody(row.valid(id)(cookie));
    const answer = answerTo(slow.request);
    await slow.sendStart();
    await revokeSessions(db, user);
    const before = await storedRows(db);
    slow.sendRest();
    expect([name, (await answer).status]).toEqual([name, 401]);
    expect(await storedRows(db), name).toEqual(before);
  }
});

it('an invitation that is withdrawn while the body is under way registers nobody (B413, B417)', async () => {
  const { id, token } = await makeInvitation(db, user);
  const body = { invitationToken: token, username: 'late', password: 'long enough' };
  const slow = await withSlowBody(jsonRequest('POST', '/api/register', body));
  const answer = answerTo(slow.request);
  await slow.sendStart();
  await db.deleteFrom('invitations').where('id', '=', id).execute();
  const before = await storedRows(db);
  slow.sendRest();
  expect((await answer).status).toBe(404);
  expect(await storedRows(db)).toEqual(before);
});

/** The same request, whose body comes in two parts. */
async function withSlowBody(request: Request) {
  const body = new Uint8Array(await request.clone().arrayBuffer());
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  return {
    request: new Request(request.url, {
      method: request.method,
      headers: request.headers,
      body: readable,
      duplex: 'half',
    }),
    /** Until the server has read it. */
    sendStart: () => writer.write(body.slice(0, FIRST_BYTES)),
    sendRest: () => void writer.write(body.slice(FIRST_BYTES)).then(() => writer.close()),
  };
}
