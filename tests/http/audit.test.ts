import { sql } from 'kysely';
import { beforeEach, expect, it } from 'vitest';
import {
  makeAircraft,
  makeInvitation,
  makeSchool,
  makeUser,
  type Member,
  testDatabase,
} from '#tests/support/makers.ts';
import { answerTo, cookieOf, formRequest, getRequest, jsonRequest } from '#tests/support/ask.ts';
import { findActivityPage } from '#app/domain/audit/queries.server.ts';
import { createSchool } from '#app/domain/school/create-school.server.ts';
import { changedValueTexts } from '#app/features/activity/changed-values.ts';
import { linkIn } from '#tests/support/read-mail.ts';
import { makeScan } from '#tests/support/scanned-photo.ts';

const { db } = await testDatabase();

let schoolId: number, admin: Member, cookie: string;
beforeEach(async () => {
  schoolId = await makeSchool(db);
  admin = await makeUser(db, schoolId, 'administrator');
  cookie = await cookieOf(db, admin);
});

const post = (path: string, fields: Record<string, string>, as = cookie) => answerTo(formRequest(path, fields, as));
const send = (method: 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown, as = cookie) =>
  answerTo(jsonRequest(method, path, body, as));
const idIn = (body: unknown): number => JSON.parse(String(body)).id;

/** Takes the one entry of the school away, without its id and its time. */
async function onlyEntry(school = schoolId) {
  const entries = await db
    .selectFrom('audit_entries')
    .leftJoin('audit_emails', 'entry_id', 'id')
    .select(['school_id', 'user_id', 'action', 'subject', 'subject_id', 'before', 'after', 'reason', 'email'])
    .where('school_id', '=', school)
    .where('action', '!=', 'recorded rows')
    .execute();
  expect(entries).toHaveLength(1);
  await deleteEntries();
  const [{ email, ...entry } = { email: null }] = entries;
  return email === null ? entry : withEmail(entry, email);
}

/** Emails are stored beside the entry, from where they can be removed. */
function withEmail<Entry extends { before?: object | null; after?: object | null }>(entry: Entry, email: string) {
  return entry.after
    ? { ...entry, after: { ...entry.after, email } }
    : { ...entry, before: { ...entry.before, email } };
}

/** An entry of the administrator; what a case does not name is empty. */
const entry = (action: string, subject: string, subjectId: number | null, more: object = {}) => ({
  school_id: schoolId,
  user_id: admin.id,
  action,
  subject,
  subject_id: subjectId,
  before: null,
  after: null,
  reason: null,
  ...more,
});

/** As only an owner of the table can, who switches its triggers off. */
async function deleteEntries(): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`set local session_replication_role = replica`.execute(trx);
    await trx.deleteFrom('audit_entries').where('school_id', '=', schoolId).execute();
  });
}

async function mailedToken(): Promise<string> {
  const mail = await db
    .selectFrom('mail_outbox')
    .selectAll()
    .where('school_id', '=', schoolId)
    .where('body_text', 'like', '%token=%')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
  return new URL(linkIn({ text: mail.body_text }), 'http://x').searchParams.get('token') ?? '';
}

const available = { status: null, groundedOnReturn: false };

it('deleting an aircraft, saving a last reading, exports and sign-outs of others are recorded (B403, C46, C76)', async () => {
  const id = await makeAircraft(db, schoolId, { tail_number: 'N76GONE' });
  await send('DELETE', `/api/aircraft/${id}`);
  const before = {
    id,
    tailNumber: 'N76GONE',
    make: 'Cessna',
    model: '172S',
    year: 2004,
    lastHobbsTime: null,
    lastTachTime: null,
    ...available,
  };
  expect(await onlyEntry()).toEqual(entry('deleted aircraft', 'aircraft', id, { before }));
  const other = await makeAircraft(db, schoolId, { last_hobbs: '200.0' });
  const scanId = await makeScan(db, admin, other, { detected_text: '199.5' });
  await post(`/ocr/${scanId}/save`, { reason: 'New meter' });
  const change = { before: { hobbs: '200.0' }, after: { hobbs: '199.5' }, reason: 'New meter' };
  expect(await onlyEntry()).toEqual(entry('saved last reading', 'aircraft', other, change));
  await answerTo(getRequest('/api/flight-logs/export', cookie));
  const exported = { aircraftId: 'all' };
  expect(await onlyEntry()).toEqual(entry('exported flight logs', 'export', null, { after: exported }));
  const user = await makeUser(db, schoolId);
  await post('/users?index', { intent: 'sign-out-user', userId: String(user.id) });
  expect(await onlyEntry()).toEqual(entry('signed user out', 'user', user.id));
});

const ben = { username: 'ben', email: 'ben@b.example', role: 'instructor' };

it('adding a user is recorded without the password, deleting one with who that was (C76)', async () => {
  const { body } = await send('POST', '/api/register', { ...ben, username: `ben-${schoolId}`, password: 'gull-9' });
  const after = { ...ben, username: `ben-${schoolId}` };
  expect(await onlyEntry()).toEqual(entry('added user', 'user', idIn(body), { after }));
  const { id, ...gone } = await makeUser(db, schoolId);
  await send('DELETE', `/api/users/${id}`);
  const before = { id, username: gone.username, email: gone.email, role: 'student' };
  expect(await onlyEntry()).toEqual(entry('deleted user', 'user', id, { before }));
});

it.each(['the form', 'the call'])('registering by %s is recorded, as done by the new user (C76, B248)', async (way) => {
  const { token, email } = await makeInvitation(db, admin);
  const username = `guest-${schoolId}`;
  const password = 'gull-9';
  if (way === 'the call') await send('POST', '/api/register', { invitationToken: token, username, password }, '');
  else await post('/register', { token, username, password, confirmPassword: password }, '');
  const { id } = await db.selectFrom('users').select('id').where('username', '=', username).executeTakeFirstOrThrow();
  const after = { username, email, role: 'instructor' };
  expect(await onlyEntry()).toEqual(entry('registered by invitation', 'user', id, { user_id: id, after }));
});

it('password links and invitations are recorded without their tokens, and what is done by a link (C76, C38)', async () => {
  const { id } = await makeUser(db, schoolId);
  await post('/users?index', { intent: 'send-password-link', userId: String(id) });
  expect(await onlyEntry()).toEqual(entry('sent password link', 'user', id));
  const token = await mailedToken();
  await post('/reset-password', { token, password: 'gull-77', confirmPassword: 'gull-77' }, '');
  expect(await onlyEntry()).toEqual(entry('set password by link', 'user', id, { user_id: id }));
  const invitation = { name: 'Ben Aziz', email: 'ben@mail.example', role: 'student' };
  const { body } = await send('POST', '/api/invitations', invitation);
  expect(await onlyEntry()).toEqual(entry('sent invitation', 'invitation', idIn(body), { after: invitation }));
});

const typed = {
  ...{ name: 'Sound Aviation', address: '2 Field Road', phone: '555 0199', timeZone: 'America/Los_Angeles' },
  activityKeptDays: 365,
};

const needless = { administratorsNeedSecondFactor: false, givesMeterPhotos: false, reminderAfterHours: 6 };

it('saving the settings of a school is recorded, and every setting that was changed shown (B945, C76)', async () => {
  await send('PUT', '/api/flight-school', typed);
  const before = {
    ...{ name: 'Cascade Flight School', address: '1 Field Road', phone: '555 0100', timeZone: 'UTC' },
    activityKeptDays: 730,
  };
  const change = { before: { ...before, ...needless }, after: { ...typed, ...needless } };
  expect(await onlyEntry()).toEqual(entry('saved school settings', 'school', null, change));
  await send('PUT', '/api/flight-school', before);
  await deleteEntries();
  const changed = { ...typed, activityKeptDays: '365', reminderAfterHours: 'never' };
  await post('/school-settings', { ...changed, administratorsNeedSecondFactor: 'on', givesMeterPhotos: 'on' });
  const { rows: events } = await findActivityPage(db, { schoolId, timeZone: 'UTC' }, {});
  const [event] = events;
  if (!event) throw new Error('no event');
  const shown = changedValueTexts(event);
  const email = 'ben@mail.example';
  expect(changedValueTexts({ ...event, email })).toEqual(shown);
  expect(changedValueTexts({ ...event, email, subject: 'user' })).toEqual([...shown, `Email ${email}`]);
  expect(shown).toHaveLength(Object.keys(event.after).length);
  expect(shown).toContain('Hours until a reminder 6 → never');
  expect(shown).toContain('Second factor for administrators optional → required');
});

it('naming a school for the first time, or on the command line, is recorded, without the password (C76, C25)', async () => {
  await db.updateTable('users').set({ school_id: null }).where('id', '=', admin.id).execute();
  await send('PUT', '/api/flight-school', typed);
  const { school_id: own } = await db
    .selectFrom('users')
    .select('school_id')
    .where('id', '=', admin.id)
    .executeTakeFirstOrThrow();
  expect(await onlyEntry(own ?? 0)).toEqual(
    entry('created school', 'school', null, { school_id: own, after: { ...typed, ...needless } }),
  );
  const who = { name: 'Cascade', username: `first-${schoolId}`, email: 'first@b.example' };
  const { schoolId: made, userId } = await createSchool(db, { ...who, password: 'gull-9' });
  expect(await onlyEntry(made ?? 0)).toEqual(
    entry('founded on the command line', 'school', made, { school_id: made, user_id: userId, after: who }),
  );
});
