import { sql } from 'kysely';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { makeInvitation, makeSchool, makeUser, type Member, testDatabase } from '#tests/support/makers.ts';
import { answerTo, cookieOf, formRequest, getRequest, jsonRequest } from '#tests/support/ask.ts';
import { assertWithinBudget } from '#app/domain/audit/hourly-budget.server.ts';
import { withExportSlot } from '#app/server/api/exports.server.ts';
import { importLines, undo } from '#tests/support/imports/files.ts';

const { db } = await testDatabase();

let schoolId: number, admin: Member, cookie: string;
beforeEach(async () => {
  schoolId = await makeSchool(db);
  admin = await makeUser(db, schoolId, 'administrator');
  cookie = await cookieOf(db, admin);
});

/** Enters what the user did in the last hour. */
async function did(user: Member, action: string, count: number, { minutesAgo = 10, subjectId = 0 } = {}) {
  const row = { school_id: user.schoolId, user_id: user.id, action, subject: 'user', subject_id: subjectId };
  const created_at = sql<Date>`now() - make_interval(mins => ${minutesAgo})`;
  await db
    .insertInto('audit_entries')
    .values(Array.from({ length: count }, () => ({ ...row, created_at })))
    .execute();
}
let invited = 0;
const invite = (as = cookie) => {
  const typed = { name: 'Ida', email: `i${(invited += 1)}@x.example`, role: 'student' };
  return answerTo(jsonRequest('POST', '/api/invitations', typed, as));
};
const waitOf = ({ headers }: { headers: Headers }) => Number(headers.get('retry-after'));

it('a user is sent five password links in an hour; who has no school has a budget (B424, B425)', async () => {
  const { id } = await makeUser(db, schoolId);
  const send = () =>
    answerTo(formRequest('/users?index', { intent: 'send-password-link', userId: String(id) }, cookie));
  for (let count = 0; count < 5; count += 1) expect((await send()).status).toBe(303);
  expect((await send()).status).toBe(429);
  const alone = { ...admin, schoolId: null };
  const ask = (ofUser: number) =>
    db
      .transaction()
      .execute((trx) => assertWithinBudget(trx, alone, { actions: ['exported own data'], ofUser, ofSchool: 1000 }));
  const auditEntrieRow = { school_id: null, user_id: admin.id, action: 'exported own data', subject: 'user' } as const;
  await db.insertInto('audit_entries').values(auditEntrieRow).execute();
  await ask(2);
  await expect(ask(1)).rejects.toMatchObject({ code: 'tooMany' });
  const rows = async function* () {
    yield* [1, 2, 3];
  };
  const start = async (school: number) => {
    const placed = withExportSlot(school, rows());
    await placed.next();
    onTestFinished(async () => void (await placed.return()));
    return placed;
  };
  const first = await start(1);
  await start(1);
  await expect(start(1)).rejects.toMatchObject({ code: 'tooMany', retryAfterSeconds: 10 });
  await start(2);
  await first.return();
  const [third] = [await start(1)];
  await expect(start(1)).rejects.toMatchObject({ code: 'tooMany' });
  for await (const row of third) expect(row).toBeGreaterThan(1);
  await start(1);
});

it('a user sends sixty mails in an hour, of which the oldest says when to try again (B424)', async () => {
  await did(admin, 'sent password link', 30, { minutesAgo: 50 });
  await did(admin, 'sent invitation', 29);
  expect((await invite()).status).toBe(201);
  const refused = await invite();
  expect([refused.status, refused.body]).toEqual([429, expect.stringMatching(/^{"message":"This was done too often/)]);
  expect(waitOf(refused)).toBeGreaterThan(9 * 60);
  expect(waitOf(refused)).toBeLessThanOrEqual(10 * 60);
  const colleague = await makeUser(db, schoolId, 'administrator');
  expect((await invite(await cookieOf(db, colleague))).status).toBe(201);
});

it('a changed invitation is a mail like the one that is sent again (B1661)', async () => {
  const { id } = await makeInvitation(db, admin, { role: 'student' });
  const change = (name: string) => answerTo(jsonRequest('PATCH', `/api/invitations/${id}`, { name }, cookie));
  for (const name of ['A', 'B', 'C', 'D', 'E']) expect((await change(name)).status).toBe(200);
  const refused = await change('F');
  expect([refused.status, waitOf(refused) > 3500]).toEqual([429, true]);
});

it('links that an import mails count with the others of the school, also once it was undone (B1661)', async () => {
  const lines = Array.from({ length: 3 }, (_, at) => `mail${at}x${schoolId},,mail${at}@club.example,student`);
  const mailed = () => importLines(db, admin, 'people', lines, { sendInvitations: true });
  const { id } = await mailed();
  expect((await undo(db, admin, id)).state).toBe('undone');
  await did(await makeUser(db, schoolId, 'administrator'), 'sent invitation', 195);
  expect((await mailed()).failure).toContain('At most 200');
  expect((await invite()).status).toBe(201);
  expect((await invite()).status).toBe(201);
  expect((await invite()).status).toBe(429);
});

it('a school sends two hundred, another has its own; what is no mail or older uses up nothing (B424)', async () => {
  for (const role of ['administrator', 'instructor', 'student', 'student'] as const)
    await did(await makeUser(db, schoolId, role), 'sent invitation again', 50);
  expect((await invite()).status).toBe(429);
  const elsewhere = await makeUser(db, await makeSchool(db), 'administrator');
  expect((await invite(await cookieOf(db, elsewhere))).status).toBe(201);
  const other = await makeUser(db, await makeSchool(db), 'administrator');
  await did(other, 'sent invitation', 300, { minutesAgo: 61 });
  await did(other, 'deleted invitation', 300);
  expect((await invite(await cookieOf(db, other))).status).toBe(201);
});

const exportLogs = (as = cookie) => answerTo(getRequest('/api/flight-logs/export', as));

it('a user exports thirty times in an hour, flight logs or activity, and a school a hundred (B425)', async () => {
  await did(admin, 'exported flight logs', 15);
  await did(admin, 'exported activity', 14);
  expect((await exportLogs()).status).toBe(200);
  const refused = await exportLogs();
  expect(refused.status).toBe(429);
  expect(waitOf(refused)).toBeGreaterThan(2900);
  const colleague = await makeUser(db, schoolId, 'administrator');
  expect((await exportLogs(await cookieOf(db, colleague))).status).toBe(200);
  await did(await makeUser(db, schoolId), 'exported flight logs', 100);
  expect((await exportLogs(await cookieOf(db, colleague))).status).toBe(429);
  const exportActivity = () => answerTo(getRequest('/api/activity/export', cookie));
  const ofActivity = await exportActivity();
  expect([ofActivity.status, waitOf(ofActivity) > 2900]).toEqual([429, true]);
});
