import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Member } from '#app/domain/actor.ts';
import { findDraft, saveDraft } from '#app/domain/drafts.server.ts';
import { checkInDraftKey } from '#app/domain/flights/record-end.server.ts';
import { CHECK_OUT_DRAFT_KEY } from '#app/domain/flights/start-flight.server.ts';
import { photoQueue, runPhotoWorkInTurn } from '#app/domain/turns/queues.server.ts';
import { texts } from '#app/domain/texts.ts';
import { markAsKept } from '#app/service-worker/kept-pages.ts';
import { AS_OF_HEADER, FOR_KEEPING_HEADER, KEPT_FOR_HEADER } from '#app/service-worker/requests.ts';
import { handleRequest } from '#tests/support/app-handler.ts';
import { keptCookies } from '#tests/support/answers.ts';
import { codedMeter } from '#tests/support/coded-meter.ts';
import { testDatabase } from '#tests/support/database.ts';
import { makeFlight } from '#tests/support/flight.ts';
import { cookieOf, formRequest, getRequest, ORIGIN } from '#tests/support/requests.ts';
import { answerTo } from '#tests/support/routes.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';
import { storedRows } from '#tests/support/stored-rows.ts';
import { nightly } from '#tests/support/takes-all.ts';

const { db } = await testDatabase();

let schoolId: number;
let pilot: Member;
let cookie: string;
let aircraftId: number;

beforeEach(async () => {
  schoolId = await makeSchool(db);
  pilot = await makeUser(db, schoolId);
  cookie = await cookieOf(db, pilot);
  aircraftId = await makeAircraft(db, schoolId, { last_hobbs: '1234.5', last_tach: '987.6' });
});

const keysOf = async (who = cookie) => (await handleRequest(getRequest('/unsent/keys', who))).json();
const ownerOf = async (who = cookie): Promise<string> => (await keysOf(who)).keys[0].owner;

async function send(fields: Record<string, string | File>, who = cookie) {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  const headers = { cookie: who, origin: ORIGIN };
  return handleRequest(new Request(`${ORIGIN}/unsent/send`, { method: 'POST', headers, body }));
}

const checkOut = async (differing: Record<string, string | File> = {}) => ({
  ...{ unsentOwner: await ownerOf(), requestId: randomUUID(), aircraftId: String(aircraftId) },
  ...{ startHobbsTime: '1234.5', startTachTime: '987.6', ...differing },
});
const checkIn = async (flightId: number, differing: Record<string, string | File> = {}) => ({
  ...{ unsentOwner: await ownerOf(), unsentFlight: String(flightId), requestId: randomUUID() },
  ...{ endHobbsTime: '1235.7', endTachTime: '988.4', notes: 'Left brake soft.', ...differing },
});
const photo = async () => new File([new Uint8Array(await codedMeter('12345'))], 'hobbs.jpg');
const answered = async (answer: Response) => [answer.status, await answer.json()];
const flights = () =>
  db.selectFrom('flight_logs').selectAll().where('school_id', '=', schoolId).orderBy('id').execute();

describe('what was typed without a network, when it arrives', () => {
  it('a check-out and its check-in are there once, however often they are sent (B867)', async () => {
    const out = await checkOut();
    const answer = await send(out);
    const { flightId } = await answer.json();
    expect([answer.status, flightId]).toEqual([200, expect.any(Number)]);
    expect(await (await send(out)).json()).toEqual({ flightId });
    const back = await checkIn(flightId);
    for (const _time of [1, 2]) expect((await send(back)).status).toBe(200);
    expect(await flights()).toMatchObject([
      { id: flightId, start_hobbs: '1234.5', end_hobbs: '1235.7', end_tach: '988.4', notes: 'Left brake soft.' },
    ]);
  });

  it('a check-out whose answer was lost is entered only once, even after its request id is forgotten (B910)', async () => {
    const threeDaysAgo = new Date(Date.now() - 72 * 3_600_000);
    const out = await checkOut({ unsentTypedAt: threeDaysAgo.toISOString() });
    const { flightId } = await (await send(out)).json();
    const forget = () => db.deleteFrom('idempotency_keys').execute();
    await forget();
    await sql`update flight_logs set created_at = ${threeDaysAgo} where id = ${flightId}`.execute(db);
    expect(await (await send(out)).json()).toEqual({ flightId });
    expect((await send(await checkIn(flightId))).status).toBe(200);
    await forget();
    expect(await (await send(out)).json()).toEqual({ flightId: null });
    expect(await flights()).toMatchObject([{ id: flightId, end_hobbs: '1235.7' }]);
  });

  nightly('a check-in whose answer was lost changes nothing once its request id is forgotten (B910)', async () => {
    const back = await checkIn(await makeFlight(db, pilot, aircraftId, { start_hobbs: '1234.5', start_tach: '987.6' }));
    await send(back);
    const before = await storedRows(db);
    await db.deleteFrom('idempotency_keys').execute();
    await send(back);
    expect({ ...(await storedRows(db)), idempotency_keys: [] }).toEqual({ ...before, idempotency_keys: [] });
  });

  it('a check-out typed after a flight from the same readings was cancelled is a flight of its own (B910, B1683)', async () => {
    const cancelled = await makeFlight(db, pilot, aircraftId, {
      ...{ start_hobbs: '1234.5', start_tach: '987.6', created_at: new Date(Date.now() - 180_000) },
      ...{ voided_at: new Date(), voided_by: pilot.id, void_reason: 'Fog' },
    });
    const { flightId } = await (await send(await checkOut({ unsentTypedAt: new Date().toISOString() }))).json();
    expect([flightId, (await flights()).length]).toEqual([expect.any(Number), 2]);
    expect(flightId).not.toBe(cancelled);
  });

  it('is in no draft any more, also not in that of the form for no network (B1684)', async () => {
    const drafts = ['/flight-log/offline#check-out', '/flight-log/offline#check-in'];
    const save = (form: string) => saveDraft(db, pilot, form, Object.entries({ startHobbsTime: '1234.5' }));
    const kept = async () =>
      Promise.all(drafts.map(async (form) => (await findDraft(db, pilot.id, form)).values !== null));
    for (const form of drafts) await save(form);
    const { flightId } = await (await send(await checkOut())).json();
    expect(await kept()).toEqual([false, true]);
    await send(await checkIn(flightId));
    expect(await kept()).toEqual([false, false]);
  });

  it('comes back in words, rather than be sent for ever, where its flight is in no school of its user (B1685)', async () => {
    const elsewhere = await makeUser(db, await makeSchool(db));
    const id = await makeFlight(db, elsewhere, await makeAircraft(db, elsewhere.schoolId));
    expect(await answered(await send(await checkIn(id)))).toEqual([404, { text: texts.flightLogNotFound, to: '/' }]);
  });

  it('a check-out of an aircraft taken or flown on meanwhile is refused in words, and waits in the form (B869)', async () => {
    const to = '/flight-log?step=2';
    await db.updateTable('aircraft').set({ last_hobbs: '1250.0' }).where('id', '=', aircraftId).execute();
    const passed = { text: 'Please read the meter again and tick the box.', to };
    expect(await answered(await send(await checkOut()))).toEqual([400, passed]);
    expect(await flights()).toEqual([]);
    await makeFlight(db, await makeUser(db, schoolId), aircraftId);
    const taken = { text: 'This aircraft is already checked out.', to };
    expect(await answered(await send(await checkOut()))).toEqual([409, taken]);
    const typed = { aircraftId: String(aircraftId), startHobbsTime: '1234.5', startTachTime: '987.6' };
    expect((await findDraft(db, pilot.id, CHECK_OUT_DRAFT_KEY)).values).toMatchObject(typed);
  });

  it('a flight that was closed on behalf meanwhile is said in words, with the way to a squawk (B869, B1254)', async () => {
    const id = await makeFlight(db, pilot, aircraftId);
    const closed = { end_hobbs: '1300.0', end_tach: '1050.0', completed_at: new Date(Date.now() + 1000) };
    await db.updateTable('flight_logs').set(closed).where('id', '=', id).execute();
    const text = 'This flight has already been completed.';
    const ways = { to: `/flight-logs/${id}`, squawkTo: `/airplanes/${aircraftId}/squawks/add` };
    expect(await answered(await send(await checkIn(id)))).toEqual([409, { text, ...ways }]);
    expect(await flights()).toMatchObject([{ end_hobbs: '1300.0' }]);
    expect((await findDraft(db, pilot.id, checkInDraftKey(id))).values).toBeNull();
  });

  it('a photo is read when it arrives, and what was typed is held against it (B870)', async () => {
    await db.updateTable('aircraft').set({ last_hobbs: '1243.5' }).where('id', '=', aircraftId).execute();
    const wrong = await send(await checkOut({ startHobbsTime: '1243.5', startHobbsPhoto: await photo() }));
    expect([wrong.status, (await wrong.json()).text]).toEqual([400, 'Please read the meter again and tick the box.']);
    expect((await findDraft(db, pilot.id, CHECK_OUT_DRAFT_KEY)).values?.startHobbsScan).toMatch(/^\d+$/);
    await db.updateTable('aircraft').set({ last_hobbs: '1234.5' }).where('id', '=', aircraftId).execute();
    const right = await checkOut({ startHobbsPhoto: await photo() });
    for (const _time of [1, 2]) expect((await send(right)).status).toBe(200);
    expect(await flights()).toMatchObject([{ start_hobbs_photo_id: expect.any(Number), reading_flags: [] }]);
  });

  nightly(
    'what arrives while three photos of its user are read stays on the device, and is stored once they are (B870)',
    async () => {
      const ends: (() => void)[] = [];
      const reading = [1, 2, 3].map(() => runPhotoWorkInTurn(pilot, () => new Promise<void>((end) => ends.push(end))));
      const out = await checkOut({ startHobbsPhoto: await photo() });
      const refused = await send(out);
      // Without an address: no form waits for it on the server.
      expect([refused.status, await refused.text()]).toEqual([429, texts.ownPhotosWaiting]);
      expect((await findDraft(db, pilot.id, CHECK_OUT_DRAFT_KEY)).values).toBeNull();
      while (ends.length > 0 || photoQueue.running > 0) {
        ends.shift()?.();
        await new Promise((resolve) => setImmediate(resolve));
      }
      await Promise.all(reading);
      expect((await send(out)).status).toBe(200);
      expect(await flights()).toMatchObject([{ start_hobbs_photo_id: expect.any(Number) }]);
    },
  );

  it("what one user typed is neither stored under another's session nor without one (B868)", async () => {
    const other = await cookieOf(db, await makeUser(db, schoolId));
    const out = await checkOut();
    const refused = await send(out, other);
    expect([refused.status, await refused.text()]).toEqual([403, 'Forbidden']);
    expect((await send(out, '')).status).toBe(401);
    expect(await flights()).toEqual([]);
  });

  it('from a page that was made for who was signed in before comes back in words, and is entered for nobody (B1821)', async () => {
    const { id: before } = await makeUser(db, schoolId);
    const words = expect.stringContaining('Somebody else is signed in here now');
    expect(await answered(await send(await checkOut({ viewerId: String(before) })))).toEqual([
      409,
      { text: words, to: '/' },
    ]);
    expect(await flights()).toEqual([]);
    expect((await send(await checkOut({ viewerId: String(pilot.id) }))).status).toBe(200);
  });
});

describe('what a device may keep', () => {
  it('a user has one key on every sign-in, none that others have, and none on a shared computer (B868, B871)', async () => {
    const keys = await keysOf();
    expect(await keysOf(await cookieOf(db, pilot))).toEqual(keys);
    const others = await keysOf(await cookieOf(db, await makeUser(db, schoolId)));
    const told = [...keys.keys, ...others.keys].flatMap(({ owner, key }) => [owner, key]);
    expect([told.length, new Set(told).size]).toEqual([4, 4]);
    expect(Buffer.from(keys.keys[0].key, 'base64url')).toHaveLength(32);
    const none = { keys: [], openFlight: null, pages: [] };
    expect(await keysOf(await cookieOf(db, pilot, { sharedComputer: true }))).toEqual(none);
  });

  nightly('a pilot in flight keeps the check-in of that flight (B865)', async () => {
    const always = ['/', '/flight-log/offline', '/flight-logs/own'];
    expect((await keysOf()).pages).toEqual(always);
    const id = await makeFlight(db, pilot, aircraftId);
    const inFlight = await keysOf();
    expect(inFlight.openFlight).toEqual({ id, aircraftId });
    expect(inFlight.pages.toSorted()).toEqual([...always, `/flight-log/${id}/post-check`].toSorted());
  });

  it('the check-out in one form has each aircraft with its last readings, and says which were not available (B865)', async () => {
    const down = await makeAircraft(db, schoolId, { maintenance_since: new Date() });
    const { body } = await answerTo(getRequest('/flight-log/offline', cookie));
    expect(body).toMatchObject({
      fleet: expect.arrayContaining([
        expect.objectContaining({ id: aircraftId, status: null, last: { hobbs: '1234.5', tach: '987.6' } }),
        expect.objectContaining({ id: down, status: 'maintenance' }),
      ]),
    });
  });

  it('a kept page that is opened twice is two flights, without script, too: each has its own request (B867)', async () => {
    const page = await (await handleRequest(getRequest('/flight-log/offline', cookie))).text();
    const requestOf = (html: string) => /name="requestId" value="([^"]+)"/.exec(html)?.[1] ?? '';
    const opened = [page, markAsKept(page, ''), markAsKept(page, '')];
    const ids = opened.map(requestOf);
    expect(new Set(ids).size).toBe(3);
    // In the field, and in the data that the script starts with.
    expect(opened.map((html, at) => html.split(ids[at] ?? '').length)).toEqual([3, 3, 3]);
  });

  it('a page names whose device may keep it: nobody signed out or on a shared computer (B871)', async () => {
    const keptFor = async (who: string) => (await handleRequest(getRequest('/', who))).headers.get(KEPT_FOR_HEADER);
    expect(await keptFor(cookie)).toBe(await ownerOf());
    expect(await keptFor('')).toBe('');
    expect(await keptFor(await cookieOf(db, pilot, { sharedComputer: true }))).toBe('');
  });

  it('a page that a device keeps names its hour as the school does, with the zone (B1762)', async () => {
    const headers = { [FOR_KEEPING_HEADER]: '1', cookie };
    const answer = await handleRequest(new Request('http://localhost/', { headers }));
    expect(answer.headers.get(AS_OF_HEADER)).toMatch(/^\d\d:\d\d UTC$/);
    expect((await handleRequest(getRequest('/', cookie))).headers.get(AS_OF_HEADER)).toBeNull();
  });

  it('a log-out clears the device, and what it removes unsent is said to whoever is signed in alone (B871, B1173)', async () => {
    const say = async () => (await handleRequest(getRequest('/logout?unsent=yes', cookie))).status;
    expect(await say()).toBe(200);
    const answer = await handleRequest(formRequest('/logout', { requestId: 'x' }, cookie));
    expect(answer.headers.get('clear-site-data')).toBe('"storage"');
    expect(await say()).toBe(302);
    expect((await handleRequest(getRequest('/unsent/keys', cookie))).status).toBe(401);
  });

  nightly('a page that is fetched to be kept takes no toast from the page that is shown (B865)', async () => {
    const answer = await handleRequest(formRequest('/logout', {}, cookie));
    const flash = keptCookies(answer);
    const kept = await handleRequest(getRequest('/', flash, { [FOR_KEEPING_HEADER]: '1' }));
    expect(kept.headers.getSetCookie()).toEqual([]);
    expect(await kept.text()).not.toContain('Logged out successfully');
    expect(await (await handleRequest(getRequest('/', flash))).text()).toContain('Logged out successfully');
  });

  it('own last flights are at most twenty, newest first, of nobody else, each leading to its flight (B865, B1270)', async () => {
    await makeFlight(db, await makeUser(db, schoolId), await makeAircraft(db, schoolId, { tail_number: 'N77FL' }));
    const id = await makeFlight(db, pilot, aircraftId);
    const page = await (await handleRequest(getRequest('/flight-logs/own', cookie))).text();
    expect(page).not.toContain('N77FL');
    expect(page.match(/href="(\/flight-logs\/\d+)"/)?.[1]).toBe(`/flight-logs/${id}`);
    expect(page).toContain('Hobbs 100.0, Tach 90.0');
  });
});

it('the service worker of the build is asked for anew each time, and may fetch from its own server alone (B872)', async () => {
  const { status, headers } = await handleRequest(getRequest('/sw.js'));
  // Without a build there is none, and pages work as before.
  if (status === 404) return;
  expect(headers.get('cache-control')).toBe('no-cache');
  expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(headers.get('content-security-policy')).toBe("default-src 'none'; connect-src 'self'");
});
