import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import type { Db } from '#db/connect.server.ts';
import { env } from '#app/env.server.ts';
import { PASSKEY_CHALLENGE_LIFE_S } from '#app/limits.ts';
import { findCredentials } from './passkeys.server.ts';

const { hostname, origin } = new URL(env.APP_URL);

/** Facts that an authenticator signs beside the challenge: this site, reached at this address. */
export const EXPECTED = { expectedOrigin: origin, expectedRPID: hostname, requireUserVerification: true };

/** COSE numbers of ES256, EdDSA with Ed25519, and RS256, the only one of older Windows computers. */
export const ALGORITHMS = [-7, -8, -257];

const TIMEOUT_MS = PASSKEY_CHALLENGE_LIFE_S * 1000;

/** Makes the options, without a user: the authenticator knows whose passkeys it has for this site. */
export function signInOptions(challenge: string): PublicKeyCredentialRequestOptionsJSON {
  return { challenge, rpId: hostname, userVerification: 'required', allowCredentials: [], timeout: TIMEOUT_MS };
}

export async function creationOptions(
  db: Db,
  { id, username }: { id: number; username: string },
  challenge: string,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await import('@simplewebauthn/server');
  return generateRegistrationOptions({
    rpName: env.PRODUCT_NAME,
    rpID: hostname,
    userName: username,
    userDisplayName: username,
    userID: new TextEncoder().encode(userHandle(id)),
    challenge: new Uint8Array(Buffer.from(challenge, 'base64url')),
    timeout: TIMEOUT_MS,
    attestationType: 'none',
    excludeCredentials: await findCredentials(db, id),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
  });
}

/** Returns the authenticator's name for the user, which says nothing to others. */
export function userHandle(userId: number): string {
  return `user ${userId}`;
}
