import { createHash, randomBytes } from 'node:crypto';

/** A token of 256 random bits; only `hash` is stored (docs/decisions/100). */
export function createLinkToken(): { token: string; hash: string } {
  const token = randomBytes(32).toString('base64url');
  return { token, hash: hashLinkToken(token) };
}

/** Hashes without salt or key, because 256 random bits cannot be guessed. */
export function hashLinkToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
