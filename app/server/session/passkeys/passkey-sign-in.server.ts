import { AppError } from '#app/domain/app-error.ts';
import { recordPasskeySignIn } from '#app/domain/audit/record-sign-in.server.ts';
import { createChallenge } from '#app/domain/people/passkeys/passkey-challenges.server.ts';
import { findPasskey } from '#app/domain/people/passkeys/passkeys.server.ts';
import { signInOptions } from '#app/domain/people/passkeys/relying-party.server.ts';
import { assertionFieldSchema } from '#app/domain/people/passkeys/schema.server.ts';
import { signInWithPasskey } from '#app/domain/people/passkeys/sign-in-with-passkey.server.ts';
import { db } from '../../db.server.ts';
import { recorder } from '../../event-recorder.server.ts';
import { signInOrigin } from '../authenticator.server.ts';
import { startSession } from '../session.server.ts';
import { clearChallenge, keepChallenge, requireChallenge } from './passkey-challenge.server.ts';
import { passkeyTexts } from '#app/domain/people/passkeys/passkey-texts.server.ts';

/** Makes the question for the authenticator, with the Set-Cookie value that remembers it. */
export async function askForPasskey() {
  const challenge = createChallenge();
  return { options: signInOptions(challenge), cookie: await keepChallenge({ for: 'sign-in', challenge }) };
}

/** Starts a session and returns the Set-Cookie values. Throws 'invalid', 'unauthorized' or 'tooMany'. */
export async function authenticatePasskey(request: Request, form: FormData): Promise<string[]> {
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
  return [...cookies, await clearChallenge()];
}
