import { startAuthentication, startRegistration } from '@simplewebauthn/browser';
import { paths } from '#app/paths.ts';

type SignInOptions = Parameters<typeof startAuthentication>[0]['optionsJSON'];
export type CreationOptions = Parameters<typeof startRegistration>[0]['optionsJSON'];

export class PasskeyError extends Error {}

/** Signs in and returns the path to go to. Throws PasskeyError. */
export async function signIn(to: string, sharedComputer: boolean): Promise<string> {
  const address = paths.passkeySignIn(to);
  const asked = await answerOf(fetch(address));
  const optionsJSON: SignInOptions = await asked.json();
  const response = await startAuthentication({ optionsJSON }).catch(failAsk);
  const fields = { response: JSON.stringify(response), ...(sharedComputer && { sharedComputer: 'on' }) };
  const answer = await answerOf(fetch(address, { method: 'POST', body: new URLSearchParams(fields) }));
  const { to: target }: { to: string } = await answer.json();
  return target;
}

/** Returns the authenticator's answer as JSON text. Throws PasskeyError. */
export async function createPasskey(optionsJSON: CreationOptions): Promise<string> {
  return JSON.stringify(await startRegistration({ optionsJSON }).catch(failCreate));
}

async function answerOf(sending: Promise<Response>): Promise<Response> {
  const response = await sending.catch(() => {
    throw new PasskeyError('The server could not be reached. Please try again.');
  });
  if (!response.ok) throw new PasskeyError(await response.text());
  return response;
}

/** Throws one text for all: browsers do not say whether the user cancelled, had no passkey here, or waited too long. */
function failAsk(): never {
  throw new PasskeyError('No passkey was used. Please try again, or log in with your password.');
}

function failCreate(error: unknown): never {
  const isThere = error instanceof Error && error.name === 'InvalidStateError';
  throw new PasskeyError(
    isThere ? 'This device has a passkey for your account already.' : 'No passkey was made. Please try again.',
  );
}
