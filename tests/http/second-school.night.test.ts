import { beforeAll, describe, expect, it } from 'vitest';
import { makeSchool, makeUser, type Member, testDatabase } from '#tests/support/makers.ts';
import { cookieOf, getRequest, handleRequest, keptCookies, pathWith, ROUTES } from '#tests/support/ask.ts';
import { type Role, ROLES } from '#db/roles.ts';
import { drawn, seed } from '#tests/support/drawn.ts';
import { apiRows } from '#tests/support/matrix/api-rows.ts';
import { matrixFixtures } from '#tests/support/matrix/fixtures.ts';
import { formRows } from '#tests/support/matrix/form-rows.ts';
import { furtherApiRows } from '#tests/support/matrix/further-api-rows.ts';
import { furtherFormRows } from '#tests/support/matrix/further-form-rows.ts';
import { MARKED, MARKER } from '#tests/support/second-school/marker.ts';
import { readQueries } from '#tests/support/second-school/read-queries.ts';
import { makeMarkedSchool } from '#tests/support/second-school/second-school.ts';
import { unmarkedColumns } from '#tests/support/second-school/unmarked-columns.ts';

const { db } = await testDatabase();
const marked = await makeMarkedSchool(db);
const unmarked = await unmarkedColumns(db);
const markedIds = [...new Set(Object.values(marked).flat())].map(String);

const fixtures = matrixFixtures(db);
const FIXTURES = [
  'aircraft',
  'openFlight',
  'completedFlight',
  'scan',
  'photo',
  'user',
  'invitation',
  'squawk',
  'inspection',
  'webhook',
] as const;

/** What each query parameter is tried with; a parameter that is missing here fails the test of the route that reads it. */
const QUERY_VALUES: Record<string, (string | number)[]> = {
  aircraftId: marked.aircraft,
  pilotId: marked.user,
  instructorId: marked.user,
  status: ['completed', 'in_progress'],
  by: ['pilot', 'instructor', 'aircraft'],
  flightSchoolId: marked.school,
  log: marked.flight,
  scan: marked.scan,
  confirm: markedIds.flatMap((id) => ['aircraft', 'user', 'invitation'].map((kind) => `delete-${kind}:${id}`)),
  after: ['2999-01-01T00:00:00.000Z_2147483647', 2147483647],
  before: ['1000-01-01T00:00:00.000Z_1'],
  limit: [1, 1000],
  since: ['2026-01-01', '1999-01-01T00:00:00Z'],
  role: ['administrator,instructor,student'],
  show: ['cancelled'],
  person: marked.user,
  kind: ['sign-ins', 'added aircraft'],
  state: ['open', 'open,deferred,fixed,withdrawn'],
  from: ['1999-01-01'],
  step: [1, 2],
  'check-in': ['own'],
  read: ['hobbs', 'tach'],
  to: ['/users', '2999-01-01'],
  token: ['x'],
  form: ['/school-settings#school'],
  unsent: ['yes'],
  // A form shows what was looked for; the mark itself would be found there.
  q: [MARKER.slice(0, -1), ...marked.flight],
};

const VALUES_DRAWN = 4;
const IDS_DRAWN = 2;
/** Of a page's ids, for each role but the administrator's, who sees the most. */
const PAGE_IDS_DRAWN = 10;

const ROWS = [
  ...formRows(fixtures),
  ...furtherFormRows(db, fixtures),
  ...apiRows(fixtures),
  ...furtherApiRows(db, fixtures),
];
const WRITES = ROWS.filter(({ valid }) => valid('1')('').method !== 'GET');

const OTHER_ROLES = ROLES.filter((role) => role !== 'administrator');

/** Administrators open every page and send every write, and one of the other roles each. */
const isTriedAs = (role: Role, name: string) => role === 'administrator' || drawn(OTHER_ROLES, 1, name).includes(role);

it('the second school has a mark in every column, and is seen with its marks by its own users', async () => {
  expect(unmarked).toEqual([]);
  const [user] = await db
    .selectFrom('users')
    .selectAll()
    .where('school_id', '=', marked.school[0] ?? 0)
    .execute();
  const cookie = await cookieOf(db, user ?? { id: 0 });
  for (const path of ['/airplanes', '/api/users', '/flight-logs']) {
    expect(await textOf(await handleRequest(getRequest(path, cookie)))).toMatch(MARKED);
  }
});

describe.each(ROLES)('as %s', (role) => {
  const getRoutes = ROUTES.filter(({ exports, path }) => exports.has('loader') && isTriedAs(role, path)).map(
    ({ path }) => path,
  );
  const writes = WRITES.filter(({ name }) => isTriedAs(role, name));

  let reader: { cookie: string; ids: string[] };
  // Reading changes nothing: one user for all.
  beforeAll(async () => {
    const user = await makeUser(db, await makeSchool(db), role);
    reader = { cookie: await cookieOf(db, user), ids: [...markedIds, ...(await ownIds(user))] };
  });

  it.each(getRoutes)(`a GET of %s, as ${role}, shows nothing of another school (B321, C20)`, async (path) => {
    const { cookie, ids } = reader;
    const idsDrawn = role === 'administrator' ? ids.length : PAGE_IDS_DRAWN;
    const statuses = new Set<number>();
    for (const id of path.includes(':') ? drawn(ids, idsDrawn, path + role) : ['']) {
      const url = pathWith(path, id);
      const { result, names } = await readQueries(() => handleRequest(getRequest(url, cookie)));
      await expectUnmarked(result, url);
      // One of the ids that are answered with the same status stands for all, unless EVERY=yes.
      if (process.env.EVERY !== 'yes' && statuses.has(result.status)) continue;
      statuses.add(result.status);
      for (const name of names) {
        expect(QUERY_VALUES).toHaveProperty(name);
        for (const value of drawn(QUERY_VALUES[name] ?? [], VALUES_DRAWN, path + role + name)) {
          const withQuery = `${url}?${new URLSearchParams({ [name]: String(value) })}`;
          await expectUnmarked(await handleRequest(getRequest(withQuery, cookie)), withQuery);
        }
      }
    }
  });

  it.each(writes)(
    `$name, as ${role}, shows nothing of another school, neither in its answer nor after it (B321, C20)`,
    async (row) => {
      const caller = await makeUser(db, await makeSchool(db), role);
      const cookie = await cookieOf(db, caller);
      for (const id of row.id ? drawn(markedIds, IDS_DRAWN, row.name + role) : [])
        await expectUnmarkedAfter(row.valid(id)(cookie), cookie);
      const ownId = row.id ? String(await row.id.own(caller)) : '';
      for (const send of [row.invalid ?? row.valid, row.valid]) await expectUnmarkedAfter(send(ownId)(cookie), cookie);
    },
  );
});

async function ownIds(owner: Member): Promise<string[]> {
  const ids = [];
  for (const name of FIXTURES)
    ids.push(String(await fixtures[name](name === 'completedFlight' ? await makeUser(db, owner.schoolId) : owner)));
  return ids;
}

/** Sends the request, and opens the page that its answer leads to as the browser would. */
async function expectUnmarkedAfter(request: Request, cookie: string): Promise<void> {
  const answer = await handleRequest(request);
  const location = answer.headers.get('location');
  const cookies = [cookie, keptCookies(answer)].join('; ');
  await expectUnmarked(answer, request.url);
  if (location)
    await expectUnmarked(await handleRequest(getRequest(location, cookies)), `${request.url}, then ${location}`);
}

async function expectUnmarked(answer: Response, what: string): Promise<void> {
  expect((await textOf(answer)).match(MARKED)?.[0], `${what}, SEED=${seed}`).toBeUndefined();
}

async function textOf(answer: Response): Promise<string> {
  return JSON.stringify([...answer.headers]) + (await answer.text());
}
