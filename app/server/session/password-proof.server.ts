import { redirect } from '@remix-run/node';
import type { Actor } from '#app/domain/actor.ts';
import { AppError } from '#app/domain/app-error.ts';
import { paths } from '#app/paths.ts';
import { verifyPasswordOf } from './authenticator.server.ts';
import { db } from '../db.server.ts';
import { errorToast, redirectWithToast } from '../flash.server.ts';
import { keepFormForProof } from '../parked-forms.server.ts';
import type { FormRequest } from '../form-action.server.ts';
import { pathAndQuery } from '../screen-responses.server.ts';

/** The password field that the screen which asks again adds to the form it goes on with. */
const PROOF_FIELD = 'passwordAgain';

/** Takes the password out of the form, if it is there; throws a redirect that asks again if it is wrong. */
export async function acceptProof({ request, url, form }: FormRequest, actor: Actor): Promise<Actor> {
  const password = form.get(PROOF_FIELD);
  if (typeof password !== 'string') return actor;
  form.delete(PROOF_FIELD);
  const once = { key: undefined, operation: 'confirm password' };
  try {
    return (await verifyPasswordOf(request, actor, { currentPassword: password }, once)).actor;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'invalid') throw error;
    throw await redirectWithToast(paths.confirmPassword(pathAndQuery(url)), errorToast(error.message));
  }
}

/** Keeps the form and asks for the password. */
export async function askForProof(posted: FormRequest, actor: Actor): Promise<Response> {
  await keepFormForProof(db, actor, posted);
  return redirect(paths.confirmPassword(pathAndQuery(posted.url)), 303);
}
