import { beforeEach, expect, it } from 'vitest';
import type { Role } from '#db/roles.ts';
import { recorder } from '#app/server/event-recorder.server.ts';
import { PRIVILEGED_ACTS } from '#tests/support/activity/privileged-acts.ts';
import { REFUSED_ACTS } from '#tests/support/activity/refused-acts.ts';
import { type ActivityScene, activityScene, ADDRESS, aircraft } from '#tests/support/activity/scene.ts';
import { SIGN_IN_ACTS } from '#tests/support/activity/sign-in-acts.ts';
import { eventsOf } from '#tests/support/audit.ts';
import { PASSWORD, testDatabase } from '#tests/support/makers.ts';
import { documentAt } from '#tests/support/documents.ts';
import { answerTo, formRequest, getRequest } from '#tests/support/ask.ts';
import { drawn, seed } from '#tests/support/drawn.ts';

const { db } = await testDatabase();
const ACTS_DRAWN = 12;
const ACTS = [...SIGN_IN_ACTS, ...REFUSED_ACTS, ...PRIVILEGED_ACTS];

let scene: ActivityScene;
beforeEach(async () => {
  scene = await activityScene(db);
});

const today = () => new Date().toISOString().slice(0, 10);

/** The rows of the screen, each as its sentence, its details and its badge, when, whose and from where. */
async function rowsAt(path: string, as: Role = 'administrator'): Promise<string[][]> {
  await recorder.flush();
  const { $, status } = await documentAt(path, scene.cookies[as]);
  expect(status).toBe(200);
  return $('tbody tr')
    .toArray()
    .map((row) =>
      $(row)
        .find('th, td')
        .toArray()
        .map((cell) => $(cell).text().replace(/\s+/g, ' ').trim()),
    );
}

it('the acts of this list are more than forty, and all different (B460)', () => {
  expect(new Set(ACTS.map(([title]) => title)).size).toBe(ACTS.length);
  expect(ACTS.length).toBeGreaterThan(40);
});

it.each(drawn(ACTS, ACTS_DRAWN, 'acts'))(
  'after %s the activity has it under the kind %s, its person and its day, with the address (B460, B466)',
  async (title, kind, does, says, by = 'administrator') => {
    const from = today();
    await does(scene);
    const filter = new URLSearchParams({ kind, person: String(scene.people[by].id), from, to: today() });
    const rows = await rowsAt(`/activity?${filter}`);
    const sentence = typeof says === 'string' ? says : says(scene);
    const found = rows.filter(([what = '']) => what.includes(sentence));
    expect(found, JSON.stringify(rows)).not.toEqual([]);
    expect(found[0]?.[3]).toBe(ADDRESS);
    const otherKind = /export/.test(kind) ? 'people' : 'exports';
    const filters = [
      ['kind', otherKind],
      ['to', '2001-01-01'],
      ['from', '2999-01-01'],
    ] as const;
    // Each act tries one, so that a run tries each of them.
    for (const [name, value] of drawn(filters, 1, title)) {
      const other = new URLSearchParams(filter);
      other.set(name, value);
      const elsewhere = await rowsAt(`/activity?${other}`);
      expect(
        elsewhere.filter(([what = '']) => what.includes(sentence)),
        `${other}, SEED=${seed}`,
      ).toEqual([]);
    }
  },
);

it('a registration by invitation is found as an act of the new user (B460)', async () => {
  await scene.register();
  const rows = await rowsAt('/activity?kind=registered+by+invitation');
  const guest = `guest-${scene.schoolId}`;
  const what = `${guest} registered with an invitation Username ${guest} Role instructor Email ben@mail.example`;
  expect(rows).toEqual([[what, expect.any(String), guest, ADDRESS]]);
});

it('an event has the id of its request, the same in all it did, and at most 200 characters of its path (B460)', async () => {
  await scene.post('/users/add', scene.newUser('administrator'));
  await scene.open(`/users/${'1.'.repeat(200)}`);
  await recorder.flush();
  const events = await eventsOf(db, scene.schoolId);
  const [added, alerted, refused] = events;
  expect(events.map(({ action }) => action)).toEqual(['added user', 'alerted administrators', 'refused unknown id']);
  expect(added?.request_id).toMatch(/^[\da-f-]{36}$/);
  expect(alerted?.request_id).toBe(added?.request_id);
  expect(refused?.after).toEqual({ method: 'GET', path: `/users/${'1.'.repeat(200)}`.slice(0, 200) });
});

it('no event has a password, a token, a cookie, or the name that somebody unknown typed (B463)', async () => {
  await scene.post('/users/add', scene.newUser('student'));
  await scene.choosePassword();
  await scene.post('/login', { username: 'my-secret-typed-as-name', password: 'wrong-secret!' }, '');
  await scene.fromElsewhere(
    formRequest('/register?token=abc-secret-token', { token: 'abc-secret-token' }, scene.cookies.student),
  );
  await scene.send(getRequest('/api/invitations/abcdefghijklmnopqrstuvwxyz0123456789abcdefg', scene.cookies.student));
  await recorder.flush();
  const rows = JSON.stringify(await db.selectFrom('audit_entries').selectAll().execute());
  expect(rows).toContain('failed to sign in');
  for (const secret of [PASSWORD, 'chosen-by-link', 'secret', 'abcdefghijkl', 'flightline='])
    expect(rows).not.toContain(secret);
  for (const cookie of Object.values(scene.cookies)) expect(rows).not.toContain(cookie.split('=')[1]);
});

it('older and newer pages have every event once, fifty on each (B466)', async () => {
  const created_at = new Date('2026-05-12T10:00:00.123Z');
  const { schoolId: school_id, people } = scene;
  const entry = { school_id, user_id: people.student.id, action: 'added aircraft', subject: 'aircraft', created_at };
  const tailed = (n: number) => ({ ...entry, after: JSON.stringify({ tailNumber: `N${n}` }) });
  await db
    .insertInto('audit_entries')
    .values(Array.from({ length: 120 }, (_, n) => tailed(n)))
    .execute();
  const seen: string[] = [];
  let path: string | undefined = '/activity?kind=aircraft';
  for (const length of [50, 50, 20]) {
    const { $ } = await documentAt(path ?? '', scene.cookies.administrator);
    const tails = $('tbody th')
      .toArray()
      .map((cell) => /N\d+/.exec($(cell).text())?.[0] ?? '');
    expect(tails).toHaveLength(length);
    seen.push(...tails);
    path = $('.pager a[rel=next]').attr('href');
  }
  expect(path).toBeUndefined();
  expect(seen).toEqual(Array.from({ length: 120 }, (_, n) => `N${119 - n}`));
  const { $ } = await documentAt('/activity?kind=aircraft', scene.cookies.administrator);
  const older = await documentAt($('.pager a[rel=next]').attr('href') ?? '', scene.cookies.administrator);
  const back = await documentAt(older.$('.pager a[rel=prev]').attr('href') ?? '', scene.cookies.administrator);
  expect(back.$('tbody tr').first().text()).toContain('N119');
});

it("days are those of the school's time zone, first and last included (B466)", async () => {
  const { schoolId: school_id } = scene;
  await db.updateTable('schools').set({ time_zone: 'America/Los_Angeles' }).where('id', '=', school_id).execute();
  const at = (time: string) => ({ school_id, action: time, subject: 'school', created_at: new Date(time) });
  const times = [
    '2026-05-12T06:59:59.999Z',
    '2026-05-12T07:00:00Z',
    '2026-05-13T06:59:59.999Z',
    '2026-05-13T07:00:00Z',
  ];
  await db.insertInto('audit_entries').values(times.map(at)).execute();
  const rows = await rowsAt('/activity?from=2026-05-12&to=2026-05-12');
  expect(rows.map(([what]) => what)).toEqual([`${times[2]} (school)`, `${times[1]} (school)`]);
});

it('the filter is a form that works by GET, offers deleted users apart, and is 400 for nonsense (B466)', async () => {
  for (const query of ['person=x', 'kind=nonsense', 'from=2026-02-30', 'to=yesterday', 'after=x']) {
    const request = getRequest(`/activity?${query}`, scene.cookies.administrator);
    expect((await answerTo(request)).status, query).toBe(400);
  }
  const { id, username } = scene.people.student;
  await scene.call('DELETE', `/api/users/${id}`);
  const query = `?person=${id}&kind=people&from=2026-01-01`;
  const { $ } = await documentAt(`/activity${query}`, scene.cookies.administrator);
  expect($('form.filter-form').attr('method')).toBe('get');
  expect($('select[name=person] option[selected]').text()).toBe(username);
  expect($('select[name=person] optgroup').attr('label')).toBe('Deleted users');
  expect($('select[name=kind] option[selected]').val()).toBe('people');
  expect($('input[name=from]').attr('value')).toBe('2026-01-01');
  expect($('.screen-header a').attr('href')).toBe(`/api/activity/export${query}`);
});

it('the CSV has the events of the same filters, and no cell runs as a formula (B466, C44)', async () => {
  await scene.post('/airplanes/add', { ...aircraft, make: '=1+1' });
  await scene.signIn(PASSWORD);
  await recorder.flush();
  const csv = String(await scene.open(`/api/activity/export?kind=aircraft&person=${scene.people.administrator.id}`));
  const [header, line, ...more] = csv.replace('\uFEFF', '').trimEnd().split('\r\n');
  expect(header).toBe('id,time,what,details,person,address,outcome,times,request_id,kind');
  expect(line).toContain(`,Aircraft N46FL added,Tail number N46FL; Make =1+1; Model 172S; Year 2004; Status available`);
  expect(line).toMatch(
    new RegExp(`,${scene.people.administrator.username},${ADDRESS},done,1,[\\da-f-]{36},added aircraft$`),
  );
  expect(more).toEqual([]);
  const zone = { time_zone: 'Pacific/Kiritimati' };
  await db.updateTable('schools').set(zone).where('id', '=', scene.schoolId).execute();
  expect(String(await scene.open('/api/activity/export?kind=aircraft'))).toMatch(/^\d+,[\dT:.-]+\+14:00,/m);
  await db.updateTable('aircraft').set({ tail_number: '=2+2' }).where('school_id', '=', scene.schoolId).execute();
  await db.updateTable('users').set({ username: '=3+3' }).where('id', '=', scene.people.administrator.id).execute();
  expect(String(await scene.open('/api/activity/export?kind=aircraft'))).toContain(",'=3+3,");
});
