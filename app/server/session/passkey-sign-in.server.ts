import { z } from 'zod';
import { AppError } from '#app/domain/app-error.ts';
import { recordPasskeySignIn } from '#app/domain/audit/record-sign-in.server.ts';
import {
  createChallenge,
  signInOptions,
  signInWithPasskey,
} from '#app/domain/people/passkeys/verify-passkey.server.ts';
import { findPasskey } from '#app/domain/people/passkeys/change-passkeys.server.ts';
import { assertionFieldSchema, passkeyTexts } from '#app/domain/people/passkeys/schema.server.ts';
import { PASSKEY_CHALLENGE_LIFE_S } from '#app/limits.ts';
import { db } from '../db.server.ts';
import { recorder } from '../event-recorder.server.ts';
import { signInOrigin } from './authenticator.server.ts';
import { startSession } from './session.server.ts';
import { passkeyCookie } from './cookies.server.ts';

/** Makes the question for the authenticator, with the Set-Cookie value that remembers it. */
export async function askForPasskey() {
  const challenge = createChallenge();
  return { options: signInOptions(challenge), cookie: await serializeChallenge({ for: 'sign-in', challenge }) };
}

/** Starts a session and returns the Set-Cookie values. Throws 'invalid', 'unauthorized' or 'tooMany'. */
export async function startPasskeySession(request: Request, form: FormData): Promise<string[]> {
  const { data: response } = assertionFieldSchema.safeParse(form.get('response'));
  if (!response) throw new AppError('invalid', passkeyTexts.unreadable);
  const { challenge } = await requireChallenge(request, 'sign-in');
  const passkey = await findPasskey(db, response.id);
  const origin = await signInOrigin(request, passkey?.username ?? '');
  const sharedComputer = form.get('sharedComputer') === 'on';
  const cookies = await recordPasskeySignIn(
    db,
    recorder,
    passkey?.username,
    signInWithPasskey(db, { passkey, response, challenge, origin }, (trx, user) =>
      startSession(trx, request, user, { username: passkey?.username ?? '', sharedComputer, passkeyId: passkey?.id }),
    ),
  );
  return [...cookies, await serializeExpiredChallenge()];
}

const shared = { challenge: z.string(), until: z.number() };

const askedSchema = z.discriminatedUnion('for', [
  z.object({ for: z.literal('sign-in'), ...shared }),
  z.object({ for: z.literal('add'), ...shared, userId: z.number(), passwordGeneration: z.number(), name: z.string() }),
]);

type Asked = z.infer<typeof askedSchema>;
type AskedFor<Purpose extends Asked['for']> = Extract<Asked, { for: Purpose }>;
type Kept<Purpose extends Asked['for']> = Omit<AskedFor<Purpose>, 'until'>;

/** Keeps the question; returns the Set-Cookie value. */
export function serializeChallenge(asked: Kept<'sign-in'> | Kept<'add'>): Promise<string> {
  return passkeyCookie.serialize({ ...asked, until: Date.now() + PASSKEY_CHALLENGE_LIFE_S * 1000 });
}

/** Returns the question that was asked. Throws 'unauthorized' without one for this purpose, or after its time. */
export async function requireChallenge<Purpose extends Asked['for']>(
  request: Request,
  purpose: Purpose,
): Promise<AskedFor<Purpose>> {
  const { data } = askedSchema.safeParse(await passkeyCookie.parse(request.headers.get('cookie')));
  if (!data || !isFor(data, purpose) || data.until <= Date.now())
    throw new AppError('unauthorized', passkeyTexts.expired);
  return data;
}

export function serializeExpiredChallenge(): Promise<string> {
  return passkeyCookie.serialize('', { maxAge: 0 });
}

function isFor<Purpose extends Asked['for']>(asked: Asked, purpose: Purpose): asked is AskedFor<Purpose> {
  return asked.for === purpose;
}
