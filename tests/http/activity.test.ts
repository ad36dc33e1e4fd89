import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Role } from '#db/roles.ts';
import type { Member } from '#app/domain/actor.ts';
import { recorder } from '#app/server/event-recorder.server.ts';
import { testDatabase } from '#tests/support/database.ts';
import { documentAt } from '#tests/support/documents.ts';
import { completed, makeFlight } from '#tests/support/flight.ts';
import { makeInvitation } from '#tests/support/invitation.ts';
import { linkIn } from '#tests/support/read-mail.ts';
import { cookieOf, formRequest, getRequest, jsonRequest } from '#tests/support/requests.ts';
import { answerTo } from '#tests/support/routes.ts';
import { makeAircraft, makePeople, makeSchool, PASSWORD } from '#tests/support/school.ts';

const { db } = await testDatabase();

let schoolId: number;
let people: Record<Role, Member>;
let cookies: Record<Role, string>;
beforeEach(async () => {
  schoolId = await makeSchool(db);
  people = await makePeople(db, schoolId);
  const { administrator, instructor, student } = people;
  cookies = {
    administrator: await cookieOf(db, administrator),
    instructor: await cookieOf(db, instructor),
    student: await cookieOf(db, student),
  };
});

const ADDRESS = '203.0.113.7';
const landed = completed('2026-05-12T08:00:00Z', '2026-05-12T09:00:00Z');

async function send(request: Request): Promise<unknown> {
  request.headers.set('x-client-address', ADDRESS);
  return (await answerTo(request)).body;
}
const post = (path: string, fields: Record<string, string>, as: Role | '' = 'administrator') =>
  send(formRequest(path, fields, as && cookies[as]));
const call = (method: 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown, as: Role | '' = 'administrator') =>
  send(jsonRequest(method, path, body, as && cookies[as]));
const open = (path: string, as: Role = 'administrator') => send(getRequest(path, cookies[as]));
const plane = (columns = {}) => makeAircraft(db, schoolId, { tail_number: 'N46FL', ...columns });
const flight = async (columns = {}) => makeFlight(db, people.instructor, await plane(), columns);
const invitation = () => makeInvitation(db, people.administrator, { email: 'ben@mail.example' });
const signIn = (password: string) => post('/login', { username: people.student.username, password }, '');
const signInByCall = (password: string) =>
  call('POST', '/api/login', { username: people.student.username, password }, '');
const fromElsewhere = (request: Request) => {
  request.headers.delete('origin');
  request.headers.set('sec-fetch-site', 'cross-site');
  return send(request);
};
const tenTimes = async (work: () => Promise<unknown>) => {
  for (let count = 0; count < 10; count += 1) await work();
};
const aircraft = { tailNumber: 'N46FL', make: 'Cessna', model: '172S', year: '2004' };
const settings = { name: 'Sound Aviation', address: '1 Field Road', phone: '555 0100' };

async function saveReading() {
  const own = { school_id: schoolId, user_id: people.administrator.id };
  const photo = { ...own, content: Buffer.from('jpeg'), width: 1, height: 1 };
  const { id: photo_id } = await db.insertInto('photos').values(photo).returning('id').executeTakeFirstOrThrow();
  const read = { meter_type: 'hobbs', detected_text: '201.5', confidence: '0.9' } as const;
  const scan = { ...own, ...read, photo_id, aircraft_id: await plane({ last_hobbs: '200.0' }) };
  const { id } = await db.insertInto('scans').values(scan).returning('id').executeTakeFirstOrThrow();
  await post(`/ocr/${id}/save`, {});
}

async function correct() {
  const id = await flight(landed);
  const starts = { startHobbsTime: '100.0', startTachTime: '90.0' };
  const readings = { ...starts, endHobbsTime: '101.4', endTachTime: '91.0', reason: 'Misread' };
  const body = await post(`/flight-logs/${id}/correct`, { intent: 'preview', ...readings });
  const { digest } = z.object({ preview: z.object({ digest: z.string() }) }).parse(body).preview;
  await post(`/flight-logs/${id}/correct`, { intent: 'save', seen: digest, ...readings });
}

async function choosePassword() {
  await post('/users?index', { intent: 'send-password-link', userId: String(people.student.id) });
  const mail = await db
    .selectFrom('mail_outbox')
    .selectAll()
    .where('school_id', '=', schoolId)
    .executeTakeFirstOrThrow();
  const token = new URL(linkIn({ text: mail.body_text }), 'http://x').searchParams.get('token') ?? '';
  await post('/reset-password', { token, password: 'chosen-by-link', confirmPassword: 'chosen-by-link' }, '');
}

async function register() {
  const { token } = await invitation();
  const typed = { password: PASSWORD, confirmPassword: PASSWORD };
  await post('/register', { token, username: `guest-${schoolId}`, ...typed }, '');
}

type Act = [title: string, kind: string, does: () => Promise<unknown>, says: string | (() => string), by?: Role];
const newUser = (role: Role) => ({ username: `new-${schoolId}`, email: 'new@b.example', password: PASSWORD, role });
const ofStudent = (text: (name: string) => string) => () => text(people.student.username);

/** Acts that are privileged or refused, the kind to filter by, how they read, and whose they are. */
const ACTS: Act[] = [
  ['a sign-in by the form', 'signed in', () => signIn(PASSWORD), ofStudent((name) => `${name} signed in`), 'student'],
  [
    'a sign-in by a call',
    'sign-ins',
    () => signInByCall(PASSWORD),
    ofStudent((name) => `${name} signed in`),
    'student',
  ],
  [
    'a wrong password in the form',
    'failed to sign in',
    () => signIn('wrong!'),
    ofStudent((name) => `Sign-in as ${name} failed: wrong password`),
    'student',
  ],
  [
    'a wrong password in a call',
    'failed to sign in',
    () => signInByCall('wrong!'),
    ofStudent((name) => `Sign-in as ${name} failed: wrong password`),
    'student',
  ],
  [
    'a lock-out by the form',
    'locked out',
    async () => {
      await tenTimes(() => signIn('wrong!'));
      await signIn(PASSWORD);
    },
    ofStudent((name) => `Sign-in as ${name} refused: too many attempts`),
    'student',
  ],
  [
    'a lock-out by calls',
    'locked out',
    async () => {
      await tenTimes(() => signInByCall('wrong!'));
      await signInByCall(PASSWORD);
    },
    ofStudent((name) => `Sign-in as ${name} refused: too many attempts`),
    'student',
  ],
  [
    'a log-out by the form',
    'signed out',
    () => post('/logout', {}, 'student'),
    ofStudent((name) => `${name} signed out`),
    'student',
  ],
  [
    'a log-out by a call',
    'signed out',
    () => call('POST', '/api/logout', undefined, 'student'),
    ofStudent((name) => `${name} signed out`),
    'student',
  ],

  [
    'opening the invitations without the role',
    'refused request',
    () => open('/users/invitations', 'student'),
    'Not permitted: opening /users/invitations',
    'student',
  ],
  [
    'opening the activity without the role',
    'refusals',
    () => open('/activity', 'instructor'),
    'Not permitted: opening /activity',
    'instructor',
  ],
  [
    'closing a flight on behalf without the role',
    'refusals',
    () => open('/flight-logs/1/close', 'instructor'),
    'Not permitted: opening /flight-logs/1/close',
    'instructor',
  ],
  [
    'adding an aircraft by the form without the role',
    'refusals',
    () => post('/airplanes/add', aircraft, 'student'),
    'Not permitted: sending to /airplanes/add',
    'student',
  ],
  [
    'adding an aircraft by a call without the role',
    'refusals',
    () => call('POST', '/api/aircraft', aircraft, 'instructor'),
    'Not permitted: sending to /api/aircraft',
    'instructor',
  ],
  [
    'deleting an aircraft without the role',
    'refusals',
    async () => call('DELETE', `/api/aircraft/1`, undefined, 'student'),
    'Not permitted: sending to /api/aircraft/1',
    'student',
  ],
  [
    'grounding an aircraft without the role',
    'refusals',
    () => call('PUT', '/api/aircraft/1/status', { status: null }, 'student'),
    'Not permitted: sending to /api/aircraft/1/status',
    'student',
  ],
  [
    'exporting flight logs without the role',
    'refusals',
    () => open('/api/flight-logs/export', 'student'),
    'Not permitted: opening /api/flight-logs/export',
    'student',
  ],
  [
    'exporting the activity without the role',
    'refusals',
    () => open('/api/activity/export', 'student'),
    'Not permitted: opening /api/activity/export',
    'student',
  ],
  [
    'inviting without the role',
    'refusals',
    () => call('POST', '/api/invitations', {}, 'instructor'),
    'Not permitted: sending to /api/invitations',
    'instructor',
  ],
  [
    'listing invitations without the role',
    'refusals',
    () => open('/api/invitations', 'student'),
    'Not permitted: opening /api/invitations',
    'student',
  ],
  [
    'deleting an invitation without the role',
    'refusals',
    () => call('DELETE', '/api/invitations/1', undefined, 'student'),
    'Not permitted: sending to /api/invitations/1',
    'student',
  ],
  [
    'changing the school without the role',
    'refusals',
    () => call('PUT', '/api/flight-school', settings, 'student'),
    'Not permitted: sending to /api/flight-school',
    'student',
  ],
  [
    'deleting a user without the role',
    'refusals',
    () => call('DELETE', '/api/users/1', undefined, 'instructor'),
    'Not permitted: sending to /api/users/1',
    'instructor',
  ],
  [
    "cancelling another's check-out",
    'refusals',
    async () => post(`/flight-logs/${await flight()}/cancel`, { reason: 'Fog' }, 'student'),
    'Not permitted: sending to /flight-logs/',
    'student',
  ],
  [
    "correcting another's flight",
    'refusals',
    async () => open(`/flight-logs/${await flight(landed)}/correct`, 'student'),
    'Not permitted: opening /flight-logs/',
    'student',
  ],
  [
    "completing another's flight",
    'refusals',
    async () =>
      call(
        'POST',
        `/api/flight-logs/${await flight()}/complete`,
        { endHobbsTime: '101.2', endTachTime: '91.0' },
        'student',
      ),
    'Not permitted: sending to /api/flight-logs/',
    'student',
  ],
  [
    'a form from another website',
    'refused request from another site',
    () => fromElsewhere(formRequest('/airplanes/add', aircraft, cookies.administrator)),
    'Refused a request from another website: sending to /airplanes/add',
    'administrator',
  ],
  [
    'a call from another website',
    'refusals',
    () => fromElsewhere(jsonRequest('POST', '/api/aircraft', aircraft, cookies.student)),
    'Refused a request from another website: sending to /api/aircraft',
    'student',
  ],
  [
    'a log-out from another website',
    'refusals',
    () => fromElsewhere(formRequest('/logout', {}, cookies.student)),
    'Refused a request from another website: sending to /logout',
    'student',
  ],

  [
    'adding a user by the form',
    'added user',
    () => post('/users/add', newUser('student')),
    () => `User new-${schoolId} added`,
  ],
  [
    'adding an administrator by a call',
    'people',
    () => call('POST', '/api/register', newUser('administrator')),
    () => `User new-${schoolId} added`,
  ],
  [
    'deleting a user',
    'deleted user',
    () => call('DELETE', `/api/users/${people.student.id}`),
    ofStudent((name) => `User ${name} deleted`),
  ],
  [
    'sending a password link',
    'sent password link',
    () => post('/users?index', { intent: 'send-password-link', userId: String(people.student.id) }),
    ofStudent((name) => `Link for a new password sent to ${name}`),
  ],
  [
    'choosing a password by a link',
    'set password by link',
    choosePassword,
    ofStudent((name) => `${name} chose a new password`),
    'student',
  ],
  [
    'inviting',
    'sent invitation',
    () => call('POST', '/api/invitations', { name: 'Ben', email: 'ben@mail.example', role: 'student' }),
    'Invitation sent to ben@mail.example',
  ],
  [
    'inviting again',
    'sent invitation again',
    async () =>
      post('/users/invitations', { intent: 'resend-invitation', invitationId: String((await invitation()).id) }),
    'Invitation sent again to ben@mail.example',
  ],
  [
    'deleting an invitation',
    'invitations',
    async () => call('DELETE', `/api/invitations/${(await invitation()).id}`),
    'Invitation of ben@mail.example deleted',
  ],
  ['adding an aircraft', 'added aircraft', () => post('/airplanes/add', aircraft), 'Aircraft N46FL added'],
  [
    'deleting an aircraft',
    'deleted aircraft',
    async () => call('DELETE', `/api/aircraft/${await plane()}`),
    'Aircraft N46FL deleted',
  ],
  [
    'grounding an aircraft',
    'set to maintenance',
    async () => call('PUT', `/api/aircraft/${await plane()}/status`, { status: 'maintenance' }),
    'Aircraft N46FL set to maintenance',
  ],
  [
    'making an aircraft available',
    'aircraft',
    async () => call('PUT', `/api/aircraft/${await plane({ maintenance_since: new Date() })}/status`, { status: null }),
    'Aircraft N46FL marked as available',
  ],
  ['saving a last reading', 'saved last reading', saveReading, 'Last reading of N46FL saved Hobbs 200.0 → 201.5'],
  [
    'closing a flight on behalf',
    'closed flight on behalf',
    async () =>
      post(`/flight-logs/${await flight()}/close`, { endHobbsTime: '101.2', endTachTime: '91.0', reason: 'Left' }),
    'closed on behalf of its pilot End Hobbs 101.2 End tach 91.0 Reason: Left',
  ],
  [
    'cancelling a check-out',
    'cancelled check-out',
    async () => post(`/flight-logs/${await flight()}/cancel`, { reason: 'Fog' }),
    'cancelled Reason: Fog',
  ],
  ['correcting readings', 'flights', correct, 'corrected End Hobbs 101.2 → 101.4 Reason: Misread'],
  ['exporting flight logs', 'exported flight logs', () => open('/api/flight-logs/export'), 'All flight logs exported'],
  ['exporting the activity', 'exports', () => open('/api/activity/export'), 'Activity exported'],
  [
    'saving the settings',
    'saved school settings',
    () => post('/school-settings', settings),
    'School settings saved Name Cascade Flight School → Sound Aviation',
  ],
];

const today = () => new Date().toISOString().slice(0, 10);

/** The rows of the screen, each as its sentence, its details and its badge, when, whose and from where. */
async function rowsAt(path: string, as: Role = 'administrator'): Promise<string[][]> {
  await recorder.flush();
  const { $, status } = await documentAt(path, cookies[as]);
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

describe('the activity', () => {
  it('B460: the acts of this list are more than forty, and all different', () => {
    expect(new Set(ACTS.map(([title]) => title)).size).toBe(ACTS.length);
    expect(ACTS.length).toBeGreaterThan(40);
  });

  it.each(ACTS)(
    'B460 B466: after %s the activity has it under the kind %s, its person and its day, with the address',
    async (_title, kind, does, says, by = 'administrator') => {
      await does();
      const filter = new URLSearchParams({ kind, person: String(people[by].id), from: today(), to: today() });
      const rows = await rowsAt(`/activity?${filter}`);
      const sentence = typeof says === 'string' ? says : says();
      const found = rows.filter(([what = '']) => what.includes(sentence));
      expect(found, JSON.stringify(rows)).not.toEqual([]);
      expect(found[0]?.[3]).toBe(ADDRESS);
      const otherKind = /export/.test(kind) ? 'people' : 'exports';
      for (const [name, value] of [
        ['kind', otherKind],
        ['to', '2001-01-01'],
        ['from', '2999-01-01'],
      ] as const) {
        const other = new URLSearchParams(filter);
        other.set(name, value);
        const elsewhere = await rowsAt(`/activity?${other}`);
        expect(elsewhere.filter(([what = '']) => what.includes(sentence))).toEqual([]);
      }
    },
  );

  it('B460: a registration by invitation is found as an act of the new user', async () => {
    await register();
    const rows = await rowsAt('/activity?kind=registered+by+invitation');
    expect(rows).toMatchObject(
      [
        [
          `guest-${schoolId} registered with an invitation Username guest-${schoolId} Role instructor Email ben@mail.example`,
          /GMT|UTC/,
          `guest-${schoolId}`,
          ADDRESS,
        ],
      ].map(([what, , who, where]) => [what, expect.any(String), who, where]),
    );
  });

  it('B460: an event has the id of its request, the same in all that one request did', async () => {
    await post('/users/add', newUser('administrator'));
    const events = await db
      .selectFrom('audit_entries')
      .selectAll()
      .where('school_id', '=', schoolId)
      .orderBy('id')
      .execute();
    expect(events.map(({ action }) => action)).toEqual(['added user', 'alerted administrators']);
    expect(events[0]?.request_id).toMatch(/^[\da-f-]{36}$/);
    expect(events[1]?.request_id).toBe(events[0]?.request_id);
  });

  it('B463: no event has a password, a token, a cookie, or the name that somebody unknown typed', async () => {
    await post('/users/add', newUser('student'));
    await choosePassword();
    await post('/login', { username: 'my-secret-typed-as-name', password: 'wrong-secret!' }, '');
    await fromElsewhere(
      formRequest('/register?token=abc-secret-token', { token: 'abc-secret-token' }, cookies.student),
    );
    await send(getRequest('/api/invitations/abcdefghijklmnopqrstuvwxyz0123456789abcdefg', cookies.student));
    await recorder.flush();
    const rows = JSON.stringify(await db.selectFrom('audit_entries').selectAll().execute());
    expect(rows).toContain('failed to sign in');
    for (const secret of [PASSWORD, 'chosen-by-link', 'secret', 'abcdefghijkl', 'flightline='])
      expect(rows).not.toContain(secret);
    for (const cookie of Object.values(cookies)) expect(rows).not.toContain(cookie.split('=')[1]);
  });

  it('B466: older and newer pages have every event once, fifty on each', async () => {
    const created_at = new Date('2026-05-12T10:00:00.123Z');
    const entry = {
      school_id: schoolId,
      user_id: people.student.id,
      action: 'added aircraft',
      subject: 'aircraft',
      created_at,
    };
    await db
      .insertInto('audit_entries')
      .values(Array.from({ length: 120 }, (_, n) => ({ ...entry, after: JSON.stringify({ tailNumber: `N${n}` }) })))
      .execute();
    const seen: string[] = [];
    let path: string | undefined = '/activity?kind=aircraft';
    for (const length of [50, 50, 20]) {
      const { $ } = await documentAt(path ?? '', cookies.administrator);
      const tails = $('tbody th')
        .toArray()
        .map((cell) => /N\d+/.exec($(cell).text())?.[0] ?? '');
      expect(tails).toHaveLength(length);
      seen.push(...tails);
      path = $('.pager a[rel=next]').attr('href');
    }
    expect(path).toBeUndefined();
    expect(seen).toEqual(Array.from({ length: 120 }, (_, n) => `N${119 - n}`));
    const { $ } = await documentAt('/activity?kind=aircraft', cookies.administrator);
    const older = await documentAt($('.pager a[rel=next]').attr('href') ?? '', cookies.administrator);
    const back = await documentAt(older.$('.pager a[rel=prev]').attr('href') ?? '', cookies.administrator);
    expect(back.$('tbody tr').first().text()).toContain('N119');
  });

  it("B466: days are those of the school's time zone, first and last included", async () => {
    await db.updateTable('schools').set({ time_zone: 'America/Los_Angeles' }).where('id', '=', schoolId).execute();
    const at = (time: string) => ({ school_id: schoolId, action: time, subject: 'school', created_at: new Date(time) });
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

  it.each(['person=x', 'kind=nonsense', 'from=2026-02-30', 'to=yesterday', 'after=x'])(
    'B466: the activity with %s is refused with 400',
    async (query) => {
      expect((await answerTo(getRequest(`/activity?${query}`, cookies.administrator))).status).toBe(400);
    },
  );

  it('B466: the filter is a form that works by GET, and offers deleted users apart', async () => {
    await call('DELETE', `/api/users/${people.student.id}`);
    const { $ } = await documentAt(
      `/activity?person=${people.student.id}&kind=people&from=2026-01-01`,
      cookies.administrator,
    );
    expect($('form.filter-form').attr('method')).toBe('get');
    expect($('select[name=person] option[selected]').text()).toBe(people.student.username);
    expect($('select[name=person] optgroup').attr('label')).toBe('Deleted users');
    expect($('select[name=kind] option[selected]').val()).toBe('people');
    expect($('input[name=from]').attr('value')).toBe('2026-01-01');
    expect($('.screen-header a').attr('href')).toBe(
      `/api/activity/export?person=${people.student.id}&kind=people&from=2026-01-01`,
    );
  });

  it('B466 C44: the CSV has the events of the same filters, and no cell runs as a formula', async () => {
    await post('/airplanes/add', { ...aircraft, make: '=1+1' });
    await signIn(PASSWORD);
    await recorder.flush();
    const csv = String(await open(`/api/activity/export?kind=aircraft&person=${people.administrator.id}`));
    const [header, line, ...more] = csv.replace('\uFEFF', '').trimEnd().split('\r\n');
    expect(header).toBe('id,time,what,details,person,address,outcome,times,request_id,kind');
    expect(line).toContain(
      `,Aircraft N46FL added,Tail number N46FL; Make =1+1; Model 172S; Year 2004; Status available`,
    );
    expect(line).toMatch(
      new RegExp(`,${people.administrator.username},${ADDRESS},done,1,[\\da-f-]{36},added aircraft$`),
    );
    expect(more).toEqual([]);
    await db.updateTable('aircraft').set({ tail_number: '=2+2' }).where('school_id', '=', schoolId).execute();
    await db.updateTable('users').set({ username: '=3+3' }).where('id', '=', people.administrator.id).execute();
    expect(String(await open('/api/activity/export?kind=aircraft'))).toContain(",'=3+3,");
  });

  it('B460: an administrator without a school sees an empty activity', async () => {
    await db.updateTable('users').set({ school_id: null }).where('id', '=', people.administrator.id).execute();
    expect(await rowsAt('/activity')).toEqual([]);
  });
});
