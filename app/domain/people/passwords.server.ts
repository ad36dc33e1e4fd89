import { createHash } from 'node:crypto';
import { hash, hashRaw, verify } from '@node-rs/argon2';

// RFC 9106's second choice scaled to a small machine: 19 MiB, two passes, one lane (argon2id is the default kind).
const ARGON2_OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** An argon2id hash of the password, salted, with its parameters (C37). */
export function hashPassword(password: string): Promise<string> {
  return hash(password, ARGON2_OPTIONS);
}

/** Whether the password fits; takes as long for a user who does not exist (`passwordHash` undefined). */
export async function verifyPassword(password: string, passwordHash: string | null | undefined): Promise<boolean> {
  const fits = await verify(passwordHash ?? (await dummyHash), password);
  return fits && Boolean(passwordHash);
}

/**
 * Stands in for the password where a request is compared with an earlier one under the same key (C58): as slow to
 * guess from as the stored hash, and the same each time. Nothing without a key: such a request is compared with none.
 */
export async function fingerprintPassword(password: string, key: string | undefined): Promise<string | null> {
  if (key === undefined) return null;
  const salt = createHash('sha256').update(key).digest();
  return (await hashRaw(password, { ...ARGON2_OPTIONS, salt })).toString('base64url');
}

const dummyHash = hashPassword('nobody has this password');
