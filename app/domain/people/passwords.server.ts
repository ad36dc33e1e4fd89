import { createHash, randomBytes } from 'node:crypto';
import { hash, hashRaw, verify } from '@node-rs/argon2';
import { runHashingInTurn } from '../turns/queues.server.ts';

// These are RFC 9106's second choice for argon2id, scaled to a small machine: 19 MiB, two passes.
const ARGON2_OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

const NEW_PASSWORDS = { name: 'new passwords' };

export function hashPassword(password: string): Promise<string> {
  return runHashingInTurn(NEW_PASSWORDS, () => hashNow(password));
}

/** Hashes a password that nobody knows. */
export function hashRandomPassword(): Promise<string> {
  return hashPassword(randomBytes(32).toString('base64url'));
}

/** Hashes for a caller who has a place in the queue already. */
export function hashNow(password: string): Promise<string> {
  return hash(normalizePassword(password), ARGON2_OPTIONS);
}

/** Verifies a password. It takes equally long for an unknown user, whose `passwordHash` is undefined. */
export async function verifyPassword(password: string, passwordHash: string | null | undefined): Promise<boolean> {
  const tried = passwordHash ?? (await dummyHash);
  const normalized = normalizePassword(password);
  // Earlier releases hashed what was typed.
  const fits = (await verify(tried, normalized)) || (normalized !== password && (await verify(tried, password)));
  return fits && Boolean(passwordHash);
}

/** Returns true for a hash that was made at a lower cost than new ones are. */
export function isOutdatedHash(passwordHash: string): boolean {
  const [, memoryCost, timeCost] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=\d+\$/.exec(passwordHash) ?? [];
  return Number(memoryCost ?? 0) < ARGON2_OPTIONS.memoryCost || Number(timeCost ?? 0) < ARGON2_OPTIONS.timeCost;
}

/** Makes a password the same for keyboards and systems that compose characters in different ways. */
export function normalizePassword(password: string): string {
  return password.normalize('NFKC');
}

/** Makes a keyed, slow and deterministic hash, to compare repeated requests; null without a key. */
export async function fingerprintPassword(password: string, key: string | undefined): Promise<string | null> {
  if (key === undefined) return null;
  const salt = createHash('sha256').update(key).digest();
  const raw = await runHashingInTurn(NEW_PASSWORDS, () =>
    hashRaw(normalizePassword(password), { ...ARGON2_OPTIONS, salt }),
  );
  return raw.toString('base64url');
}

const dummyHash = hash('nobody has this password', ARGON2_OPTIONS);
// The caller who waits for it hears of its failure.
dummyHash.catch(() => {});
