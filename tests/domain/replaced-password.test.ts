import { beforeEach, describe, expect, it } from 'vitest';
import type { Trx } from '#db/connect.server.ts';
import type { Member } from '#app/domain/actor.ts';
import { createLinkToken } from '#app/domain/link-tokens.server.ts';
import { setPassword } from '#app/domain/people/reset-password.server.ts';
import { verifySignIn } from '#app/domain/people/sign-in.server.ts';
import { insertSession } from '#app/domain/people/sessions.server.ts';
import { testDatabase } from '#tests/support/database.ts';
import { whileOpen } from '#tests/support/faults.ts';
import { makeSchool, makeUser, PASSWORD } from '#tests/support/school.ts';
import { nightly } from '#tests/support/takes-all.ts';

const { db } = await testDatabase();
const NEW = 'another password';

let user: Member;
let token: string;
beforeEach(async () => {
  const schoolId = await makeSchool(db);
  user = await makeUser(db, schoolId);
  const link = createLinkToken();
  token = link.token;
  const expires = new Date(Date.now() + 60_000);
  const row = { school_id: schoolId, user_id: user.id, token_hash: link.hash, expires_at: expires };
  await db.insertInto('password_links').values(row).execute();
});

const verify = (password: string) => verifySignIn(db, { username: user.username, password }, { network: 'here' });
const liveSessions = () =>
  db.selectFrom('sessions').select('id').where('user_id', '=', user.id).where('revoked_at', 'is', null).execute();

describe('a sign-in while the password is replaced', () => {
  it('loses the session that it got before, and gets none that comes after; the new one does (B414)', async () => {
    const verified = await verify(PASSWORD);
    await insertSession(db, 'early', verified);
    await setPassword(db, token, NEW);
    const refusal = { code: 'unauthorized', message: 'Invalid username or password' };
    await expect(insertSession(db, 'late', verified)).rejects.toMatchObject(refusal);
    await insertSession(db, 'new', await verify(NEW));
    expect(await liveSessions()).toEqual([{ id: 'new' }]);
  });

  it('waits for a new password that is about to be committed (B414)', async () => {
    const verified = await verify(PASSWORD);
    const columns = { password_hash: 'new', password_generation: 1 };
    const replacement = (trx: Trx) => trx.updateTable('users').set(columns).where('id', '=', user.id).execute();
    const inserting = whileOpen(db, replacement, () => insertSession(db, 'waiting', verified));
    await expect(inserting).rejects.toMatchObject({ code: 'unauthorized' });
    expect(await liveSessions()).toEqual([]);
  });

  nightly('of twenty sign-ins at once with the old one, none survives (B414)', async () => {
    const signIns = Array.from({ length: 20 }, async (_, index) =>
      verify(PASSWORD)
        .then((verified) => insertSession(db, `loop ${index}`, verified))
        .catch(() => {}),
    );
    await Promise.all([...signIns, setPassword(db, token, NEW)]);
    expect(await liveSessions()).toEqual([]);
  });

  it('gets no session once the user is deleted (B414)', async () => {
    const verified = await verify(PASSWORD);
    await db.updateTable('users').set({ deleted_at: new Date() }).where('id', '=', user.id).execute();
    await expect(insertSession(db, 'gone', verified)).rejects.toMatchObject({ code: 'unauthorized' });
  });
});
