import { afterAll, beforeAll, expect, it } from 'vitest';
import { findFaults } from '#db/doctor/find-faults.ts';
import { type PreviousServer, startPreviousRelease } from '#tests/support/previous-release.ts';
import { makeSchool, makeUser, PASSWORD } from '#tests/support/school.ts';
import { startServer, type TestServer } from '#tests/support/server.ts';

let today: TestServer;
let yesterday: PreviousServer;

beforeAll(async () => {
  today = await startServer({ LOG_LEVEL: 'warn' });
  yesterday = await startPreviousRelease(today.databaseUrl);
});
afterAll(async () => {
  await yesterday.stop();
  await today.stop();
});

const SCREENS = [
  ...['/', '/airplanes', '/airplanes/add', '/users', '/users/add', '/users/invitations', '/ocr', '/ocr/history'],
  ...['/flight-log', '/flight-logs', '/school-settings', '/activity', '/account'],
];

/** What one version answers to a user; a status below 400 is what the test is about. */
function client(url: string, cookie = '') {
  const send = async (method: string, address: string, body?: object) => {
    const response = await fetch(url + address, {
      method,
      redirect: 'manual',
      headers: { cookie, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      text,
      cookie: response.headers
        .getSetCookie()
        .map((each) => each.split(';')[0])
        .join('; '),
    };
  };
  const ask = async (method: string, address: string, body?: object) => {
    const { status, text } = await send(method, address, body);
    if (status >= 400) throw new Error(`${method} ${address}: ${status} ${text}`);
    return text.startsWith('{') ? JSON.parse(text) : text;
  };
  return { send, ask };
}

async function signedIn(url: string, username: string) {
  const { status, cookie } = await client(url).send('POST', '/api/login', { username, password: PASSWORD });
  expect(status).toBe(200);
  return { cookie, ...client(url, cookie) };
}

it('the previous release and this one share one database, and each goes on with what the other began (B526, B1222)', async () => {
  const schoolId = await makeSchool(today.db);
  const { username } = await makeUser(today.db, schoolId, 'administrator');
  const there = await signedIn(yesterday.url, username);
  const here = client(today.url, there.cookie);
  for (const [out, back] of [
    [there, here],
    [here, there],
  ] as const) {
    const tailNumber = out === there ? 'N1' : 'N2';
    const aircraft = await out.ask('POST', '/api/aircraft', { tailNumber, make: 'Cessna', model: '172S', year: 2004 });
    const start = { aircraftId: aircraft.id, startHobbsTime: '100.0', startTachTime: '90.0' };
    const flight = await out.ask('POST', '/api/flight-logs', start);
    expect((await back.send('POST', '/api/flight-logs', start)).status).toBe(409);
    await back.ask('POST', `/api/flight-logs/${flight.id}/complete`, { endHobbsTime: '101.2', endTachTime: '91.0' });
    await out.ask('PUT', `/api/aircraft/${aircraft.id}/status`, { status: 'maintenance' });
    await back.ask('PUT', `/api/aircraft/${aircraft.id}/status`, { status: null });
    await out.ask('POST', '/api/invitations', { name: 'Ben', email: `${tailNumber}@invited.example`, role: 'student' });
    const pilot = {
      username: `pilot of ${tailNumber}`,
      email: `${tailNumber}@pilot.example`,
      password: 'a long one, hard to guess',
    };
    const { id } = await out.ask('POST', '/api/register', { ...pilot, role: 'student' });
    await back.ask('DELETE', `/api/users/${id}`);
    await out.ask('PUT', '/api/flight-school', {
      name: `School of ${tailNumber}`,
      address: '1 Field Road',
      phone: '555 0100',
    });
    const csv = await back.ask('GET', '/api/flight-logs/export');
    expect(csv).toContain(tailNumber);
  }
  for (const screen of SCREENS) expect([screen, (await there.send('GET', screen)).status]).toEqual([screen, 200]);
  expect((await there.send('POST', '/api/logout')).status).toBeLessThan(400);
  expect((await here.send('GET', '/api/user')).status).toBe(401);
  // Administrators are mailed by today's release alone.
  const invited = today.db.selectFrom('mail_outbox').where('to_address', 'like', '%@invited.example');
  const attempts = () => invited.select(['attempts', 'written_to_file']).execute();
  const once = { attempts: 1, written_to_file: true };
  await expect.poll(attempts, { timeout: 120_000 }).toEqual([once, once]);
  expect(await findFaults(today.db)).toEqual([]);
  expect(yesterday.output()).not.toContain('"level":50');
});
