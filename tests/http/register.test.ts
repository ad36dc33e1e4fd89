import { beforeEach, expect, it } from 'vitest';
import { inTransaction } from '#db/transaction.ts';
import { makeInvitation, makeSchool, makeUser, type Member, testDatabase } from '#tests/support/makers.ts';
import { answerTo, formRequest, getRequest, jsonRequest, keptCookies, toastAfter } from '#tests/support/ask.ts';
import { documentAt, nightly } from '#tests/support/pages.ts';
import { findPendingInvitations } from '#app/domain/invitations/queries.server.ts';
import { queueMail } from '#app/domain/mail/queries.server.ts';
import { findUserByUsername } from '#app/domain/people/queries.server.ts';

const { db } = await testDatabase();
const schoolId = await makeSchool(db, { name: 'Sound Aviation' });
const elsewhere = await makeUser(db, await makeSchool(db), 'administrator');

let boss: Member;
let invitation: { id: number; token: string; email: string };
let username: string;
let nth = 0;
beforeEach(async () => {
  nth += 1;
  username = `Zoë ${nth}`;
  boss = await makeUser(db, schoolId, 'administrator');
  invitation = await makeInvitation(db, boss);
});

const typed = () => ({ token: invitation.token, username, password: 'gull-9', confirmPassword: 'gull-9' });
const page = (search: string, cookie = '') => answerTo(getRequest(`/register${search}`, cookie));
const post = (fields: Record<string, string>, cookie = '') =>
  answerTo(formRequest(`/register?token=${fields.token}`, fields, cookie));
const register = (body: object, cookie = '', headers = {}) =>
  answerTo(jsonRequest('POST', '/api/register', body, cookie, headers));
const viaCall = (more: object = {}) => ({ invitationToken: invitation.token, username, password: 'gull-9', ...more });
const usersByEmail = () => db.selectFrom('users').selectAll().where('email', '=', invitation.email).execute();

async function expectRefusedLink(answer: Awaited<ReturnType<typeof page>>) {
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/auth']);
  expect(await toastAfter(answer)).toMatchObject({
    title: 'Error',
    text: 'Invalid or expired invitation',
    tone: 'destructive',
  });
}

it('registration shows person, role and school; without a good token it leads to sign-in (B017, B063-B069, C22)', async () => {
  const answer = await page(`?token=${invitation.token}`);
  expect(answer).toMatchObject({
    status: 200,
    body: {
      signedInAs: null,
      token: invitation.token,
      invitation: {
        email: invitation.email,
        name: 'Zoë Invited',
        role: 'instructor',
        flightSchoolName: 'Sound Aviation',
      },
    },
  });
  expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
  for (const search of ['', '?token=', '?token=&x=1']) {
    const answer = await page(search);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/auth']);
    expect(await toastAfter(answer)).toBeNull();
  }
  expect(await post({ username, token: '' })).toMatchObject({ status: 303 });
  const used = await makeInvitation(db, boss, { accepted_at: new Date(), accepted_by: boss.id });
  const expired = await makeInvitation(db, boss, { expires_at: new Date(Date.now() - 1) });
  const deleted = await makeInvitation(db, boss);
  await db.deleteFrom('invitations').where('id', '=', deleted.id).execute();
  const others = [used.token, expired.token, deleted.token, `${invitation.token}x`, String(invitation.id)];
  for (const token of ['x', ...others]) await expectRefusedLink(await page(`?token=${token}`));
});

it('registering creates the invited user, whatever is sent, who signs in (B068, B071, B077, B078, B292, B824, C21)', async () => {
  const forged = { email: 'mine@evil.example', role: 'administrator', name: 'x' };
  const answer = await post({ ...typed(), ...forged, flightSchoolId: String(elsewhere.schoolId) });
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/auth']);
  expect(await toastAfter(answer)).toMatchObject({
    title: 'Success',
    text: 'Registration successful! You can now log in.',
  });
  expect(answer.headers.getSetCookie().join()).not.toMatch(/flightline=/);
  expect(await findUserByUsername(db, username)).toMatchObject({
    email: invitation.email,
    role: 'instructor',
    school_id: schoolId,
  });
  expect((await findPendingInvitations(db, schoolId)).map(({ id }) => id)).not.toContain(invitation.id);
  const signedIn = await answerTo(jsonRequest('POST', '/api/login', { username, password: 'gull-9' }));
  expect(signedIn.status).toBe(200);
  const { $ } = await documentAt('/auth', keptCookies(answer));
  expect([$('[name="username"]').attr('value'), $('[name="password"]').attr('value')]).toEqual([username, undefined]);
  expect((await documentAt('/auth')).$('[name="username"]').attr('value')).toBeUndefined();
});

it('an invitation whose mail still waits when its link is used is not mailed any more (B638)', async () => {
  const to = { name: 'Zoë', address: invitation.email };
  const link = { label: 'Register', url: 'http://localhost:3000' };
  const letter = { subject: 'Come', before: [], link, after: [] };
  const until = new Date(Date.now() + 60_000);
  const mailId = await inTransaction(db, (trx) => queueMail(trx, schoolId, to, letter, until));
  await db.updateTable('invitations').set({ mail_id: mailId }).where('id', '=', invitation.id).execute();
  expect((await post(typed())).status).toBe(303);
  expect(await db.selectFrom('mail_outbox').select('id').where('id', '=', mailId).execute()).toEqual([]);
});

it('what is wrong with a registration, a taken username too, is told beside its fields, no password (B072-B076)', async () => {
  const short = 'Password must be at least 6 characters';
  for (const [wrong, error] of [
    [{ username: ' ' }, { username: 'Username is required' }],
    [{ password: '12345', confirmPassword: '12345' }, { password: short }],
    [{ confirmPassword: '' }, { confirmPassword: 'Please confirm your password' }],
    [{ confirmPassword: 'Secret' }, { confirmPassword: 'Passwords do not match' }],
    [{ password: '12345' }, { password: short, confirmPassword: 'Passwords do not match' }],
    [
      { username: '', confirmPassword: '' },
      { username: 'Username is required', confirmPassword: 'Please confirm your password' },
    ],
  ] as [object, Record<string, string>][]) {
    const { status, body } = await post({ ...typed(), ...wrong });
    const told = Object.fromEntries(Object.entries(error).map(([name, text]) => [name, [text]]));
    expect([status, (body as { result: { error: object } }).result.error]).toEqual([400, told]);
  }
  expect(await usersByEmail()).toEqual([]);
  const answer = await post({ ...typed(), username: elsewhere.username.toUpperCase() });
  expect(answer).toMatchObject({
    status: 409,
    body: {
      toast: { title: 'Error', text: 'Username already exists', tone: 'destructive' },
      result: {
        initialValue: { username: elsewhere.username.toUpperCase() },
        error: { username: ['Username already exists'] },
      },
    },
  });
  expect(JSON.stringify(answer.body)).not.toContain('gull-9');
  expect((await post(typed())).status).toBe(303);
});

it('POST /api/register with a token creates one user; another token is 404 first (B231, B248, B292, C21, C33, C59)', async () => {
  const answer = await register(
    viaCall({ email: 'mine@evil.example', role: 'administrator', flightSchoolId: elsewhere.schoolId }),
  );
  expect(answer.status).toBe(201);
  expect(JSON.parse(String(answer.body))).toEqual({
    id: expect.any(Number),
    username,
    name: 'Zoë Invited',
    email: invitation.email,
    role: 'instructor',
    flightSchoolId: schoolId,
  });
  expect(answer.headers.getSetCookie()).toEqual([]);
  for (const invitationToken of ['x', invitation.token, String(invitation.id)]) {
    const fields = invitationToken === invitation.token ? {} : { username: '', password: '' };
    expect(await register({ ...viaCall(), username: 'other', ...fields, invitationToken })).toMatchObject({
      status: 404,
      body: 'Invalid or expired invitation',
    });
  }
});

it('twenty registrations at once with one token create one user (B319)', async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, at) => register(viaCall({ username: `${username} ${at}` }))),
  );
  const statuses = answers.map(({ status }) => status).toSorted();
  expect(statuses).toEqual([201, ...Array<number>(19).fill(404)]);
  expect(await usersByEmail()).toHaveLength(1);
});

nightly('twenty registrations at once with one username and twenty tokens create one user (B319, B323)', async () => {
  const invitations = await Promise.all(Array.from({ length: 20 }, () => makeInvitation(db, boss)));
  const answers = await Promise.all(
    invitations.map(({ token }, at) =>
      register(viaCall({ invitationToken: token, username: at % 2 ? username : ` ${username.toUpperCase()} ` })),
    ),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array<number>(19).fill(409)]);
});

it('POST /api/register with a token is 400 for invalid fields, and 409 for a username that is taken (C59, B073)', async () => {
  const short = 'Password must be at least 6 characters';
  for (const [fields, status, body] of [
    [{ password: '12345' }, 400, short],
    [{ username: null, password: 7 }, 400, `Username is required\n${short}`],
    [{ username: elsewhere.username }, 409, 'Username already exists'],
  ] as const)
    expect(await register(viaCall(fields))).toMatchObject({ status, body });
  expect((await findPendingInvitations(db, schoolId)).map(({ id }) => id)).toContain(invitation.id);
});
