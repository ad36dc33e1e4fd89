import { beforeEach, describe, expect, it } from 'vitest';
import { makeSchool, makeUser, type Member, PASSWORD, testDatabase } from '#tests/support/makers.ts';
import { answerTo, cookieOf, cookiesAfter, formRequest, jsonRequest } from '#tests/support/ask.ts';
import { documentAt, textOf, textsOf } from '#tests/support/pages.ts';
import { recorder } from '#app/server/event-recorder.server.ts';
import { makePasskey } from '#tests/support/passkeys.ts';
import { codeFrom, makeSecondFactor } from '#tests/support/second-factor.ts';

const { db } = await testDatabase();
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:138.0) Gecko/20100101 Firefox/138.0';

let owner: Member, cookie: string;
beforeEach(async () => {
  await db.deleteFrom('login_attempts').execute();
  await db.deleteFrom('mail_outbox').execute();
  owner = await makeUser(db, await makeSchool(db));
  cookie = await cookieOf(db, owner);
});

const post = (path: string, fields: Record<string, string>, as = cookie) => answerTo(formRequest(path, fields, as));
const logIn = (more: { code?: string; cookie?: string; userAgent?: string; address?: string; shared?: true } = {}) => {
  const headers = { 'user-agent': more.userAgent ?? FIREFOX, 'x-client-address': more.address ?? '198.51.100.7' };
  const code = more.code === undefined ? {} : { code: more.code };
  const input = { username: owner.username, password: PASSWORD, ...code, ...(more.shared && { sharedComputer: true }) };
  return answerTo(jsonRequest('POST', '/api/login', input, more.cookie ?? '', headers));
};

/** The recipients and the second sentences of the mails that wait. */
async function mails(): Promise<string[]> {
  await recorder.flush();
  const found = await db.selectFrom('mail_outbox').select(['to_address', 'body_text']).orderBy('id').execute();
  await db.deleteFrom('mail_outbox').execute();
  return found.map(({ to_address, body_text }) => `${to_address}: ${body_text.split('\n\n')[1]}`);
}
const toOwner = (sentence: string) => [`${owner.email}: ${sentence}`];
const NEW_DEVICE = 'Your account was used to sign in on a device that had not been used for it before.';

describe('the owner of an account', () => {
  it('is told of a sign-in on a new device, with time and address, and not of the next one there (B1230)', async () => {
    const answer = await logIn();
    const [letter] = await db.selectFrom('mail_outbox').selectAll().execute();
    expect(letter?.body_text).toMatch(/It happened on .* UTC, from 198\.51\.100\.7\./);
    expect(letter?.body_text).toContain('/account');
    expect(await mails()).toEqual(toOwner(NEW_DEVICE));
    await logIn();
    await logIn({ cookie: cookiesAfter('', answer), userAgent: 'curl', address: '203.0.113.9' });
    expect(await mails()).toEqual([]);
    await logIn({ userAgent: 'curl' });
    await logIn({ address: '203.0.113.9' });
    expect(await mails()).toHaveLength(2);
  });

  it('is told of a new device on a shared computer once, which keeps no cookie (B1230)', async () => {
    await logIn({ shared: true });
    await logIn({ shared: true });
    expect(await mails()).toEqual(toOwner(NEW_DEVICE));
  });

  it('is told at both addresses of a new email, whoever changed it (B1231)', async () => {
    const former = owner.email;
    await post('/account/email', { email: `own-${owner.id}@b.example`, currentPassword: PASSWORD });
    const changed = 'The email address of your account was changed.';
    expect(await mails()).toEqual([`own-${owner.id}@b.example: ${changed}`, `${former}: ${changed}`]);
    const administrator = await makeUser(db, owner.schoolId, 'administrator');
    const change = { email: `by-${owner.id}@b.example` };
    await answerTo(jsonRequest('PATCH', `/api/users/${owner.id}`, change, await cookieOf(db, administrator)));
    expect((await mails()).map((mail) => mail.replace(/:.*/, ''))).toEqual([
      `by-${owner.id}@b.example`,
      `own-${owner.id}@b.example`,
      administrator.email,
    ]);
  });

  it('is told of five acts of a kind in an hour, so that nobody has strangers mailed at will (B1662)', async () => {
    for (let count = 1; count <= 7; count += 1)
      await post(
        '/account/email',
        { email: `s${count}-${owner.id}@stranger.example`, currentPassword: PASSWORD },
        await cookieOf(db, owner),
      );
    expect(await mails()).toHaveLength(10);
    await post('/account/token', { name: 'Board', scope: 'read', days: '30' }, await cookieOf(db, owner));
    expect(await mails()).toHaveLength(1);
  });

  it('is told of a new passkey, password, token and second factor (B1231)', async () => {
    await makePasskey(db, owner);
    expect(await mails()).toEqual(toOwner('A passkey was added, which signs in without your password.'));
    const fresh = async () => (cookie = await cookieOf(db, owner));
    const token = { name: 'Board', scope: 'read', days: '30', requestId: crypto.randomUUID() };
    await post('/account/token', token, await fresh());
    expect(await mails()).toEqual(toOwner('An access token was added, with which a program acts as you.'));
    const key = textOf((await documentAt('/account/second-factor', await fresh())).$('code.secret'));
    await post('/account/second-factor', { intent: 'add', code: codeFrom(key) });
    expect(await mails()).toEqual(toOwner('A second factor was added: signing in asks for a code from now on.'));
    const password = { password: 'quite another one', confirmPassword: 'quite another one' };
    await post('/account/password', { currentPassword: PASSWORD, ...password }, await fresh());
    expect(await mails()).toEqual(toOwner('Your password was changed.'));
  });

  it('is told once an hour of ten wrong codes after the right password, and of a recovery code (B1232)', async () => {
    await makeSecondFactor(db, owner);
    for (let count = 0; count < 10; count += 1) await logIn({ code: '000000', cookie });
    expect(await mails()).toEqual([]);
    for (let count = 0; count < 3; count += 1) expect((await logIn({ code: '000000', cookie })).status).toBe(429);
    expect(await mails()).toEqual(toOwner('Somebody who knows your password entered too many wrong codes.'));
  });

  it('reads the newest ten on the account screen, and nobody else’s (B1233)', async () => {
    const administrator = await cookieOf(db, await makeUser(db, owner.schoolId, 'administrator'));
    await post('/account/email', { email: `own-${owner.id}@b.example`, currentPassword: PASSWORD });
    const listed = async (as: string) => {
      const { $ } = await documentAt('/account', as);
      const card = $('section').filter((_, each) => textOf($(each).find('h2').first()) === 'Recent Changes');
      return textsOf($, card.find('h3'));
    };
    expect(await listed(await cookieOf(db, owner))).toEqual(['Own email changed']);
    expect(await listed(administrator)).toEqual([]);
  });
});
