import { type AppLoadContext, redirect } from '@remix-run/node';
import {
  namelessFormNameAt,
  TYPED_FORM_PATTERN,
  SECRET_FIELD_PATTERN,
  TYPED_FORM,
  FORM_HAD_PASSWORD,
} from '#app/domain/typed-forms/field-names.ts';
import { MAX_FORM_BYTES } from '#app/limits.ts';
import type { Actor } from '#app/domain/actor.ts';
import { deleteDrafts, isOfAnother, saveDraft, saveFormForSignIn } from '#app/domain/drafts.server.ts';
import { AppError } from '#app/domain/app-error.ts';
import { paths } from '#app/paths.ts';
import { log } from './log.server.ts';
import { verifyPasswordAndRenewSession } from './session/authenticator.server.ts';
import { db } from './db.server.ts';
import { errorToast, redirectWithToast } from './flash.server.ts';
import { pathAndQuery } from './query-values.server.ts';
import type { ScreenAnswer } from './session/cookies.server.ts';

export interface FormRequest {
  request: Request;
  url: URL;
  form: FormData;
}

/** A form as it was posted, for a page that sends it again. */
export interface PostedForm {
  /** Passwords and codes are empty here, and what an action hides is not among them; a page can hold of a file its name. */
  fields: [name: string, value: FormDataEntryValue][];
  isMultipart: boolean;
}

type Posted = Pick<FormRequest, 'url' | 'form'>;
type Shown = Pick<FormRequest, 'request' | 'form'> & { hiddenFields?: readonly string[] | undefined };

/** The key is what Remix hands to everything that works on a request. */
const postedForms = new WeakMap<AppLoadContext, PostedForm>();

/** Notes only a request from this site, and nothing of a form that is too large for a page. */
export function notePostedForm(context: AppLoadContext, { request, form, hiddenFields = [] }: Shown): void {
  const fields = [...form].flatMap(([name, value]): PostedForm['fields'] => {
    if (SECRET_FIELD_PATTERN.test(name)) return [[name, '']];
    const isShown = value instanceof File ? value.size > 0 : !hiddenFields.includes(name);
    return isShown ? [[name, value]] : [];
  });
  const size = fields.reduce((sum, [name, value]) => sum + name.length + String(value).length, 0);
  const isMultipart = request.headers.get('content-type')?.startsWith('multipart/') ?? false;
  if (size <= MAX_FORM_BYTES) postedForms.set(context, { fields, isMultipart });
}

export function findPostedForm(context: AppLoadContext): PostedForm | undefined {
  return postedForms.get(context);
}

/** An answer that leads on while its form is stored as a draft: it was not sent yet. */
export class KeptFormAnswer {
  constructor(readonly answer: Response) {}
}

/** Saves a form posted after its session expired, or with the token before its last, to be sent after signing in. */
export function keepFormUntilSignIn(sessionId: string, posted: Posted, fields: [string, unknown][]): Promise<void> {
  return saveFormForSignIn(db, sessionId, nameOf(posted), fields, pathAndQuery(posted.url));
}

/** Forgets a form after its work was done: that it is still there is no reason to say that it was not. */
export async function forgetSentForm(actor: Actor, posted: Posted, answer: ScreenAnswer): Promise<void> {
  if (!isDone(answer)) return;
  const names = [nameOf(posted), namelessFormNameAt(pathAndQuery(posted.url))];
  await deleteDrafts(db, actor.id, names).catch((error: unknown) =>
    log.warn({ err: error }, 'a form that was sent could not be forgotten'),
  );
}

function isDone(answer: ScreenAnswer): boolean {
  if (answer instanceof Response) return answer.status === 303;
  return typeof answer.data === 'object' && answer.data !== null && 'isDone' in answer.data;
}

function nameOf({ url, form }: Posted): string {
  const name = form.get(TYPED_FORM);
  return typeof name === 'string' && TYPED_FORM_PATTERN.test(name) ? name : namelessFormNameAt(pathAndQuery(url));
}

/** Throws for a form of a page that was made for somebody else, who was signed in in this browser before. */
export function assertFormMadeForUser(form: FormData, { id }: Pick<Actor, 'id'>): void {
  if (isOfAnother(form, id)) throw new AppError('conflict', FORM_OF_ANOTHER);
}

const FORM_OF_ANOTHER = 'Somebody else is signed in here now, so this was not sent. Please open the page again.';

/** The password field that the screen which asks again adds to the form it goes on with. */
const PROOF_FIELD = 'passwordAgain';

/** Takes the password out of the form, if it is there; throws a redirect that asks again if it is wrong. */
export async function verifyPasswordInForm({ request, url, form }: FormRequest, actor: Actor): Promise<Actor> {
  const password = form.get(PROOF_FIELD);
  if (typeof password !== 'string') return actor;
  form.delete(PROOF_FIELD);
  const once = { key: undefined, operation: 'confirm password' };
  try {
    return (await verifyPasswordAndRenewSession(request, actor, { currentPassword: password }, once)).actor;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'invalid') throw error;
    throw await redirectWithToast(paths.confirmPassword(pathAndQuery(url)), errorToast(error.message));
  }
}

/** Keeps the form and asks for the password. */
export async function askForPasswordAgain(posted: Posted, actor: Actor): Promise<Response> {
  const postedTo = pathAndQuery(posted.url);
  const password: [string, unknown][] = posted.form.has('password') ? [[FORM_HAD_PASSWORD, 'yes']] : [];
  await saveDraft(db, actor, nameOf(posted), [...posted.form, ...password], postedTo);
  return redirect(paths.confirmPassword(postedTo), 303);
}
