import { FormStrategy } from 'remix-auth-form';
import { db } from '../db.server.ts';
import { type OwnProofInput, type SignInInput, signInSchema } from '#app/domain/people/schema.server.ts';
import { consumeCode, findSecondFactor } from '#app/domain/people/second-factor/second-factors.server.ts';
import type { VerifiedUser } from '#app/domain/people/sessions.server.ts';
import { recordSecondStep, recordSignIn } from '#app/domain/audit/record-sign-in.server.ts';
import { type SignInResult, verifySignIn, verifyOwnPassword } from '#app/domain/people/sign-in.server.ts';
import type { SignInOrigin } from '#app/domain/people/login-budgets.server.ts';
import { AppError } from '#app/domain/app-error.ts';
import type { Actor } from '#app/domain/actor.ts';
import { findKnownDeviceId } from './known-device.server.ts';
import { replaceSessionToken } from './session.server.ts';
import { clientNetwork } from '../client-address.server.ts';
import { recorder } from '../event-recorder.server.ts';
import { texts } from '#app/domain/texts.ts';
import { passkeyTexts } from '#app/domain/people/passkeys/schema.server.ts';
import { z } from 'zod';
import { SECOND_STEP_LIFE_S } from '#app/limits.ts';
import { pendingSignInCookie } from './cookies.server.ts';

type Credentials = Pick<SignInInput, 'username' | 'password'>;

const credentials = signInSchema.omit({ sharedComputer: true });

const formStrategy = new FormStrategy(({ form, request }) =>
  authenticate(request, credentials.parse(Object.fromEntries(form))),
);

export function authenticateForm(request: Request, form: FormData): Promise<SignInResult> {
  return formStrategy.authenticate(new ParsedRequest(request, form));
}

/** Checks name and password. Throws 'unauthorized', also if a passkey is needed, or 'tooMany' past too many tries. */
export async function authenticate(request: Request, credentials: Credentials): Promise<SignInResult> {
  const origin = await signInOrigin(request, credentials.username);
  const user = await recordSignIn(db, recorder, credentials.username, verifySignIn(db, credentials, origin));
  if (user.mustUsePasskey) throw new AppError('unauthorized', passkeyTexts.needed);
  return user;
}

/** Checks the code, the second step of a sign-in; throws as `consumeCode` does. */
export async function authenticateCode(
  request: Request,
  { userId, username }: { userId: number; username: string },
  code: string,
): Promise<void> {
  const origin = await signInOrigin(request, username);
  return recordSecondStep(db, recorder, username, consumeCode(db, userId, code, origin));
}

/** Checks the code of who is signed in; throws as `consumeCode` does. */
export async function verifyCodeOf(request: Request, { id, username }: Actor, code: string): Promise<void> {
  await consumeCode(db, id, code, await signInOrigin(request, username));
}

/** Verifies the user's own password and gives the session a new token; throws as `verifyOwnPassword` does. */
export async function verifyPasswordAndRenewSession<Person extends Actor>(
  request: Request,
  actor: Person,
  { currentPassword }: { currentPassword: string },
  once: Parameters<typeof verifyOwnPassword>[4],
): Promise<{ verified: VerifiedUser | undefined; actor: Person }> {
  const origin = await signInOrigin(request, actor.username);
  const verified = await verifyOwnPassword(db, actor, currentPassword, origin, once);
  return { verified, actor: verified ? await replaceSessionToken(db, actor) : actor };
}

/**
 * The same, and the code of a user who has a second factor: without it nobody changes where links for a new password go, or
 * adds a way to sign in. Throws 'invalid' too where the code is missing, and as `consumeCode` does.
 */
export async function verifyPasswordAndCodeOf<Person extends Actor>(
  request: Request,
  actor: Person,
  { code, ...input }: OwnProofInput,
  once: Parameters<typeof verifyOwnPassword>[4],
): Promise<{ verified: VerifiedUser | undefined; actor: Person }> {
  const proved = await verifyPasswordAndRenewSession(request, actor, input, once);
  if (!proved.verified || !(await findSecondFactor(db, actor.id))) return proved;
  if (!code) throw new AppError('invalid', texts.codeRequired).onField('code');
  await verifyCodeOf(request, actor, code);
  return proved;
}

/** Returns the budgets that attempts of this user from this browser count against. */
export async function signInOrigin(request: Request, username: string): Promise<SignInOrigin> {
  return { network: clientNetwork(request), device: await findKnownDeviceId(request, username) };
}

/** Passes on the parsed form, because FormStrategy would read a body of any size. */
class ParsedRequest extends Request {
  readonly #form: FormData;

  constructor(request: Request, form: FormData) {
    super(request.url, { method: request.method, headers: request.headers, signal: request.signal });
    this.#form = form;
  }

  override async formData(): Promise<FormData> {
    return this.#form;
  }

  override clone(): ParsedRequest {
    return this;
  }
}

const pendingSchema = z.object({
  userId: z.number(),
  passwordGeneration: z.number(),
  username: z.string(),
  sharedComputer: z.boolean().optional(),
  until: z.number(),
});

/** A sign-in whose password was right and whose code is to come. */
export type PendingSignIn = z.infer<typeof pendingSchema>;

/** Keeps the sign-in until its second step; returns the Set-Cookie value. */
export function serializePendingSignIn(pending: Omit<PendingSignIn, 'until'>): Promise<string> {
  return pendingSignInCookie.serialize({ ...pending, until: Date.now() + SECOND_STEP_LIFE_S * 1000 });
}

export async function findPendingSignIn(request: Request): Promise<PendingSignIn | undefined> {
  const { data } = pendingSchema.safeParse(await pendingSignInCookie.parse(request.headers.get('cookie')));
  return data && data.until > Date.now() ? data : undefined;
}

export function serializeExpiredPendingSignIn(): Promise<string> {
  return pendingSignInCookie.serialize('', { maxAge: 0 });
}
