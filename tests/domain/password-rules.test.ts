import { hash } from '@node-rs/argon2';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Member } from '#app/domain/actor.ts';
import { acceptInvitation } from '#app/domain/invitations/accept-invitation.server.ts';
import { createLinkToken } from '#app/domain/link-tokens.server.ts';
import { addUser } from '#app/domain/people/change-user.server.ts';
import { changeOwnPassword } from '#app/domain/people/own-account.server.ts';
import { assertHardToGuess } from '#app/domain/people/password-rules.server.ts';
import { hashPassword, verifyPassword } from '#app/domain/people/passwords.server.ts';
import { setPassword } from '#app/domain/people/reset-password.server.ts';
import { verifySignIn } from '#app/domain/people/sign-in.server.ts';
import { insertSession } from '#app/domain/people/sessions.server.ts';
import { createSchool } from '#app/domain/school/create-school.server.ts';
import { testDatabase } from '#tests/support/database.ts';
import { makeInvitation } from '#tests/support/invitation.ts';
import { makeSchool, makeUser, PASSWORD } from '#tests/support/school.ts';

const { db } = await testDatabase();
const COMMON = { code: 'invalid', fields: { password: 'This password is too common. Please choose another one.' } };
const NOBODY = { username: '', email: '' };
const NAMED = { code: 'invalid', fields: { password: expect.stringContaining('not made of your name') } };

let user: Member;
beforeEach(async () => {
  user = await makeUser(db, await makeSchool(db, { name: 'Cascade Flight School' }), 'administrator');
  user.email = 'vanhelsing@school.example';
  await db.updateTable('users').set({ email: user.email }).where('id', '=', user.id).execute();
});

const hashOf = async ({ id }: Member) =>
  (await db.selectFrom('users').select('password_hash').where('id', '=', id).executeTakeFirstOrThrow()).password_hash;
const verify = (password: string) => verifySignIn(db, { username: user.username, password }, { network: 'here' });

describe('a password that is chosen', () => {
  const ways: Record<string, (password: string) => Promise<unknown>> = {
    'for a new user': (password) =>
      addUser(db, user, { username: 'anna', email: 'vanhelsing@b.example', password, role: 'student' }),
    'at registration': async (password) =>
      acceptInvitation(db, (await makeInvitation(db, user, { email: `vanhelsing@${password}.example` })).token, {
        username: 'anna',
        password,
      }),
    'by a link': async (password) => setPassword(db, await newLink(), password),
    'for oneself': (password) =>
      changeOwnPassword(db, user, { password, verified: { userId: user.id, passwordGeneration: 0 } }),
    'on the command line': (password) =>
      createSchool(db, { name: 'Cascade Flight School', username: 'anna', email: 'vanhelsing@b.example', password }),
  };

  it.each(Object.entries(ways))(
    '%s is refused if it is common, or made of the school’s name or the user’s email address (B486)',
    async (_, choose) => {
      await expect(choose('Qwerty123')).rejects.toMatchObject(COMMON);
      await expect(choose('cascade-2026')).rejects.toMatchObject(NAMED);
      await expect(choose('Vanhelsing-1')).rejects.toMatchObject(NAMED);
    },
  );

  it('a common password, a repeat, a sequence or a date is refused, in whatever case and width (B486, C101)', async () => {
    const common = [
      ...['password', 'iloveyou', 'LETMEIN', 'dragon', 'ｐａｓｓｗｏｒｄ', 'Passw0rd!', 'cessna172', 'qwertz'],
      ...['654321', '121212', '987654', '555555', '101010', '202020', '456789', '321321', 'abcdef', '2024-01-01'],
      'a'.repeat(128),
    ];
    for (const password of common)
      await expect(assertHardToGuess(password, NOBODY), password).rejects.toMatchObject(COMMON);
  });

  it('a password made of the names, username or address of its owner is refused, with signs about them (B486)', async () => {
    const school = 'Cascade Flight School';
    const names = ['Flightline', 'flight-line 2026!', 'Anna.Smith99', 'smithanna', 'CascadeFlight1', 'flightschool!!'];
    const own = [
      ...names.map((name) => [name, 'anna smith', '']),
      ['u6-a-1', 'u6-a-1', ''],
      ['U6A1 99', 'u6-a-1', ''],
      ['0475-1122', '04751122', ''],
      ['Quincey.Morris!', 'quin', 'quincey.morris@mail.example'],
      ['quincey1897', 'quin', 'quincey@mail.example'],
      ['qm@mail.example', 'quin', 'QM@mail.example'],
    ];
    for (const [password = '', username = '', email = ''] of own)
      await expect(assertHardToGuess(password, { username, email, school }), password).rejects.toMatchObject(NAMED);
  });

  it('any other is accepted, of six characters or many words, in any script, or the mail server’s name (B486)', async () => {
    const owner = { username: 'anna', email: 'gus@windmill.example', school: 'Cascade Flight School' };
    const others = ['gull-9', 'flightline-demo', 'cascade of thrushes', 'gull over the marsh '.repeat(6)];
    for (const password of [...others, 'zwölf Möwen', '飛行機雲の下', 'windmill-1897'])
      await expect(assertHardToGuess(password, owner), password).resolves.toBeUndefined();
  });
});

describe('Unicode in a password', () => {
  it('composed and decomposed characters are the same password, and a password of 128 characters is whole (B487)', async () => {
    const stored = await hashPassword('zwölf ﬂüge');
    expect(await verifyPassword('zwo\u0308lf flu\u0308ge', stored)).toBe(true);
    const long = await hashPassword('ö'.repeat(128));
    expect(await verifyPassword('ö'.repeat(128), long)).toBe(true);
    expect(await verifyPassword('ö'.repeat(127), long)).toBe(false);
  });

  it('a hash of an earlier release, of what was typed, still fits (B487)', async () => {
    const typed = 'zwo\u0308lf Mo\u0308wen';
    const stored = await hash(typed);
    expect([await verifyPassword(typed, stored), await verifyPassword('zwölf', stored)]).toEqual([true, false]);
  });
});

describe('a hash of a lower cost', () => {
  it('is renewed by a sign-in, once, and a wrong password renews nothing (B488)', async () => {
    const cheap = await hashOf(user);
    await expect(verify('not mine')).rejects.toMatchObject({ code: 'unauthorized' });
    expect(await hashOf(user)).toBe(cheap);
    await verify(PASSWORD);
    const renewed = await hashOf(user);
    expect(renewed).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    await verify(PASSWORD);
    expect(await hashOf(user)).toBe(renewed);
  });

  it('renewed meanwhile, does not refuse a sign-in that verified the one before (B488)', async () => {
    const [first] = await Promise.all([verify(PASSWORD), verify(PASSWORD), verify(PASSWORD)]);
    await insertSession(db, `session of ${user.id}`, first);
  });
});

async function newLink(): Promise<string> {
  const { token, hash: token_hash } = createLinkToken();
  const link = { school_id: user.schoolId, user_id: user.id, token_hash, expires_at: new Date(Date.now() + 60_000) };
  await db.deleteFrom('password_links').where('user_id', '=', user.id).execute();
  await db.insertInto('password_links').values(link).execute();
  return token;
}
