import { afterEach, expect, it, vi } from 'vitest';
import { testDatabase } from '#tests/support/database.ts';
import { makeSchool, makeUser } from '#tests/support/school.ts';

const { db } = await testDatabase();
const user = await makeUser(db, await makeSchool(db));
const [FIRST, SECOND] = ['first'.repeat(8), 'second'.repeat(8)] as const;

afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

/** The modules of a server that was started with these secrets. */
async function startedWith(secret: string, previous = '') {
  vi.resetModules();
  vi.stubEnv('SESSION_SECRET', secret);
  vi.stubEnv('SESSION_SECRET_PREVIOUS', previous);
  const { cookieOf } = await import('#tests/support/requests.ts');
  const { endSession, findSessionUser } = await import('#app/server/session/session.server.ts');
  const { readToast, redirectWithToast, successToast } = await import('#app/server/flash.server.ts');
  const { openSecret, sealSecret } = await import('#app/domain/webhooks/queries.server.ts');
  const { cleanUp } = await import('#app/background/recurring-jobs.server.ts');
  const { openFactorKey, sealFactorKey } = await import('#app/domain/people/second-factor/factor-keys.server.ts');
  const request = (cookie: string) => new Request('http://localhost:3000/', { headers: { cookie } });
  return {
    signIn: () => cookieOf(db, user),
    userOf: async (cookie: string) => (await findSessionUser(db, request(cookie)))?.id,
    signOut: (cookie: string) => endSession(db, request(cookie)),
    toastCookie: async () => {
      const response = await redirectWithToast('/', successToast('Saved'));
      return response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    },
    sealSecret,
    sealFactorKey,
    openFactorKey,
    open: (sealed: string | null | undefined) => openSecret(sealed ?? '')?.secret,
    cleanUp: () => cleanUp(db),
    titleOf: async (cookie: string) => (await readToast(request(cookie))).toast?.title,
  };
}

it('a new secret beside the previous one signs nobody out; what the new one signs does without the previous (B449)', async () => {
  const foreign = await (await startedWith('foreign'.repeat(8))).signIn();
  const before = await startedWith(FIRST);
  const [old, leaving, oldToast] = [await before.signIn(), await before.signIn(), await before.toastCookie()];

  const rotated = await startedWith(SECOND, FIRST);
  expect(await rotated.userOf(old)).toBe(user.id);
  expect(await rotated.titleOf(oldToast)).toBe('Saved');
  await rotated.signOut(leaving);
  for (const nobody of [leaving, foreign]) expect(await rotated.userOf(nobody)).toBeUndefined();
  const fresh = await rotated.signIn();

  const after = await startedWith(SECOND);
  expect(await after.userOf(fresh)).toBe(user.id);
  expect(await after.userOf(old)).toBeUndefined();
});

it('both secrets of a webhook open without the previous server secret after the clean-up reseals them (B883, B449)', async () => {
  const { sealSecret } = await startedWith(FIRST);
  const columns = { secret: sealSecret('newest'), previous_secret: sealSecret('before'), previous_until: new Date() };
  const webhook = {
    school_id: user.schoolId,
    url: 'https://receiver.example/',
    events: ['flight.started'],
    ...columns,
  };
  const { id } = await db.insertInto('webhooks').values(webhook).returning('id').executeTakeFirstOrThrow();
  await (await startedWith(SECOND, FIRST)).cleanUp();
  const { open } = await startedWith(SECOND);
  const row = await db.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  expect([open(row.secret), open(row.previous_secret)]).toEqual(['newest', 'before']);
});

it('the key of a second factor is sealed, and opens without the previous server secret after the clean-up (B1236)', async () => {
  const [plain, other] = ['JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP', await makeUser(db, user.schoolId)];
  const { sealFactorKey } = await startedWith(FIRST);
  const rows = [
    { user_id: user.id, secret: plain, last_step: 0 },
    { user_id: other.id, secret: sealFactorKey(plain), last_step: 0 },
  ];
  await db.insertInto('second_factors').values(rows).execute();
  await (await startedWith(SECOND, FIRST)).cleanUp();
  const { openFactorKey } = await startedWith(SECOND);
  const stored = (await db.selectFrom('second_factors').select('secret').execute()).map(({ secret }) => secret);
  expect(stored.filter((secret) => secret === plain)).toEqual([]);
  expect(stored.map(openFactorKey)).toEqual([plain, plain]);
});
