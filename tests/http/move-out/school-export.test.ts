import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { archiveManifestSchema } from '#app/domain/archive/manifest.server.ts';
import { MAX_EXPORTS_OF_SCHOOL, MAX_EXPORTS_OF_USER_HOURLY } from '#app/limits.ts';
import { bearerOf } from '#tests/support/access-tokens.ts';
import { answerTo, call, cookieOf, formRequest, getRequest, jsonRequest, sessionCookieOf } from '#tests/support/ask.ts';
import { makeUser, PASSWORD, testDatabase } from '#tests/support/makers.ts';
import { documentAt, nightly, textOf } from '#tests/support/pages.ts';
import { makeFullSchool } from '#tests/support/archive/full-school.ts';
import { readZip } from '#tests/support/archive/read-zip.ts';
import { action, loader } from '#app/routes/api.export/route.ts';

const { db } = await testDatabase();
const full = await makeFullSchool(db);
const admin = await makeUser(db, full.schoolId, 'administrator');
const SCREEN = '/school-settings/export';

const get = (cookie: string, headers = {}) => loader(call(getRequest('/api/export', cookie, headers)));
const post = (body: unknown, cookie: string, headers = {}) =>
  action(call(jsonRequest('POST', '/api/export', body, cookie, headers)));

async function filesOf(answer: Response): Promise<Record<string, string>> {
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/zip']);
  return readZip(new Uint8Array(await answer.arrayBuffer()));
}

const exportsRecorded = async () =>
  (await db.selectFrom('audit_entries').select('user_id').where('action', '=', 'exported everything').execute()).length;

describe('POST and GET /api/export', () => {
  it('an administrator who sends the password gets everything, and it is recorded (B840)', async () => {
    const before = await exportsRecorded();
    const files = await filesOf(await post({ password: PASSWORD }, await cookieOf(db, admin)));
    expect(archiveManifestSchema.parse(JSON.parse(files['manifest.json'] ?? '')).school.id).toBe(full.schoolId);
    expect(await exportsRecorded()).toBe(before + 1);
  });

  it('without the password a session gets nothing; a token gets it with the scope manage alone (B840)', async () => {
    const cookie = await cookieOf(db, admin);
    const before = await exportsRecorded();
    expect((await get(cookie)).status).toBe(403);
    expect((await post(undefined, cookie)).status).toBe(403);
    expect((await post({}, cookie)).status).toBe(400);
    const wrong = await post({ password: 'wrong password' }, cookie);
    expect([wrong.status, await wrong.text()]).toEqual([400, 'This is not your current password']);
    expect(await exportsRecorded()).toBe(before);
    for (const scope of ['read', 'fly'] as const) {
      const authorization = await bearerOf(db, admin, scope);
      expect((await get('', { authorization })).status).toBe(403);
      expect((await post(undefined, '', { authorization })).status).toBe(403);
    }
    const authorization = await bearerOf(db, admin, 'manage');
    expect(Object.keys(await filesOf(await get('', { authorization })))).toContain('manifest.json');
    expect(Object.keys(await filesOf(await post(undefined, '', { authorization })))).toContain('manifest.json');
  });

  nightly('it counts against places and budget of exports, which a reader who leaves frees (B840)', async () => {
    const authorization = await bearerOf(db, admin, 'manage');
    const open: Response[] = [];
    for (let n = 0; n < MAX_EXPORTS_OF_SCHOOL; n += 1) open.push(await get('', { authorization }));
    expect((await get('', { authorization })).status).toBe(429);
    for (const { body } of open) await body?.cancel();
    const again = await get('', { authorization });
    expect(again.status).toBe(200);
    await again.body?.cancel();
    const other = await makeUser(db, full.schoolId, 'administrator');
    const entry = { school_id: full.schoolId, user_id: other.id, action: 'exported everything', subject: 'export' };
    await db
      .insertInto('audit_entries')
      .values(Array.from({ length: MAX_EXPORTS_OF_USER_HOURLY }, () => entry))
      .execute();
    expect((await post({ password: PASSWORD }, await cookieOf(db, other))).status).toBe(429);
  });
});

describe('the screen', () => {
  it('asks for the password, and then offers the download for some minutes, in that session alone (B840)', async () => {
    const boss = await makeUser(db, full.schoolId, 'administrator');
    const cookie = await cookieOf(db, boss);
    const elsewhere = await cookieOf(db, boss);
    const before = await documentAt(SCREEN, cookie);
    expect(textOf(before.$('h1'))).toBe('Everything of This School');
    expect(before.$('a[href="/api/export"]').length).toBe(0);
    const answer = await answerTo(formRequest(SCREEN, { currentPassword: PASSWORD }, cookie));
    expect([answer.status, answer.headers.get('location')]).toEqual([303, SCREEN]);
    const proved = sessionCookieOf(answer);
    const after = await documentAt(SCREEN, proved);
    expect(textOf(after.$('a[href="/api/export"]'))).toBe('Download Everything');
    expect(Object.keys(await filesOf(await get(proved)))).toContain('manifest.json');
    expect((await get(elsewhere)).status).toBe(403);
    await sql`update sessions set created_at = now() - interval '1 hour', proved_at = now() - interval '16 minutes'
      where user_id = ${boss.id}`.execute(db);
    expect((await get(proved)).status).toBe(403);
  });
});
