import { beforeAll, expect, it } from 'vitest';
import { completed, makeFlight, makeInvitation, type Member, testDatabase } from '#tests/support/makers.ts';
import { makeAircraft, makePeople, makeSchool, PASSWORD } from '#tests/support/school.ts';
import { answerTo, cookieOf, formRequest, getRequest, jsonRequest } from '#tests/support/ask.ts';
import { hashLinkToken } from '#app/domain/link-tokens.server.ts';
import type { Role } from '#db/roles.ts';

const { db } = await testDatabase();
const schoolId = await makeSchool(db);

let people: Record<Role, Member>, aircraftId: number, secrets: string[];
beforeAll(async () => {
  people = await makePeople(db, schoolId);
  aircraftId = await makeAircraft(db, schoolId);
  const landed = completed('2026-05-12T08:00:00Z', '2026-05-12T09:00:00Z');
  await makeFlight(db, people.student, aircraftId, { ...landed, instructor_id: people.instructor.id });
  const { token } = await makeInvitation(db, people.administrator);
  const admin = await cookieOf(db, people.administrator);
  const fields = { intent: 'send-password-link', userId: String(people.student.id) };
  await answerTo(formRequest('/users?index', fields, admin));
  const column = async (table: 'users' | 'password_links' | 'sessions', name: string) =>
    (await db.selectFrom(table).selectAll().execute()).map((row) =>
      String(Object.entries(row).find(([key]) => key === name)?.[1]),
    );
  secrets = [
    ...[PASSWORD, token, hashLinkToken(token), '$argon2', 'password_hash', 'passwordHash', 'token_hash', 'tokenHash'],
    ...(await column('users', 'password_hash')),
    ...(await column('password_links', 'token_hash')),
    ...(await column('sessions', 'id')),
  ];
});

const SCREENS = [
  ...['/', '/airplanes', '/airplanes/add', '/users', '/users/add', '/users/invitations', '/ocr', '/ocr/history'],
  ...['/flight-log', '/flight-log?step=1', '/flight-log?step=2', '/flight-logs', '/flight-logs?show=cancelled'],
  '/school-settings',
];
const CALLS = [
  ...['/api/user', '/api/flight-school', '/api/flight-logs', '/api/flight-logs/open', '/api/flight-logs/export'],
  ...['/api/aircraft', '/api/users', '/api/users?role=student', '/api/ocr-results', '/api/invitations'],
];

it.each(['administrator', 'student'] as const)(
  'no screen and no call gives %s a password, a hash, a token or a session (B231, B238, C34)',
  async (role) => {
    const user = people[role];
    const cookie = await cookieOf(db, user);
    const id = await makeFlight(db, user, await makeAircraft(db, schoolId));
    const ofFlight = [
      '/flight-logs?log=ID',
      '/flight-log/ID/post-check',
      '/flight-logs/ID/cancel',
      '/api/flight-logs/ID',
    ];
    const flight = ofFlight.map((path) => path.replace('ID', String(id)));
    for (const path of [...SCREENS, ...CALLS, ...flight]) {
      const { status, body } = await answerTo(getRequest(path, cookie));
      expect([200, 403, 404], path).toContain(status);
      const text = JSON.stringify(body);
      const told = secrets.filter((secret) => text.includes(secret));
      expect([path, told]).toEqual([path, []]);
    }
  },
);

it('no write is answered with a password, a hash, a token or a session (B231)', async () => {
  const cookie = await cookieOf(db, people.administrator);
  const { token } = await makeInvitation(db, people.administrator);
  const added = { username: 'added', email: 'added@b.example', password: PASSWORD, role: 'student' };
  const invited = { invitationToken: token, username: 'invited', password: PASSWORD };
  const answers = [
    await answerTo(jsonRequest('POST', '/api/register', added, cookie)),
    await answerTo(jsonRequest('POST', '/api/register', invited)),
    await answerTo(jsonRequest('POST', '/api/login', { username: 'added', password: PASSWORD })),
    await answerTo(
      jsonRequest('POST', '/api/invitations', { name: 'Ben', email: 'ben@b.example', role: 'student' }, cookie),
    ),
    await answerTo(formRequest('/users/add', { ...added, password: `${PASSWORD}!` }, cookie)),
    await answerTo(formRequest('/login', { username: 'added', password: `${PASSWORD}!` })),
  ];
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 200, 201, 409, 401]);
  for (const { body } of answers) {
    const text = JSON.stringify(body);
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
    expect(text).not.toContain(token);
  }
});
