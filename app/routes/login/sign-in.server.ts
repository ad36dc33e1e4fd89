import { redirect } from '@remix-run/node';
import type { SignInInput } from '#app/domain/people/schema.server.ts';
import type { VerifiedUser } from '#app/domain/people/sessions.server.ts';
import { env } from '#app/env.server.ts';
import { serverOnlyPaths } from '#app/paths.ts';
import { db } from '#app/server/db.server.ts';
import { redirectWithToast, successToast } from '#app/server/flash.server.ts';
import type { FormRequest } from '#app/server/posted-forms.server.ts';
import { parseReturnPath } from '#app/server/query-values.server.ts';
import { authenticateForm, serializePendingSignIn } from '#app/server/session/authenticator.server.ts';
import { startSession } from '#app/server/session/session.server.ts';

export async function signIn({ request, url, form, input }: FormRequest & { input: SignInInput }) {
  const user = await authenticateForm(request, form);
  if (user.hasSecondFactor) return askForCode(user, input, parseReturnPath(url));
  const cookies = await startSession(db, request, user, input);
  const toast = successToast('Login successful!', `Welcome to ${env.PRODUCT_NAME}`);
  return redirectWithToast(parseReturnPath(url), toast, cookies);
}

async function askForCode({ userId, passwordGeneration }: VerifiedUser, input: SignInInput, to: string) {
  const { username, sharedComputer } = input;
  const cookie = await serializePendingSignIn({ userId, passwordGeneration, username, sharedComputer });
  return redirect(serverOnlyPaths.loginCode(to), { status: 303, headers: { 'set-cookie': cookie } });
}
