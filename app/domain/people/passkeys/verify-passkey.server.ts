import { randomBytes } from 'node:crypto';
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  WebAuthnCredential,
} from '@simplewebauthn/server';
import type { Db, Trx } from '#db/connect.server.ts';
import { MIN_RSA_MODULUS_BYTES, PASSKEY_CHALLENGE_BYTES, PASSKEY_CHALLENGE_LIFE_S } from '#app/limits.ts';
import { env } from '#app/env.server.ts';
import { AppError } from '../../app-error.ts';
import { fromNow, now } from '../../database-clock.server.ts';
import { findCredentials, type KnownPasskey, type VerifiedPasskey } from './change-passkeys.server.ts';
import { type Assertion, type NewPasskey, passkeyTexts } from './schema.server.ts';
import { sql } from 'kysely';
import { inTransaction } from '#db/transaction.ts';
import {
  countAttemptOrThrow,
  loginBudgets,
  networkLoginBudgets,
  type SignInOrigin,
  takeBackLoginAttempt,
} from '../login-budgets.server.ts';
import { lockUserForShare } from '../queries.server.ts';
import type { VerifiedUser } from '../sessions.server.ts';

/** Verifies a new passkey. Throws 'invalid' unless made here, for this challenge, by a verified user. */
export async function verifyNewPasskey(response: NewPasskey, challenge: string): Promise<VerifiedPasskey> {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  return refuseErrors(new AppError('invalid', passkeyTexts.notAdded), async () => {
    await assertOwnFrame(response);
    await assertWithoutCertificates(response);
    const expected = { ...EXPECTED, expectedChallenge: challenge, supportedAlgorithmIDs: ALGORITHMS };
    const { verified, registrationInfo } = await verifyRegistrationResponse({ response, ...expected });
    if (!verified) return undefined;
    const { credential, credentialBackedUp } = registrationInfo;
    await assertStrongKey(credential.publicKey);
    return { ...credential, id: response.id, backedUp: credentialBackedUp };
  });
}

/** Returns what to note. Throws 'unauthorized' for a wrong signature, user, site, challenge or falling counter. */
async function verifyAssertion(
  response: Assertion,
  { credential_id, public_key, counter, userId }: KnownPasskey,
  challenge: string,
): Promise<{ counter: number; backedUp: boolean }> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  return refuseErrors(new AppError('unauthorized', passkeyTexts.refused), async () => {
    await assertOwnFrame(response);
    const handle = response.response.userHandle;
    if (handle !== Buffer.from(userHandle(userId)).toString('base64url')) return undefined;
    const credential = { id: credential_id, publicKey: new Uint8Array(public_key), counter };
    const expected = { ...EXPECTED, expectedChallenge: challenge };
    const { verified, authenticationInfo: info } = await verifyAuthenticationResponse({
      response,
      credential,
      ...expected,
    });
    return verified ? { counter: info.newCounter, backedUp: info.credentialBackedUp } : undefined;
  });
}

/** Turns what the library throws for anything wrong in a browser's answer into the refusal. */
async function refuseErrors<Result>(refusal: AppError, verify: () => Promise<Result | undefined>): Promise<Result> {
  const result = await verify().catch(() => undefined);
  if (result === undefined) throw refusal;
  return result;
}

/** Refuses an answer from another site's frame, in which nothing of this site is shown. */
async function assertOwnFrame({ response }: NewPasskey | Assertion): Promise<void> {
  const { decodeClientDataJSON } = await import('@simplewebauthn/server/helpers');
  if (decodeClientDataJSON(response.clientDataJSON).crossOrigin === true) throw new Error('from a frame');
}

/** Refuses certificates: none were asked for, and to check them would fetch from addresses that they name. */
async function assertWithoutCertificates({ response }: NewPasskey): Promise<void> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers');
  const attestation = decodeAttestationObject(new Uint8Array(Buffer.from(response.attestationObject, 'base64url')));
  const isSelfMade = attestation.get('fmt') === 'packed' && attestation.get('attStmt').get('x5c') === undefined;
  if (attestation.get('fmt') !== 'none' && !isSelfMade) throw new Error('with certificates');
}

/** Checks RSA keys; the other two algorithms have keys of one size. */
async function assertStrongKey(publicKey: WebAuthnCredential['publicKey']): Promise<void> {
  const { cose, decodeCredentialPublicKey } = await import('@simplewebauthn/server/helpers');
  const key = decodeCredentialPublicKey(publicKey);
  if (!cose.isCOSEPublicKeyRSA(key)) return;
  if ((key.get(cose.COSEKEYS.n)?.length ?? 0) < MIN_RSA_MODULUS_BYTES) throw new Error('a weak key');
}

const { hostname, origin } = new URL(env.APP_URL);

/** Facts that an authenticator signs beside the challenge: this site, reached at this address. */
const EXPECTED = { expectedOrigin: origin, expectedRPID: hostname, requireUserVerification: true };

/** COSE numbers of ES256, EdDSA with Ed25519, and RS256, the only one of older Windows computers. */
const ALGORITHMS = [-7, -8, -257];

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
function userHandle(userId: number): string {
  return `user ${userId}`;
}

export function createChallenge(): string {
  return randomBytes(PASSKEY_CHALLENGE_BYTES).toString('base64url');
}

/** Uses up a challenge, which is good for one attempt, right or wrong, in any process. Throws 'unauthorized'. */
export async function consumeChallenge(db: Db, challenge: string): Promise<void> {
  const consumed = await db
    .insertInto('used_passkey_challenges')
    .values({ challenge, expires_at: fromNow(2 * PASSKEY_CHALLENGE_LIFE_S, 'seconds') })
    .onConflict((conflict) => conflict.doNothing())
    .returning('challenge')
    .executeTakeFirst();
  if (!consumed) throw new AppError('unauthorized', passkeyTexts.expired);
}

/** Deletes challenges whose cookies are too old by now, even if the clocks of server and database differ. */
export async function deleteUsedPasskeyChallenges(db: Db): Promise<void> {
  await db.deleteFrom('used_passkey_challenges').where('expires_at', '<', now).execute();
}

interface PasskeyAttempt {
  passkey: KnownPasskey | undefined;
  response: Assertion;
  challenge: string;
  origin: SignInOrigin;
}

/** Calls `start` in a transaction that keeps the passkey in force. Throws 'unauthorized' or 'tooMany'. */
export async function signInWithPasskey<Result>(
  db: Db,
  { passkey, response, challenge, origin }: PasskeyAttempt,
  start: (trx: Trx, user: VerifiedUser) => Promise<Result>,
): Promise<Result> {
  const budgets = passkey ? loginBudgets(passkey.username, origin) : networkLoginBudgets(origin.network);
  await countAttemptOrThrow(db, budgets);
  await consumeChallenge(db, challenge);
  if (!passkey) throw new AppError('unauthorized', passkeyTexts.refused);
  const use = await verifyAssertion(response, passkey, challenge);
  const result = await inTransaction(db, async (trx) => {
    // The user is locked before the passkey's row, as in removing the passkey or the user.
    await lockUserForShare(trx, passkey.userId);
    await noteUse(trx, passkey, use);
    return start(trx, passkey);
  });
  await takeBackLoginAttempt(db, budgets);
  return result;
}

/** Notes the count. Throws 'unauthorized' for one that a copy has used, or if the passkey was removed meanwhile. */
async function noteUse(trx: Trx, { id }: KnownPasskey, use: { counter: number; backedUp: boolean }): Promise<void> {
  const { counter, backedUp } = use;
  const used = await trx
    .updateTable('passkeys')
    .set({ counter, backed_up: backedUp, last_used_at: now })
    .where('id', '=', id)
    .where(sql<boolean>`(counter < ${counter}::bigint or (counter = 0 and ${counter}::bigint = 0))`)
    .returning('id')
    .executeTakeFirst();
  if (!used) throw new AppError('unauthorized', passkeyTexts.refused);
}
