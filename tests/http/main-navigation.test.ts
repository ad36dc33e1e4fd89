import { beforeEach, describe, expect, it } from 'vitest';
import type { Role } from '#db/roles.ts';
import type { Member } from '#app/domain/actor.ts';
import { testDatabase } from '#tests/support/database.ts';
import { documentAfter, documentAt, textOf } from '#tests/support/documents.ts';
import { handleRequest } from '#tests/support/app-handler.ts';
import { cookieOf, getRequest } from '#tests/support/requests.ts';
import { makeAircraft, makePeople, makeSchool, makeUser } from '#tests/support/school.ts';
import { textsOf } from '#tests/support/shown.ts';

const { db } = await testDatabase();
let people: Record<Role, Member>;
beforeEach(async () => {
  people = await makePeople(db, await makeSchool(db));
});

const MAIN = ['/', '/flight-logs', '/airplanes', '/ocr', '/users', '/account'];

describe('the main navigation', () => {
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
});

/** A test that looks for a part of a name finds one link. */
const SPECIFIED = [
  ...['Check Out', 'Logout', 'Manage School Settings', 'View Flight History', 'View Aircraft Fleet'],
  ...['Add New Aircraft', 'Manage Users', 'Invite New User'],
];

describe('the jump box', () => {
  const placesFor = async (reader: Member, q: string) => {
    const url = `/jump?${new URLSearchParams({ q })}`;
    const answer = await handleRequest(getRequest(url, await cookieOf(db, reader)));
    const { places }: { places: { href: string; kind: string; label: string }[] } = await answer.json();
    return places;
  };

  it('an aircraft is found by a part of its tail number, the one that begins with it first (B720)', async () => {
    const { schoolId } = people.student;
    const other = await makeAircraft(db, schoolId, { tail_number: 'N1914' });
    const first = await makeAircraft(db, schoolId, { tail_number: '1914N' });
    await makeAircraft(db, schoolId, { tail_number: '1914-X', deleted_at: new Date() });
    await makeAircraft(db, await makeSchool(db), { tail_number: '1914Q' });
    expect(await placesFor(people.student, ' 1914 ')).toEqual([
      { href: `/airplanes/${first}`, kind: 'Aircraft', label: '1914N, Cessna 172S' },
      { href: `/airplanes/${other}`, kind: 'Aircraft', label: 'N1914, Cessna 172S' },
    ]);
  });

  it('a part of a username finds the person, and leads administrators to them, others to the list of users (B720)', async () => {
    const ben = await makeUser(db, people.student.schoolId, 'student', 'benjamin_f');
    expect(await placesFor(people.administrator, 'JAMIN_')).toMatchObject([{ href: `/users/${ben.id}` }]);
    expect(await placesFor(people.instructor, 'JAMIN_')).toEqual([
      { href: `/users?person=${ben.id}#user-${ben.id}`, kind: 'Person', label: 'benjamin_f' },
    ]);
    const { $ } = await documentAt('/users', await cookieOf(db, people.instructor));
    expect(textOf($(`#user-${ben.id} h2`))).toBe('benjamin_f');
    for (const pattern of ['%', '_____', String.raw`\ `]) expect(await placesFor(people.student, pattern)).toEqual([]);
  });

  it('at most eight places are found, and none for nothing (B721)', async () => {
    for (let index = 0; index < 12; index++) {
      await makeAircraft(db, people.student.schoolId, { tail_number: `ZZ${index}` });
    }
    expect(await placesFor(people.student, 'zz')).toHaveLength(8);
    expect(await placesFor(people.student, '  ')).toEqual([]);
  });
});

describe('single keys', () => {
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
});
