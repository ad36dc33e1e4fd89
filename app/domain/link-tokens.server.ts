import { createHash, randomBytes } from 'node:crypto';

/** A secret for a link: 256 random bits. Only `hash` is ever stored (C22). */
export function createLinkToken(): { token: string; hash: string } {
  const token = randomBytes(32).toString('base64url');
  return { token, hash: hashLinkToken(token) };
}

/** What a token is looked up by; no salt or key: nothing can be guessed from the hash of 256 random bits. */
export function hashLinkToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
