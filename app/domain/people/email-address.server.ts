import { domainToASCII } from 'node:url';
import { MAX_EMAIL_CHARACTERS } from '#app/limits.ts';

const LOCAL_PART = /^(?!\.)(?!.*\.\.)[\p{L}\p{M}\p{N}_'+\-.]*[\p{L}\p{M}\p{N}_+-]$/u;
const DOMAIN = /^[\p{L}\p{M}\p{N}.-]+$/u;
const ASCII_DOMAIN = /^([a-z0-9][a-z0-9-]{0,62}\.)+(?:[a-z]{2,}|xn--[a-z0-9-]+)$/;
/** RFC 5321 counts bytes. */
const MAX_LOCAL_PART_BYTES = 64;

/** Returns true for one address, whose parts before and after the @ may be in any script (RFC 6531). */
export function isEmailAddress(text: string): boolean {
  if (text.length > MAX_EMAIL_CHARACTERS) return false;
  const at = text.lastIndexOf('@');
  const [localPart, domain] = [text.slice(0, at), text.slice(at + 1)];
  const asciiDomain = DOMAIN.test(domain) ? domainToASCII(domain) : '';
  return (
    LOCAL_PART.test(localPart) &&
    Buffer.byteLength(localPart) <= MAX_LOCAL_PART_BYTES &&
    ASCII_DOMAIN.test(asciiDomain) &&
    Buffer.byteLength(localPart) + 1 + asciiDomain.length <= MAX_EMAIL_CHARACTERS
  );
}
