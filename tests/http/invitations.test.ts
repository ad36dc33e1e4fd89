import { beforeEach, expect, it } from 'vitest';
import { makeInvitation, makeSchool, makeUser, type Member, testDatabase } from '#tests/support/makers.ts';
import { type Answer, cookieOf, formRequest, getRequest, jsonRequest, toastAfter } from '#tests/support/ask.ts';
import { answerTo } from '#tests/support/routes.ts';
import { nightly } from '#tests/support/takes-all.ts';
import { hashLinkToken } from '#app/domain/link-tokens.server.ts';
import { env } from '#app/env.server.ts';
import { withMailServer } from '#tests/support/mail-server-setting.ts';
import { linkIn } from '#tests/support/read-mail.ts';

const { db } = await testDatabase();

let schoolId: number, boss: Member, admin: string, others: (readonly [string, string])[];
beforeEach(async () => {
  schoolId = await makeSchool(db, { name: 'Sound Aviation', time_zone: 'America/Los_Angeles' });
  boss = { ...(await makeUser(db, schoolId, 'administrator')), timeZone: 'America/Los_Angeles' };
  admin = await cookieOf(db, boss);
  others = [
    ['instructor', await cookieOf(db, await makeUser(db, schoolId, 'instructor'))],
    ['student', await cookieOf(db, await makeUser(db, schoolId, 'student'))],
  ];
});

const ben = { name: 'Ben Aziz', email: 'Ben.Aziz@Mail.example', role: 'instructor' };
const page = (cookie = admin, search = '') => answerTo(getRequest(`/users/invitations${search}`, cookie));
const post = (fields: Record<string, string>, cookie = admin) =>
  answerTo(formRequest('/users/invitations', fields, cookie));
const send = (body: unknown, cookie = admin, headers = {}) =>
  answerTo(jsonRequest('POST', '/api/invitations', body, cookie, headers));
const list = async (cookie = admin) => answerTo(getRequest('/api/invitations', cookie));
const read = (key: string, cookie = '') => answerTo(getRequest(`/api/invitations/${key}`, cookie));
const remove = (key: number | string, cookie = admin, headers = {}) =>
  answerTo(jsonRequest('DELETE', `/api/invitations/${key}`, undefined, cookie, headers));
const jsonOf = ({ body }: Answer) => JSON.parse(String(body));
const invitationRows = () => db.selectFrom('invitations').selectAll().where('school_id', '=', schoolId).execute();
const setMail = (columns: {
  sent_at?: Date;
  written_to_file?: boolean;
  last_error?: string;
  refused_at?: Date | null;
}) => db.updateTable('mail_outbox').set(columns).where('school_id', '=', schoolId).execute();
const mails = () => db.selectFrom('mail_outbox').selectAll().where('school_id', '=', schoolId).execute();

async function queuedToken(): Promise<string> {
  const mail = (await mails()).at(-1);
  return new URL(linkIn({ text: mail?.body_text ?? '' }), 'http://x').searchParams.get('token') ?? '';
}

it('an invitation that is sent is announced, and listed as not delivered till it is (B006, B221, B223, C23)', async () => {
  withMailServer();
  const answer = await post(ben);
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/users/invitations']);
  expect(await toastAfter(answer)).toMatchObject({
    title: 'Invitation sent',
    text: 'An email with registration instructions is on its way to Ben.Aziz@Mail.example.',
  });
  expect(await toastAfter(answer)).not.toHaveProperty('link');
  const shown = { ...ben, invitedBy: boss.username, expired: false, mailProblem: null };
  const sent = { text: expect.stringMatching(/^\d+ \w{3} \d{4}$/) };
  expect((await page()).body).toMatchObject({ invitations: [{ ...shown, mailDelivered: false, sent }] });
  await setMail({ sent_at: new Date() });
  expect((await page()).body).toMatchObject({ invitations: [{ ...shown, mailDelivered: true }] });
});

it('the mail has the link, stored as a hash; a pending or taken address is refused (B222, B228, C22, C23)', async () => {
  await post(ben);
  const [mail] = await mails();
  expect(mail).toMatchObject({
    to_name: ben.name,
    to_address: ben.email,
    subject: 'Your invitation to Sound Aviation',
  });
  expect(mail?.body_text).toContain(
    `${boss.username} invites you to join Sound Aviation on ${env.PRODUCT_NAME} as an instructor.`,
  );
  expect(mail?.body_text).toMatch(/The link works once, until \d+ \w{3} \d{4}, \d\d:\d\d P[DS]T\./);
  const token = await queuedToken();
  expect(token).toMatch(/^[\w-]{43}$/);
  expect(await invitationRows()).toMatchObject([{ token_hash: hashLinkToken(token), mail_id: mail?.id }]);
  expect(JSON.stringify([await page(), await list(), await invitationRows()])).not.toContain(token);
  const refused = (text: string) => ({
    status: 409,
    body: { toast: { text }, result: { error: { email: [text] } } },
  });
  const pending = await post({ ...ben, email: ben.email.toUpperCase() });
  expect(pending).toMatchObject(refused('An invitation for this email is already pending'));
  const taken = await post({ ...ben, email: boss.email.toUpperCase() });
  expect(taken).toMatchObject(refused('A user with this email already exists'));
  expect(await mails()).toHaveLength(1);
});

it('each invalid field of an invitation has its message; for others all is 404 (B007, B218-B220, B283, C32, C33)', async () => {
  expect(await post({ name: ' ', email: 'ben@', role: 'owner' })).toMatchObject({
    status: 400,
    body: {
      result: {
        initialValue: { email: 'ben@', role: 'owner' },
        error: { name: ['Name is required'], email: ['Invalid email address'], role: ['Please select a role'] },
      },
    },
  });
  const refused = (error: object) => ({ body: { result: { error } } });
  expect(await post({ ...ben, role: '' })).toMatchObject(refused({ role: ['Please select a role'] }));
  for (const email of ['a@b.example, c@d.example', 'a@b.example\nBcc: c@d.example', '<a@b.example>', 'a@b.example;c@d'])
    expect(await post({ ...ben, email }), email).toMatchObject(refused({ email: ['Invalid email address'] }));
  expect(await mails()).toEqual([]);
  const { id } = await makeInvitation(db, boss);
  for (const [, cookie] of others) {
    expect((await page(cookie)).status).toBe(404);
    expect((await post(ben, cookie)).status).toBe(404);
    expect((await post({ intent: 'delete-invitation', invitationId: String(id) }, cookie)).status).toBe(404);
  }
  expect(await invitationRows()).toHaveLength(1);
  expect(await mails()).toEqual([]);
});

it('a deleted invitation is announced, once it was asked about, and its link and mail are gone (B225-B227, C71)', async () => {
  await post(ben);
  const token = await queuedToken();
  const [{ id } = { id: 0 }] = await invitationRows();
  const toDelete = { id, email: ben.email };
  expect((await page(admin, `?confirm=delete-invitation:${id}`)).body).toMatchObject({ toDelete });
  expect((await page(admin, '?confirm=delete-invitation:0')).body).not.toHaveProperty('toDelete.id');
  expect(await invitationRows()).toHaveLength(1);
  const deletion = { intent: 'delete-invitation', invitationId: String(id) };
  const answer = await post(deletion);
  expect(answer.headers.get('location')).toBe('/users/invitations');
  expect(await toastAfter(answer)).toMatchObject({ title: 'Invitation deleted' });
  expect((await read(token)).status).toBe(404);
  expect([await invitationRows(), await mails()]).toEqual([[], []]);
  const toast = { title: 'Error', text: 'Invitation not found' };
  expect(await post(deletion)).toMatchObject({ status: 404, body: { toast } });
});

it('one that was deleted meanwhile is not said to be sent again, by the page it was sent again from (B1542)', async () => {
  withMailServer();
  await post(ben);
  const id = String((await invitationRows())[0]?.id);
  const resend = { intent: 'resend-invitation', invitationId: id, requestId: crypto.randomUUID() };
  for (const _ of [1, 2]) expect(await toastAfter(await post(resend))).toMatchObject({ title: 'Invitation sent' });
  expect(await mails()).toHaveLength(1);
  await remove(id);
  expect(await post(resend)).toMatchObject({ status: 404, body: { toast: { text: 'Invitation not found' } } });
  const again = { ...ben, requestId: crypto.randomUUID() };
  expect(await toastAfter(await post(again))).toMatchObject({ title: 'Invitation sent' });
  await remove((await invitationRows())[0]?.id ?? 0);
  const gone = 'This invitation was sent, and has been deleted or accepted since. Send it again to send a new one.';
  expect(await post(again)).toMatchObject({ status: 422, body: { toast: { text: gone } } });
  const headers = { 'idempotency-key': `call-${id}` };
  expect((await send(ben, admin, headers)).status).toBe(201);
  expect((await send(ben, admin, headers)).status).toBe(201);
  await remove((await invitationRows())[0]?.id ?? 0);
  expect(await send(ben, admin, headers)).toMatchObject({ status: 422, body: JSON.stringify({ message: gone }) });
});

it('an expired invitation stays listed; sent again it has a new link, and the former does not work (C22)', async () => {
  const { id, token } = await makeInvitation(db, boss, { expires_at: new Date(Date.now() - 1000) });
  expect((await page()).body).toMatchObject({ invitations: [{ id, expired: true, mailDelivered: true }] });
  expect((await read(token)).status).toBe(404);
  const answer = await post({ intent: 'resend-invitation', invitationId: String(id) });
  expect(await toastAfter(answer)).toMatchObject({ title: 'Invitation sent' });
  expect((await page()).body).toMatchObject({ invitations: [{ id, expired: false, mailDelivered: false }] });
  expect((await read(token)).status).toBe(404);
  expect((await read(await queuedToken())).status).toBe(200);
});

nightly('without a mail server an invitation gives its link once, to copy, which works (C88, B550)', async () => {
  const form = { ...ben, requestId: crypto.randomUUID() };
  const toast = await toastAfter(await post(form));
  expect(toast).toMatchObject({ title: 'Invitation sent', link: expect.stringContaining('/register?token=') });
  expect(toast).not.toHaveProperty('text');
  const token = new URL(toast?.link ?? '').searchParams.get('token') ?? '';
  expect(await read(token)).toMatchObject({ status: 200 });
  const repeated = await toastAfter(await post(form));
  expect(repeated).not.toHaveProperty('link');
  expect(repeated?.text).toContain('Send it again');
  const [invitation] = await invitationRows();
  const again = await toastAfter(await post({ intent: 'resend-invitation', invitationId: String(invitation?.id) }));
  expect(again?.link).toContain('/register?token=');
  expect(again?.link).not.toContain(token);
  expect(JSON.stringify(await db.selectFrom('idempotency_keys').selectAll().execute())).not.toContain(token);
});

nightly('without a mail server an invitation in a file is not said to be delivered (C88, B550)', async () => {
  await post(ben);
  await setMail({ sent_at: new Date(), written_to_file: true });
  expect((await page()).body).toMatchObject({
    invitations: [{ mailDelivered: false, mailProblem: expect.stringContaining('No mail server is set') }],
  });
  expect(jsonOf(await list())).toMatchObject([{ mailDelivered: false }]);
});

it('the list says what the mail server answered, and whether the mail is tried again (B551, B1384)', async () => {
  withMailServer();
  await post(ben);
  for (const [refused_at, tried] of [
    [null, 'It is tried again.'],
    [new Date(), 'It is not tried again.'],
  ] as const) {
    await setMail({ last_error: '550 No such user', refused_at });
    const mailProblem = `The mail server knows no such address: check its spelling. ${tried}`;
    expect((await page()).body).toMatchObject({ invitations: [{ mailProblem, mailAnswer: '550 No such user' }] });
  }
  expect(jsonOf(await list())).toMatchObject([{ mailError: '550 No such user', mailRefused: true }]);
});

nightly('an invitation keeps the name of a deleted administrator, and its day (C23, C41)', async () => {
  const second = await makeUser(db, schoolId, 'administrator');
  await makeInvitation(db, second, { created_at: new Date('2026-05-12T03:00:00Z') });
  const deleted = { deleted_at: new Date(), password_hash: null };
  await db.updateTable('users').set(deleted).where('id', '=', second.id).execute();
  const shown = { invitedBy: second.username, sent: { text: '11 May 2026' } };
  expect((await page()).body).toMatchObject({ invitations: [shown] });
});

it('POST /api/invitations answers with it, without its token, or says in JSON why not (B238, B269, C23, C59)', async () => {
  const answer = await send(ben);
  expect(answer.status).toBe(201);
  expect(jsonOf(answer)).toEqual({
    ...ben,
    id: expect.any(Number),
    accepted: false,
    invitedBy: { id: boss.id, username: boss.username },
    createdAt: expect.stringMatching(/Z$/),
    sentAt: expect.stringMatching(/Z$/),
    expired: false,
    mailDelivered: false,
    mailError: null,
    mailRefused: false,
    samePerson: false,
  });
  expect(answer.body).not.toContain(await queuedToken());
  for (const body of [null, [], 'x', 7, {}, { name: 'a' }, { name: 7, email: [], role: {} }]) {
    const answer = await send(body);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([400, 'application/json']);
    expect(jsonOf(answer)).toEqual({ message: expect.stringMatching(/\w/) });
  }
  const pending = await send(ben);
  expect([pending.status, jsonOf(pending)]).toEqual([
    409,
    { message: 'An invitation for this email is already pending' },
  ]);
  const message = 'A user with this email already exists';
  expect(jsonOf(await send({ ...ben, email: boss.email }))).toEqual({ message });
  expect(jsonOf(await send(ben, ''))).toEqual({ message: 'Unauthorized' });
  expect(jsonOf(await send('junk', others[0]?.[1]))).toEqual({ message: 'Forbidden' });
  expect(jsonOf(await send(ben, admin, { origin: 'https://evil.example' }))).toHaveProperty('message');
  expect(jsonOf(await send(ben, admin, { 'content-type': 'text/plain' }))).toHaveProperty('message');
});

it('GET lists pending ones, and reads one by its token alone (B230, B238, B247, B270, C22, C24)', async () => {
  const first = await makeInvitation(db, boss);
  const second = await makeInvitation(db, boss);
  await makeInvitation(db, boss, { accepted_at: new Date(), accepted_by: boss.id });
  await makeInvitation(db, await makeUser(db, await makeSchool(db), 'administrator'));
  const answer = await list();
  expect(jsonOf(answer).map(({ id }: { id: number }) => id)).toEqual([second.id, first.id]);
  const { id, token, email } = await makeInvitation(db, boss);
  const shown = { email, name: 'Zoë Invited', role: 'instructor', flightSchoolName: 'Sound Aviation' };
  for (const cookie of ['', admin, others[1]?.[1]]) {
    const answer = await read(token, cookie);
    expect([answer.status, jsonOf(answer)]).toEqual([200, shown]);
  }
  const used = await makeInvitation(db, boss, { accepted_at: new Date(), accepted_by: boss.id });
  const expired = await makeInvitation(db, boss, { expires_at: new Date(Date.now() - 1) });
  const junk = [token.slice(1), '%20', "'", 'x'.repeat(5000)];
  for (const key of [String(id), hashLinkToken(token), used.token, expired.token, ...junk])
    expect(await read(key, admin)).toMatchObject({ status: 404, body: 'Invalid or expired invitation' });
});

it('DELETE /api/invitations/:id is 404 in plain text for anything but a pending id of the school (B271, C24, C59)', async () => {
  const { id, token } = await makeInvitation(db, boss);
  const foreignUser = await makeInvitation(db, await makeUser(db, await makeSchool(db), 'administrator'));
  const used = await makeInvitation(db, boss, { accepted_at: new Date(), accepted_by: boss.id });
  for (const key of [token, foreignUser.id, used.id, 0, 'x']) {
    expect(await remove(key)).toMatchObject({ status: 404, body: 'Invitation not found' });
  }
  expect(await remove(id, '')).toMatchObject({ status: 401, body: 'Unauthorized' });
  expect(await remove(id)).toMatchObject({ status: 200, body: '{}' });
  expect((await read(foreignUser.token)).status).toBe(200);
});
