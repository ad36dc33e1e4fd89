import { beforeEach, expect, it } from 'vitest';
import { makeInvitation, makeSchool, makeUser, type Member, PASSWORD, testDatabase } from '#tests/support/makers.ts';
import { answerTo, cookieOf, formRequest, getRequest, jsonRequest } from '#tests/support/ask.ts';
import { EventRecorder } from '#app/domain/audit/event-recorder.server.ts';
import { alertAdministrators, alertOncePerHour } from '#app/domain/audit/alerts.server.ts';
import { usernameKey } from '#app/domain/people/username.ts';
import { recorder } from '#app/server/event-recorder.server.ts';
import { eventsOf } from '#tests/support/audit.ts';

const { db } = await testDatabase();

let schoolId: number, ada: Member, bert: Member, student: Member;
beforeEach(async () => {
  schoolId = await makeSchool(db);
  ada = await makeUser(db, schoolId, 'administrator');
  bert = await makeUser(db, schoolId, 'administrator');
  student = await makeUser(db, schoolId);
  await makeUser(db, await makeSchool(db), 'administrator');
});

/** The recipients and the subjects of all mail that waits, but for invitations. */
async function mails(): Promise<string[]> {
  await recorder.flush();
  const found = await db.selectFrom('mail_outbox').select(['to_address', 'subject']).orderBy('id').execute();
  const ofSchool = found.filter(({ subject }) => !subject.startsWith('Your invitation'));
  await db.deleteFrom('mail_outbox').execute();
  return ofSchool.map(({ to_address, subject }) => `${to_address}: ${subject}`);
}
const toBoth = (subject: string) => [ada, bert].map(({ email }) => `${email}: ${subject}`);
const addUser = async (role: string, username = `new-${schoolId}`) => {
  const typed = { username, email: `${username}@b.example`, password: PASSWORD, role };
  return answerTo(jsonRequest('POST', '/api/register', typed, await cookieOf(db, ada)));
};
const guess = (username: string) => answerTo(formRequest('/login', { username, password: 'wrong!' }));

it('administrators hear of one who is added or registers by invitation, not of other users (B467)', async () => {
  await addUser('instructor', `other-${schoolId}`);
  expect(await mails()).toEqual([]);
  await addUser('administrator');
  expect(await mails()).toEqual([
    ...toBoth(`new-${schoolId} is an administrator of Cascade Flight School`),
    `new-${schoolId}@b.example: new-${schoolId} is an administrator of Cascade Flight School`,
  ]);
  const { token, email } = await makeInvitation(db, ada, { role: 'administrator' });
  const typed = { password: PASSWORD, confirmPassword: PASSWORD };
  await answerTo(formRequest('/register', { token, username: `guest-${schoolId}`, ...typed }));
  const guest = `guest-${schoolId} is an administrator of Cascade Flight School`;
  expect(await mails()).toEqual([...toBoth(guest), `new-${schoolId}@b.example: ${guest}`, `${email}: ${guest}`]);
});

it('administrators hear once an hour that one of them is locked out, not of other users (B467)', async () => {
  for (let count = 0; count < 13; count += 1) await guess(student.username);
  const instructor = await makeUser(db, schoolId, 'instructor');
  const spent = { failures: 30, expires_at: new Date(Date.now() + 60_000) };
  const loginAttemptRow = { key: `name:${usernameKey(instructor.username)}`, ...spent };
  await db.insertInto('login_attempts').values(loginAttemptRow).execute();
  expect((await guess(instructor.username)).status).toBe(429);
  expect(await mails()).toEqual([]);
  const rows = (await eventsOf(db, schoolId)).map(({ action, user_id }) => `${action} by ${user_id}`);
  expect(new Set(rows)).toEqual(new Set(['failed to sign in by null', 'locked out by null']));
  for (let count = 0; count < 10; count += 1) await guess(bert.username);
  expect(await mails()).toEqual([]);
  await guess(bert.username);
  expect(await mails()).toEqual(toBoth(`Too many sign-ins as ${bert.username} at Cascade Flight School`));
  await guess(bert.username);
  expect(await mails()).toEqual([]);
});

it('administrators hear once an hour of twenty refusals within a minute, and of a removed second factor (B467)', async () => {
  const cookie = await cookieOf(db, student);
  const tryAll = async (count: number) => {
    for (let n = 0; n < count; n += 1) await answerTo(getRequest('/activity', cookie));
  };
  await tryAll(19);
  expect(await mails()).toEqual([]);
  await tryAll(1);
  expect(await mails()).toEqual(toBoth(`Requests of ${student.username} at Cascade Flight School were refused`));
  await tryAll(40);
  expect(await mails()).toEqual([]);
  const alert = { about: 'second factor removed', userId: bert.id } as const;
  await db.transaction().execute((trx) => alertAdministrators(trx, schoolId, alert));
  expect(await mails()).toEqual(toBoth(`The second factor of ${bert.username} at Cascade Flight School was removed`));
});

it('twenty refused requests of one user within a minute are counted over two processes (B974)', async () => {
  const recorders = [1, 2].map(() => new EventRecorder(db, (error) => expect.unreachable(String(error))));
  const refused = { action: 'refused request', subject: 'request', userId: student.id, schoolId } as const;
  const refuse = async (count: number) => {
    for (let n = 0; n < count; n += 1) recorders[n % 2]?.record({ ...refused, outcome: 'refused' });
    await Promise.all(recorders.map((recorder) => recorder.flush()));
  };
  await refuse(19);
  expect(await mails()).toEqual([]);
  await refuse(1);
  expect(await mails()).toEqual(toBoth(`Requests of ${student.username} at Cascade Flight School were refused`));
});

it('administrators hear once from several processes, again after an hour, which is recorded (B467)', async () => {
  const alert = { about: 'refused requests', userId: student.id } as const;
  await Promise.all([1, 2, 3].map(() => alertOncePerHour(db, schoolId, alert)));
  expect(await mails()).toHaveLength(2);
  const entries = db.selectFrom('audit_entries').select(['subject_id', 'after']).where('school_id', '=', schoolId);
  expect(await entries.where('action', '=', 'alerted administrators').execute()).toEqual([
    { subject_id: student.id, after: { about: 'refused requests' } },
  ]);
  await alertOncePerHour(db, schoolId, { ...alert, userId: bert.id });
  expect(await mails()).toEqual(toBoth(`Requests of ${bert.username} at Cascade Flight School were refused`));
  const otherSchool = await makeSchool(db);
  const pupil = await makeUser(db, otherSchool);
  const boss = await makeUser(db, otherSchool, 'administrator');
  const about = { subject: 'user', subject_id: pupil.id, after: JSON.stringify({ about: alert.about }) };
  const created_at = new Date(Date.now() - 3_601_000);
  const past = { ...about, created_at, school_id: otherSchool, action: 'alerted administrators' };
  await db.insertInto('audit_entries').values(past).execute();
  await alertOncePerHour(db, otherSchool, { ...alert, userId: pupil.id });
  expect((await mails()).map((mail) => mail.split(':')[0])).toEqual([boss.email]);
});
