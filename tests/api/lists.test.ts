import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { completed, makeFlight, makeInvitation, type Member, testDatabase } from '#tests/support/makers.ts';
import { makeAircraft, makeSchool, makeSquawk, makeUser } from '#tests/support/school.ts';
import { type Answer, answerTo, cookieOf, getRequest } from '#tests/support/ask.ts';
import { nightly } from '#tests/support/takes-all.ts';
import { MAX_API_LIST_ITEMS } from '#app/limits.ts';
import { importLines, undo } from '#tests/support/imports/files.ts';

const { db } = await testDatabase();

let admin: Member, pilot: Member, cookie: string, aircraftId: number;
beforeEach(async () => {
  const schoolId = await makeSchool(db);
  admin = await makeUser(db, schoolId, 'administrator');
  pilot = await makeUser(db, schoolId);
  cookie = await cookieOf(db, admin);
  aircraftId = await makeAircraft(db, schoolId);
});

const get = (path: string, headers = {}) => answerTo(getRequest(path, cookie, headers));
const itemsOf = ({ body }: Answer) => JSON.parse(String(body)) as { id: number; status?: string; deletedAt?: string }[];
const idsOf = (answer: Answer) => itemsOf(answer).map(({ id }) => id);
const linkOf = ({ headers }: Answer, relation: string) =>
  new RegExp(`<([^>]*)>; rel="${relation}"`).exec(headers.get('link') ?? '')?.[1];
/** In a later millisecond, since instants of the API have no finer ones. */
const laterInstant = async () => {
  await sql`select pg_sleep(0.002)`.execute(db);
  return new Date().toISOString();
};
const flown = (hour = 8) => {
  const at = `2026-05-12T${String(hour).padStart(2, '0')}`;
  return makeFlight(db, pilot, aircraftId, completed(`${at}:00:00Z`, `${at}:50:00Z`));
};
const squawk = () => makeSquawk(db, pilot, aircraftId);
const invited = async (email: string) => (await makeInvitation(db, admin, { email })).id;

/** By list: makes another item. */
const LISTS: Record<string, (number: number) => Promise<unknown>> = {
  '/api/flight-logs': (number) => flown(number),
  '/api/aircraft': () => makeAircraft(db, admin.schoolId),
  '/api/users': () => makeUser(db, admin.schoolId),
  '/api/squawks': () => squawk(),
  '/api/invitations': (number) => invited(`ida${number}@b.example`),
};

describe.each(Object.keys(LISTS))('%s', (path) => {
  it(`${path} comes in pages of which each names the next and has each item once, and refuses what is none (B857)`, async () => {
    for (let made = 1; made <= 5; made += 1) await LISTS[path]?.(made);
    const all = idsOf(await get(path));
    const found: number[] = [];
    let pages = 0;
    for (let next: string | undefined = `${path}?limit=2`; next; pages += 1) {
      const page = await get(next);
      expect(page.status).toBe(200);
      expect(idsOf(page).length).toBeLessThanOrEqual(2);
      found.push(...idsOf(page));
      next = linkOf(page, 'next');
    }
    for (const query of [
      'limit=0',
      `limit=${MAX_API_LIST_ITEMS + 1}`,
      'limit=ten',
      'after=nowhere',
      'after=1~yesterday',
    ]) {
      const { status, body } = await get(`${path}?${query}`);
      expect([status, body]).toEqual([400, expect.stringMatching(/^(Invalid page|The limit must be 1 to 1000)$/)]);
    }
    for (const limit of [1, MAX_API_LIST_ITEMS]) expect((await get(`${path}?limit=${limit}`)).status).toBe(200);
    expect(pages).toBe(Math.ceil(all.length / 2));
    expect(found).toHaveLength(all.length);
    expect(new Set(found)).toEqual(new Set(all));
  });

  it(`${path} has an entity tag that is good until something in it changes (B858)`, async () => {
    await LISTS[path]?.(1);
    for (const query of ['', '?limit=100']) {
      const { headers } = await get(path + query);
      const etag = headers.get('etag') ?? 'none';
      const again = await get(path + query, { 'if-none-match': `"another", ${etag}` });
      expect((await get(path + query, { 'if-none-match': '*' })).status).toBe(304);
      expect([again.status, again.body, again.headers.get('etag')]).toEqual([304, '', etag]);
      expect(again.headers.has('link')).toBe(headers.has('link'));
      await LISTS[path]?.(query.length);
      expect((await get(path + query, { 'if-none-match': etag })).status).toBe(200);
    }
  });
});

it.each(['/api/flight-logs', '/api/aircraft', '/api/users', '/api/squawks'])(
  '%s names what has changed since the address that it gave before, on whichever page (B855, B856)',
  async (path) => {
    for (let made = 1; made <= 3; made += 1) await LISTS[path]?.(made);
    const first = await get(`${path}?limit=2`);
    await LISTS[path]?.(4);
    const second = await get(linkOf(first, 'next') ?? '');
    const later = linkOf(second, 'monitor') ?? '';
    expect(later).toBe(linkOf(first, 'monitor'));
    const [newest] = idsOf(await get(path)).toSorted((one, other) => other - one);
    expect(idsOf(await get(later))).toContain(newest);
    expect(idsOf(await get(linkOf(await get(later), 'monitor') ?? ''))).toEqual([]);
  },
);

it('a cancelled check-out is marked among the changes, and not listed otherwise (B855, C89)', async () => {
  const id = await makeFlight(db, pilot, aircraftId);
  const since = await laterInstant();
  const why = { voided_at: new Date(), voided_by: pilot.id, void_reason: 'Rain' };
  await db.updateTable('flight_logs').set(why).where('id', '=', id).execute();
  expect(itemsOf(await get(`/api/flight-logs?since=${since}`))).toMatchObject([{ id, status: 'cancelled' }]);
  expect(itemsOf(await get('/api/flight-logs?limit=10'))).toEqual([]);
});

it('who follows an import and asks again after it was undone has the flights of the list, page by page (B956)', async () => {
  const kept = new Set<number>();
  const follow = async (path: string) => {
    const statuses: unknown[] = [];
    let answer: Answer | undefined;
    for (let next: string | undefined = path; next; next = linkOf(answer, 'next')) {
      answer = await get(next);
      for (const { id, status } of itemsOf(answer)) {
        statuses.push(status);
        if (status === 'removed') kept.delete(id);
        else kept.add(id);
      }
    }
    expect([...kept].toSorted()).toEqual(idsOf(await get('/api/flight-logs')).toSorted());
    return { statuses, later: answer && linkOf(answer, 'monitor') };
  };
  await flown();
  const aircraft = db.selectFrom('aircraft').select('tail_number').where('id', '=', aircraftId);
  const { tail_number: tail } = await aircraft.executeTakeFirstOrThrow();
  const lines = [1, 2, 3].map((day) => {
    const [date, readings] = [`2026-05-0${day}`, `${day},${day + 1},${day},${day + 1}`];
    return `${tail},${pilot.username},,${date}T10:00Z,${date}T11:00Z,${readings},,`;
  });
  const before = await follow('/api/flight-logs?limit=2&status=completed');
  const { id } = await importLines(db, admin, 'flights', lines);
  const imported = await follow(before.later ?? '');
  expect(imported.statuses).toEqual(['completed', 'completed', 'completed']);
  expect((await undo(db, admin, id)).state).toBe('undone');
  const undone = await follow(imported.later ?? '');
  expect(undone.statuses).toEqual(['removed', 'removed', 'removed']);
  expect((await follow(undone.later ?? '')).statuses).toEqual([]);
});

nightly.each([
  ['aircraft', () => aircraftId],
  ['users', () => pilot.id],
] as const)('deleted %s are marked among the changes, and not listed otherwise (B855)', async (table, idOf) => {
  const since = await laterInstant();
  const deleted = { deleted_at: new Date(), ...(table === 'users' && { password_hash: null }) };
  await db.updateTable(table).set(deleted).where('id', '=', idOf()).execute();
  expect(itemsOf(await get(`/api/${table}?since=${since}`))).toMatchObject([
    { id: idOf(), deletedAt: deleted.deleted_at.toISOString() },
  ]);
  expect(idsOf(await get(`/api/${table}?limit=100`))).not.toContain(idOf());
});

nightly('an aircraft has changed when its flight begins, a user by a new name, not password (B855)', async () => {
  let since = await laterInstant();
  const ofAircraft = async () => idsOf(await get(`/api/aircraft?since=${since}`));
  const ofUsers = async () => idsOf(await get(`/api/users?since=${since}`));
  expect([await ofAircraft(), await ofUsers()]).toEqual([[], []]);
  await makeFlight(db, pilot, aircraftId);
  await db.updateTable('users').set({ password_hash: 'new' }).where('id', '=', pilot.id).execute();
  expect([await ofAircraft(), await ofUsers()]).toEqual([[aircraftId], []]);
  since = await laterInstant();
  await db.updateTable('users').set({ name: 'Ben' }).where('id', '=', pilot.id).execute();
  expect([await ofAircraft(), await ofUsers()]).toEqual([[], [pilot.id]]);
});

it('the instant may have another zone, its plus sign as a space too, or be a day; other words are refused (B855)', async () => {
  const id = await flown();
  const before = new Date(Date.now() - 3_600_000).toISOString().replace('Z', '+00:00');
  const day = before.slice(0, 10);
  for (const since of [encodeURIComponent(before), before, day]) {
    expect(idsOf(await get(`/api/flight-logs?since=${since}`))).toEqual([id]);
  }
  expect(await get('/api/flight-logs?since=yesterday')).toMatchObject({ status: 400, body: 'Invalid date' });
});

nightly('a renamed pilot changes the tag of flights, and a commit under way takes it away (B858)', async () => {
  await flown();
  const etag = (await get('/api/flight-logs')).headers.get('etag') ?? '';
  expect((await get('/api/flight-logs?status=completed', { 'if-none-match': etag })).status).toBe(200);
  await db.updateTable('users').set({ username: 'renamed' }).where('id', '=', pilot.id).execute();
  expect((await get('/api/flight-logs', { 'if-none-match': etag })).status).toBe(200);
  await db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock_shared(20261122, ${admin.schoolId})`.execute(trx);
    expect((await get('/api/flight-logs')).headers.get('etag')).toBeNull();
  });
  expect((await get('/api/flight-logs')).headers.get('etag')).toMatch(/^W\//);
});
