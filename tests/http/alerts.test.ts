import { beforeEach, describe, expect, it } from 'vitest';
import type { Member } from '#app/domain/actor.ts';
import { EventRecorder } from '#app/domain/audit/event-recorder.server.ts';
import { alertAdministrators, alertOncePerHour } from '#app/domain/audit/alerts.server.ts';
import { usernameKey } from '#app/domain/people/username.ts';
import { recorder } from '#app/server/event-recorder.server.ts';
import { testDatabase } from '#tests/support/database.ts';
import { makeInvitation } from '#tests/support/invitation.ts';
import { cookieOf, formRequest, getRequest, jsonRequest } from '#tests/support/requests.ts';
import { answerTo } from '#tests/support/routes.ts';
import { makeSchool, makeUser, PASSWORD } from '#tests/support/school.ts';

const { db } = await testDatabase();

let schoolId: number;
let ada: Member;
let bert: Member;
let student: Member;
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
const addUser = async (role: string, username = `new-${schoolId}`) =>
  answerTo(
    jsonRequest(
      'POST',
      '/api/register',
      { username, email: `${username}@b.example`, password: PASSWORD, role },
      await cookieOf(db, ada),
    ),
  );
const guess = (username: string) => answerTo(formRequest('/login', { username, password: 'wrong!' }));

describe('a mail to the administrators of the school', () => {
  it('a mail to the administrators goes out when an administrator is added, and none when another user is (B467)', async () => {
    await addUser('instructor', `other-${schoolId}`);
    expect(await mails()).toEqual([]);
    await addUser('administrator');
    expect(await mails()).toEqual([
      ...toBoth(`new-${schoolId} is an administrator of Cascade Flight School`),
      `new-${schoolId}@b.example: new-${schoolId} is an administrator of Cascade Flight School`,
    ]);
  });

  it('a mail to the administrators goes out when an administrator registers by invitation (B467)', async () => {
    const { token, email } = await makeInvitation(db, ada, { role: 'administrator' });
    const typed = { password: PASSWORD, confirmPassword: PASSWORD };
    await answerTo(formRequest('/register', { token, username: `guest-${schoolId}`, ...typed }));
    const subject = `guest-${schoolId} is an administrator of Cascade Flight School`;
    expect(await mails()).toEqual([...toBoth(subject), `${email}: ${subject}`]);
  });

  it('a mail to the administrators goes out once an hour while one of them is locked out, not for other users (B467)', async () => {
    for (let count = 0; count < 13; count += 1) await guess(student.username);
    const instructor = await makeUser(db, schoolId, 'instructor');
    const spent = { failures: 30, expires_at: new Date(Date.now() + 60_000) };
    await db
      .insertInto('login_attempts')
      .values({ key: `name:${usernameKey(instructor.username)}`, ...spent })
      .execute();
    expect((await guess(instructor.username)).status).toBe(429);
    expect(await mails()).toEqual([]);
    const recorded = db
      .selectFrom('audit_entries')
      .select(['action', 'user_id'])
      .where('school_id', '=', schoolId)
      .where('action', '!=', 'recorded rows');
    const byStranger = (action: string) => ({ action, user_id: null });
    expect(new Set((await recorded.execute()).map((row) => JSON.stringify(row)))).toEqual(
      new Set(['failed to sign in', 'locked out'].map((action) => JSON.stringify(byStranger(action)))),
    );
    for (let count = 0; count < 10; count += 1) await guess(bert.username);
    expect(await mails()).toEqual([]);
    await guess(bert.username);
    expect(await mails()).toEqual(toBoth(`Too many sign-ins as ${bert.username} at Cascade Flight School`));
    await guess(bert.username);
    expect(await mails()).toEqual([]);
  });

  it('a mail to the administrators goes out once an hour for twenty refusals of one user within a minute (B467)', async () => {
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

  it('a mail to the administrators about a removed second factor is sent in the transaction of its removal (B467)', async () => {
    const alert = { about: 'second factor removed', userId: bert.id } as const;
    await db.transaction().execute((trx) => alertAdministrators(trx, schoolId, alert));
    expect(await mails()).toEqual(toBoth(`The second factor of ${bert.username} at Cascade Flight School was removed`));
  });

  it('a mail to the administrators goes out once for several processes, again after an hour, and is recorded (B467)', async () => {
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
    const past = {
      created_at: new Date(Date.now() - 3_601_000),
      school_id: otherSchool,
      action: 'alerted administrators',
    };
    const pupil = await makeUser(db, otherSchool);
    const boss = await makeUser(db, otherSchool, 'administrator');
    await db
      .insertInto('audit_entries')
      .values({ ...past, subject: 'user', subject_id: pupil.id, after: JSON.stringify({ about: alert.about }) })
      .execute();
    await alertOncePerHour(db, otherSchool, { ...alert, userId: pupil.id });
    expect((await mails()).map((mail) => mail.split(':')[0])).toEqual([boss.email]);
  });
});
