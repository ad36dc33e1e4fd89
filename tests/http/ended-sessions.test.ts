import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Member } from '#app/domain/actor.ts';
import { saveDraft } from '#app/domain/drafts.server.ts';
import { setPassword } from '#app/domain/people/reset-password.server.ts';
import { storePasswordLink } from '#app/domain/people/password-links.server.ts';
import { hashLinkToken } from '#app/domain/link-tokens.server.ts';
import { findSessionUser } from '#app/server/session/session.server.ts';
import { testDatabase } from '#tests/support/database.ts';
import { drawn } from '#tests/support/drawn.ts';
import { cookieOf, formRequest, getRequest, jsonRequest, ORIGIN } from '#tests/support/requests.ts';
import { actionPaths, answerTo, pathWith, ROUTES } from '#tests/support/routes.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';
import { expireSessions, revokeSessions } from '#tests/support/sessions.ts';
import { storedRows } from '#tests/support/stored-rows.ts';
import { nightly } from '#tests/support/takes-all.ts';
import { CAN_SEE_FILES, openFilesIn } from '#tests/support/upload-files.ts';

const { db } = await testDatabase();
const schoolId = await makeSchool(db);

let pilot: Member, cookie: string;
beforeEach(async () => {
  await db.deleteFrom('drafts').execute();
  pilot = await makeUser(db, schoolId, 'administrator');
  cookie = await cookieOf(db, pilot);
});

const post = (path: string, fields: Record<string, string> = { notes: 'Flat tyre' }) =>
  answerTo(formRequest(path, fields, cookie));
const drafts = () => db.selectFrom('drafts').select(['form', 'updated_at']).where('user_id', '=', pilot.id).execute();
const forms = async () => (await drafts()).map(({ form }) => form);

/** That a request was refused may be recorded, later. */
async function storedBesideEvents(): Promise<Record<string, string[]>> {
  return { ...(await storedRows(db)), audit_entries: [] };
}

/** What is entered there is good for a moment only, is no screen's form, or is nobody's. */
const NOT_PARKING = ['/account/second-factor', '/*', '/logout', '/login/passkey'];
const RESOURCES = ROUTES.filter(({ kind }) => kind === 'resource').map(({ path }) => path);
const pages = actionPaths.filter(
  (path) => !['/login', '/auth', '/register', '/reset-password', '/forgot-password', '/login/code'].includes(path),
);

it('the actor of a request carries the session, which each write proves again (B413)', async () => {
  const { id } = await db.selectFrom('sessions').select('id').where('user_id', '=', pilot.id).executeTakeFirstOrThrow();
  expect(await findSessionUser(db, getRequest('/', cookie))).toMatchObject({ id: pilot.id, sessionId: id });
});

describe('the cookie of a session that was ended', () => {
  it('writes nothing, wherever it is sent to (B415)', async () => {
    await revokeSessions(db, pilot);
    const before = await storedBesideEvents();
    for (const path of drawn(pages, 3, 'pages')) {
      await post(pathWith(path, '1'));
      expect(await storedBesideEvents(), path).toEqual(before);
    }
  });

  it('writes nothing once it has expired as well, nor once the password is another (B415)', async () => {
    await revokeSessions(db, pilot);
    await expireSessions(db, pilot);
    await post('/flight-log?step=2');
    expect(await forms()).toEqual([]);
    cookie = await cookieOf(db, pilot);
    await expireSessions(db, pilot);
    await db.transaction().execute(async (trx) => {
      const mail = { school_id: schoolId, to_name: 'x', to_address: 'x', subject: 'x', body_text: 'x', body_html: 'x' };
      const { id: mailId } = await trx.insertInto('mail_outbox').values(mail).returning('id').executeTakeFirstOrThrow();
      const link = { schoolId, userId: pilot.id, mailId, madeBy: null, expires: new Date(Date.now() + 60_000) };
      await storePasswordLink(trx, { ...link, hash: hashLinkToken('token') });
    });
    await setPassword(db, 'token', 'another password');
    await post('/flight-log?step=2');
    expect(await forms()).toEqual([]);
  });
});

describe('the cookie of a session that has expired', () => {
  it('keeps a form only if its page offers it again (B415)', async () => {
    for (const path of pages) {
      pilot = await makeUser(db, schoolId, 'administrator');
      cookie = await cookieOf(db, pilot);
      await expireSessions(db, pilot);
      await post(pathWith(path, '1'));
      const isKept = !NOT_PARKING.includes(path) && !RESOURCES.includes(path);
      expect([path, await forms()]).toEqual([path, isKept ? [`${pathWith(path, '1')}#`] : []]);
    }
  });

  it('keeps a form without what its page never shows again, and nothing by a call (B231, B415, C34, C56)', async () => {
    await expireSessions(db, pilot);
    const secrets = {
      currentPassword: 'secret-1',
      confirmPassword: 'secret-2',
      PASSWORD: 'secret-3',
      oldPassword: 'x',
    };
    await post('/account/email', { email: 'new@example.org', ...secrets });
    await post('/account/passkey', { intent: 'add', name: 'Phone', response: '{"id":"1"}' });
    const kept = db.selectFrom('drafts').select('body').where('user_id', '=', pilot.id).orderBy('form');
    expect((await kept.execute()).map(({ body }) => body)).toEqual([
      { email: 'new@example.org' },
      { intent: 'add', name: 'Phone' },
    ]);
    await expireSessions(db, pilot);
    const aircraftId = await makeAircraft(db, schoolId);
    const before = await storedRows(db);
    await answerTo(jsonRequest('POST', '/api/flight-logs', { aircraftId }, cookie));
    expect(await storedRows(db)).toEqual(before);
  });
});

describe('the drafts of a user', () => {
  it('are the twenty newest (B416)', async () => {
    await expireSessions(db, pilot);
    const other = await makeUser(db, schoolId);
    await saveDraft(db, other, '/flight-log?step=1#', []);
    for (let count = 1; count <= 22; count += 1) {
      await post(`/flight-log?step=${count}`);
      expect(await drafts()).toHaveLength(Math.min(count, 20));
    }
    expect(await forms()).not.toContain('/flight-log?step=2#');
    expect(await forms()).toContain('/flight-log?step=3#');
    expect(await db.selectFrom('drafts').select('form').where('user_id', '=', other.id).execute()).toHaveLength(1);
  });

  nightly('have five megabytes at most, of which the newest stay (B416)', async () => {
    const million = Array.from({ length: 50 }, (_, index): [string, string] => [`field${index}`, 'x'.repeat(19_980)]);
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) await saveDraft(db, pilot, name, million);
    expect((await forms()).toSorted()).toEqual(['b', 'c', 'd', 'e', 'f']);
  });
});

it.runIf(CAN_SEE_FILES)(
  'a file that nobody signed in posts is not kept, on the disk or elsewhere (C29, C48)',
  async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'uploads-'));
    vi.stubEnv('TMPDIR', folder);
    onTestFinished(async () => {
      vi.unstubAllEnvs();
      await rm(folder, { recursive: true });
    });
    const head = '--b\r\nContent-Disposition: form-data; name="image"; filename="a.jpg"\r\n\r\n';
    let sent = 0;
    let most = 0;
    const body = new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        most = Math.max(most, openFilesIn(folder, 'self').length);
        sent += 1;
        controller.enqueue(Buffer.from(sent === 1 ? head : 'x'.repeat(64 * 1024)));
        if (sent === 50) controller.close();
      },
    });
    const headers = { 'content-type': 'multipart/form-data; boundary=b', origin: ORIGIN };
    const answer = await answerTo(
      new Request(`${ORIGIN}/ocr?index`, { method: 'POST', headers, body, duplex: 'half' }),
    );
    expect([answer.status, answer.headers.get('location'), sent, most]).toEqual([
      303,
      '/login?to=%2Focr%3Findex',
      50,
      0,
    ]);
  },
);
