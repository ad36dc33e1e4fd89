import { beforeEach, describe, expect, it } from 'vitest';
import type { Role } from '#db/roles.ts';
import { makeAircraft, makePeople, makeSchool, makeUser, type Member, testDatabase } from '#tests/support/makers.ts';
import { documentAfter, documentAt, textOf, textsOf } from '#tests/support/pages.ts';
import { answerTo, cookieOf, getRequest, handleRequest } from '#tests/support/ask.ts';

const { db } = await testDatabase();
let people: Record<Role, Member>;
beforeEach(async () => {
  people = await makePeople(db, await makeSchool(db));
});

const MAIN = ['/', '/flight-logs', '/airplanes', '/ocr', '/users', '/account'];

it.each(['administrator', 'instructor', 'student'] satisfies Role[])(
  'the role %s finds every main screen on each of them in nine tabs, and Logout last of all (B710, B930, C93)',
  async (role) => {
    const cookie = await cookieOf(db, people[role]);
    for (const path of MAIN) {
      const { $ } = await documentAt(path, cookie);
      const links = $('nav[aria-label="Main"] a').toArray();
      const [own, ownPaths] = role === 'administrator' ? [['School'], ['/school']] : [[], []];
      expect(links.map((link) => textOf($(link)))).toEqual([
        ...['Dashboard', 'Logs', 'Fleet'],
        ...own,
        ...['Scan', 'Users', 'Account'],
      ]);
      expect(links.map((link) => $(link).attr('href'))).toEqual([...MAIN.slice(0, 3), ...ownPaths, ...MAIN.slice(3)]);
      const current = $('nav [aria-current]').map(
        (_, link) => `${$(link).attr('href')} ${$(link).attr('aria-current')}`,
      );
      expect(current.get()).toEqual([`${path} page`]);
      const stops = $('a[href], button, input, select').toArray();
      expect(stops.indexOf(links.at(-1)!)).toBeLessThan(9);
      expect(textOf($('.site-header').find('a, button').last())).toBe('Logout');
    }
  },
);

it('a screen below a main one is marked as a part of it (B711)', async () => {
  const cookie = await cookieOf(db, people.administrator);
  const { schoolId } = people.administrator;
  const due = { school_id: schoolId, aircraft_id: await makeAircraft(db, schoolId), name: 'Oil', due_tach: '95.0' };
  const { id: inspection } = await db.insertInto('inspections').values(due).returning('id').executeTakeFirstOrThrow();
  for (const [path, part] of [
    ['/line', 'Dashboard'],
    ['/airplanes/add', 'Fleet'],
    [`/inspections/${inspection}`, 'Fleet'],
    ['/users/invitations', 'Users'],
    ['/account/password', 'Account'],
  ] as const) {
    const { $ } = await documentAt(path, cookie);
    const current = $('nav[aria-label="Main"] [aria-current]');
    expect([textOf(current), current.attr('aria-current')]).toEqual([part, 'true']);
  }
});

it('who is signed out, or has a second factor to add first, has no main navigation (B712)', async () => {
  expect((await documentAt('/login')).$('nav').length).toBe(0);
  const schoolId = people.administrator.schoolId;
  const needed = { administrators_need_second_factor: true };
  await db.updateTable('schools').set(needed).where('id', '=', schoolId).execute();
  const cookie = await cookieOf(db, people.administrator);
  const { $, status } = await documentAt('/account/second-factor', cookie);
  expect([status, $('nav').length]).toEqual([200, 0]);
});

it('no link of a screen has a name that the specification gives to another one (B713)', async () => {
  await makeAircraft(db, people.student.schoolId, { tail_number: 'N1' });
  const { $ } = await documentAt('/', await cookieOf(db, people.administrator));
  const names = textsOf($, 'a, button').map((name) => name.toLowerCase());
  for (const name of SPECIFIED)
    expect(names.filter((one) => one.includes(name.toLowerCase()))).toEqual([name.toLowerCase()]);
});

/** A test that looks for a part of a name finds one link. */
const SPECIFIED = [
  ...['Check Out', 'Logout', 'Manage School Settings', 'View Flight History', 'View Aircraft Fleet'],
  ...['Add New Aircraft', 'Manage Users', 'Invite New User'],
];

const placesFor = async (reader: Member, q: string) => {
  const url = `/jump?${new URLSearchParams({ q })}`;
  const answer = await handleRequest(getRequest(url, await cookieOf(db, reader)));
  const { places }: { places: { href: string; kind: string; label: string }[] } = await answer.json();
  return places;
};

it('a part of a tail number or username finds its place, eight at most, as the role may see it (B720, B721)', async () => {
  const { schoolId } = people.student;
  const other = await makeAircraft(db, schoolId, { tail_number: 'N1914' });
  const first = await makeAircraft(db, schoolId, { tail_number: '1914N' });
  await makeAircraft(db, schoolId, { tail_number: '1914-X', deleted_at: new Date() });
  await makeAircraft(db, await makeSchool(db), { tail_number: '1914Q' });
  expect(await placesFor(people.student, ' 1914 ')).toEqual([
    { href: `/airplanes/${first}`, kind: 'Aircraft', label: '1914N, Cessna 172S' },
    { href: `/airplanes/${other}`, kind: 'Aircraft', label: 'N1914, Cessna 172S' },
  ]);
  const ben = await makeUser(db, people.student.schoolId, 'student', 'benjamin_f');
  expect(await placesFor(people.administrator, 'JAMIN_')).toMatchObject([{ href: `/users/${ben.id}` }]);
  expect(await placesFor(people.instructor, 'JAMIN_')).toEqual([
    { href: `/users?person=${ben.id}#user-${ben.id}`, kind: 'Person', label: 'benjamin_f' },
  ]);
  const { $ } = await documentAt('/users', await cookieOf(db, people.instructor));
  expect(textOf($(`#user-${ben.id} h2`))).toBe('benjamin_f');
  for (const pattern of ['%', '_____', String.raw`\ `]) expect(await placesFor(people.student, pattern)).toEqual([]);
  for (let index = 0; index < 12; index++) {
    await makeAircraft(db, people.student.schoolId, { tail_number: `ZZ${index}` });
  }
  expect(await placesFor(people.student, 'zz')).toHaveLength(8);
  expect(await placesFor(people.student, '  ')).toEqual([]);
});

it('each user turns single keys off and on at the account, and nobody else with them (B722)', async () => {
  const cookie = await cookieOf(db, people.student);
  const shown = async () => {
    const { $ } = await documentAt('/account', cookie);
    const button = $('button[value^="turn-keys"]');
    return [textOf(button), button.attr('value')];
  };
  const ofSchool = db.selectFrom('users').select('single_keys').where('school_id', '=', people.student.schoolId);
  const [off, on] = [
    ['Turn Single Keys Off', 'turn-keys-off'],
    ['Turn Single Keys On', 'turn-keys-on'],
  ];
  expect(await shown()).toEqual(off);
  const { status } = await documentAfter('/account', { intent: 'turn-keys-off' }, cookie);
  expect([status, await shown()]).toEqual([303, on]);
  expect((await ofSchool.execute()).filter(({ single_keys: on }) => !on)).toHaveLength(1);
  await documentAfter('/account', { intent: 'turn-keys-on' }, cookie);
  expect(await shown()).toEqual(off);
  const events = db.selectFrom('audit_entries').select('action').where('user_id', '=', people.student.id);
  const changed = { action: 'changed own keys' };
  expect(await events.execute()).toEqual([changed, changed]);
});

const PAGES = ['/school-settings', '/activity', '/users/invitations', '/school-settings/import'];
const MORE = ['/school-settings/export', '/school-settings/webhooks'];

it('the school has one navigation on its pages, and doors to it, for administrators alone (B1276)', async () => {
  const cookie = await cookieOf(db, people.administrator);
  for (const path of ['/school', ...PAGES, ...MORE]) {
    const { $ } = await documentAt(path, cookie);
    const links = $('nav[aria-label="School"] a').toArray();
    expect(links.map((link) => $(link).attr('href'))).toEqual([...PAGES, ...MORE]);
    expect($('nav[aria-label="School"] [aria-current="page"]').attr('href')).toBe(
      path === '/school' ? undefined : path,
    );
    expect($('nav[aria-label="Main"] a[href="/school"]').length).toBe(1);
  }
  expect((await documentAt('/account', cookie)).$('main a[href="/school"]').length).toBe(1);
  const students = await cookieOf(db, people.student);
  const { status, $ } = await documentAt('/school', students);
  expect([status, textOf($('main'))]).toEqual([403, expect.stringContaining('Ask an administrator of your school')]);
  const settings = await documentAt('/school-settings', students);
  expect(settings.$('nav[aria-label="School"], a[href="/school"]').length).toBe(0);
});

describe('the search', () => {
  const hits = async (q: string, who: Member) => {
    const { $ } = await documentAt(`/search?q=${encodeURIComponent(q)}`, await cookieOf(db, who));
    return $('.place-list li')
      .toArray()
      .map((hit) => `${textOf($(hit))} ${$(hit).find('a').attr('href')}`);
  };

  it('finds aircraft, people, screens and acts of the role on a page that needs no script (B1277, B1695)', async () => {
    const { administrator: admin, student } = people;
    await makeAircraft(db, student.schoolId, { tail_number: 'N512FL' });
    expect(await hits('n512', student)).toEqual([expect.stringMatching(/^N512FL, .*Aircraft \/airplanes\/\d+$/)]);
    expect(await hits(student.username, admin)).toEqual([`${student.username} Person /users/${student.id}`]);
    expect(await hits('audit', admin)).toEqual(['Activity Screen /activity']);
    expect(await hits('audit', student)).toEqual([]);
    expect(await hits('check out', student)).toEqual(['Check Out Act /flight-log']);
    for (const [typed, href] of Object.entries({
      ...{ 'qr code': '/airplanes/qr', contract: '/api', squawk: '/airplanes', 'on behalf': '/line' },
      ...{ email: '/account/email', name: '/account/name', '2fa': '/account/second-factor' },
      ...{ passkey: '/account/passkey', token: '/account/token', 'a webhook': '/school-settings/webhooks/add' },
      'delete this': '/school-settings/delete',
    }))
      expect((await hits(typed, admin)).join('\n'), typed).toMatch(new RegExp(` (Screen|Act) ${href}$`, 'm'));
    expect(await hits('a webhook', student)).toEqual([]);
    expect(await hits('overdue', student)).toEqual(['Maintenance Screen /airplanes/maintenance']);
  });

  it('is a GET form behind the magnifier of every page, and takes what no text has for a space (B1277, B1664)', async () => {
    const { $ } = await documentAt('/search', await cookieOf(db, people.student));
    expect($('header form[action="/search"]').attr('method') ?? 'get').toBe('get');
    expect(textOf($('main .hint'))).toContain('A tail number');
    const none = await documentAt('/search?q=zzz', await cookieOf(db, people.student));
    expect(textOf(none.$('main'))).toContain('Nothing found.');
    const cookie = await cookieOf(db, people.student);
    for (const q of ['n512%00', '%00']) {
      expect((await documentAt(`/search?q=${q}`, cookie)).status).toBe(200);
      expect((await answerTo(getRequest(`/jump?q=${q}`, cookie))).status).toBe(200);
    }
    expect((await answerTo(getRequest('/drafts?form=/a%00%23b', cookie))).status).toBe(400);
  });
});

it('the pages of 400 and 404 say what to do next (B1281)', async () => {
  const cookie = await cookieOf(db, people.student);
  const bad = await documentAt('/flight-logs?from=2026-99-99', cookie);
  expect([bad.status, bad.$('main a[href="/flight-logs"]').length]).toEqual([400, 1]);
  const gone = await documentAt('/hangar', cookie);
  expect([gone.status, gone.$('main a[href="/search"]').length]).toEqual([404, 1]);
});
