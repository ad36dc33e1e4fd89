import { expect, it } from 'vitest';
import { hashPassword, isOutdatedHash, verifyPassword } from '#app/domain/people/passwords.server.ts';
import { addUserSchema, registerSchema } from '#app/domain/people/schema.server.ts';

const LONG = 'aircraft '.repeat(15);

it('a password is stored as a hash by Argon2id of 19 MiB and two passes, with a salt of its own', async () => {
  const hashes = await Promise.all([hashPassword(LONG), hashPassword(LONG)]);
  for (const hash of hashes)
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22,}\$[A-Za-z0-9+/]{43}$/);
  expect(hashes[0]).not.toBe(hashes[1]);
});

it('a hash of less memory or fewer passes than new ones have is renewed at the next sign-in, and no other', () => {
  const hashOf = (memory: number, passes: number) => `$argon2id$v=19$m=${memory},t=${passes},p=1$c2FsdA$aGFzaA`;
  const outdated = [hashOf(19_455, 2), hashOf(65_536, 1), hashOf(19_456, 1), '$2b$10$an.old.one'];
  expect(outdated.map(isOutdatedHash)).toEqual(outdated.map(() => true));
  expect([hashOf(19_456, 2), hashOf(65_536, 3)].map(isOutdatedHash)).toEqual([false, false]);
});

it('a password of 135 characters is not verified unless it is the same to the last space', async () => {
  const hash = await hashPassword(LONG);
  expect(await verifyPassword(LONG, hash)).toBe(true);
  for (const other of [LONG.slice(0, -1), `${LONG.slice(0, -1)}x`, LONG.toUpperCase(), ` ${LONG}`, LONG.trim()])
    expect(await verifyPassword(other, hash), other).toBe(false);
});

it('a password of any characters is taken as it was typed, by invitation and by an administrator', () => {
  const others = { username: 'anna', email: 'anna@example.org', role: 'student' };
  const signs = ['hangarwindsockrunway', '73106482915502', '  #¶ ~ %"\\<é>  ', 'Пропеллер滑走路🛩🛬'];
  for (const password of [...signs, 'wind sock '.repeat(13).slice(0, 128)]) {
    expect(registerSchema.parse({ ...others, password }).password).toBe(password);
    expect(addUserSchema.parse({ ...others, password }).password).toBe(password);
  }
});
