import { redirect } from '@remix-run/node';
import type { Db } from '#db/connect.server.ts';
import type { Actor } from '#app/domain/actor.ts';
import { deleteDrafts, saveFormForPassword, saveFormForSignIn, type WaitingForm } from '#app/domain/drafts.server.ts';
import { PAGE_AND_FORM, TYPED_FORM, WAITING_PASSWORD } from '#app/domain/typed-forms/field-names.ts';
import { AppError } from '#app/domain/app-error.ts';
import { paths } from '#app/paths.ts';
import { log } from './log.server.ts';
import { verifyPasswordOf } from './session/authenticator.server.ts';
import { db } from './db.server.ts';
import { errorToast, redirectWithToast } from './flash.server.ts';
import type { FormRequest } from './form-action.server.ts';
import { pathAndQuery } from './screen-responses.server.ts';
import type { ScreenAnswer } from './session/cookies.server.ts';

interface Posted {
  url: URL;
  form: FormData;
}

/** Saves a form posted after its session expired, or with the token before its last, to be sent after signing in. */
export function parkForm(db: Db, sessionId: string, posted: Posted, fields: [string, unknown][]): Promise<void> {
  return saveFormForSignIn(db, sessionId, { ...nameAndAddress(posted), fields });
}

/** Saves a form that waits for its sender's password. */
function keepFormForProof(db: Db, actor: Actor, posted: Posted): Promise<void> {
  const password: [string, unknown][] = posted.form.has('password') ? [[WAITING_PASSWORD, 'yes']] : [];
  return saveFormForPassword(db, actor, { ...nameAndAddress(posted), fields: [...posted.form, ...password] });
}

const keepingAnswers = new WeakSet<Response>();

/** Marks an answer that leads back to its form, which is stored as a draft and not yet sent. */
export function keepingForm(answer: Response): Response {
  keepingAnswers.add(answer);
  return answer;
}

/** Forgets the form after its work was done: 303, unless the answer leads back to it, or what `doneHere` makes. */
export async function forgetSentForm(db: Db, actor: Actor, posted: Posted, answer: ScreenAnswer): Promise<void> {
  const isSent = answer instanceof Response ? answer.status === 303 && !keepingAnswers.has(answer) : isDone(answer);
  if (isSent) await forgetForms(db, actor, posted);
}

function isDone({ data: shown }: Exclude<ScreenAnswer, Response>): boolean {
  return typeof shown === 'object' && shown !== null && 'isDone' in shown;
}

/** After the form's work was done: that it is still there is no reason to say that it was not. */
export async function forgetForms(db: Db, actor: Actor, { url, form }: Posted, others: string[] = []): Promise<void> {
  try {
    await deleteDrafts(
      db,
      actor.id,
      [nameOf(form), namelessAt(url), ...others].filter((name) => name !== undefined),
    );
  } catch (error) {
    log.warn({ err: error }, 'a form that was sent could not be forgotten');
  }
}

function nameAndAddress({ url, form }: Posted): Pick<WaitingForm, 'name' | 'postedTo'> {
  return { name: nameOf(form) ?? namelessAt(url), postedTo: url.pathname + url.search };
}

function nameOf(form: FormData): string | undefined {
  const name = form.get(TYPED_FORM);
  return typeof name === 'string' && PAGE_AND_FORM.test(name) ? name : undefined;
}

/** The name of a form that does not say which one it is. */
export function namelessAt({ pathname, search }: URL): string {
  return `${pathname}${search}#`;
}

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
