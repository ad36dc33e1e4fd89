import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from '@remix-run/node';
import { z } from 'zod';
import type { Actor } from '#app/domain/actor.ts';
import { AppError } from '#app/domain/app-error.ts';
import { UNTYPED_FIELD_PATTERN, describeTypedValues } from '#app/typed-values.ts';
import { texts } from '#app/domain/texts.ts';
import { paths, serverOnlyPaths } from '#app/paths.ts';
import { discardForm, withForm } from './body/body.server.ts';
import { db } from './db.server.ts';
import {
  verifyPasswordInForm,
  askForPasswordAgain,
  assertFormMadeForUser,
  forgetSentForm,
  KeptFormAnswer,
  type FormRequest,
  notePostedForm,
  keepFormUntilSignIn,
} from './posted-forms.server.ts';
import {
  checkGuard,
  type Guard,
  type GuardedContext,
  lacksSecondFactor,
  type SchoolRequirement,
} from './guard.server.ts';
import { isUnproved, toErrorView } from './error-responses.server.ts';
import { assertSameOrHiddenOrigin, assertSameOrigin } from './same-origin.server.ts';
import { pathAndQuery } from './query-values.server.ts';
import { findPageSession, findSessionUser, hasSessionCookie, readSessionId } from './session/session.server.ts';
import { type ScreenAnswer, withCookies } from './session/cookies.server.ts';
import type { UnsentForms } from '#app/domain/drafts.server.ts';
import { fileNamesByField } from '#app/domain/typed-forms/field-names.ts';
import { STATUS_CODES } from 'node:http';
import { recordRefusal, withRequestEvents } from './request-events.server.ts';
import { randomUUID } from 'node:crypto';
import type { SubmissionResult } from '@conform-to/react';
import { parseWithZod } from '@conform-to/zod/v4';
import { errorToast, type Toast } from './flash.server.ts';
import { requestContext } from './observability/request-context.server.ts';

interface PublicActionOptions {
  usesLinkToken?: boolean;
  hiddenFields?: readonly string[];
}

interface AuthedActionOptions<School extends SchoolRequirement, Id extends string> extends Guard<School, Id> {
  /** In bytes; for some more than for others. */
  limit?: number | ((request: Request) => Promise<number>);
  hiddenFields?: readonly string[];
  /** False if the entries are good for a moment only, and not offered again after an expired session. */
  parksForms?: false;
}

type Handle<Context, Result> = { handle: (context: Context) => Promise<Result> };

export function authedFormAction<
  Schema extends z.ZodType,
  Result extends ScreenAnswer,
  School extends SchoolRequirement = 'required',
  Id extends string = never,
>(options: AuthedActionOptions<School, Id> & FormOptions<FormRequest & GuardedContext<School, Id>, Schema, Result>) {
  return authedAction({ ...options, handle: (context) => handleForm(context, options) });
}

/** Checks origin, cookie, form and session, then the guard. It may park a form whose session has expired or got a new token. */
export function authedAction<
  Result extends ScreenAnswer,
  School extends SchoolRequirement = 'required',
  Id extends string = never,
>(
  options: AuthedActionOptions<School, Id> & Handle<FormRequest & GuardedContext<School, Id>, Result | KeptFormAnswer>,
) {
  return ({ request, params, context: loadContext }: ActionFunctionArgs) =>
    withCookies(() =>
      withErrorResponses(request, async () => {
        assertPost(request);
        assertSameOrigin(request);
        if (!(await hasSessionCookie(request))) {
          await discardForm(request);
          throw redirect(serverOnlyPaths.signIn(pathAndQuery(new URL(request.url))), 303);
        }
        const limit = typeof options.limit === 'function' ? await options.limit(request) : options.limit;
        return withForm(request, limit, async (form) => {
          notePostedForm(loadContext, { request, form, hiddenFields: options.hiddenFields });
          const context = { request, url: new URL(request.url), form };
          const actor = await findSessionUser(db, request);
          if (!actor) throw await parkAndRedirect(context, options);
          assertFormMadeForUser(form, actor);
          if (lacksSecondFactor(options, actor)) throw redirect(paths.secondFactor, 303);
          return answerForm(options, context, await verifyPasswordInForm(context, actor), params);
        });
      }),
    );
}

async function answerForm<Result extends ScreenAnswer, School extends SchoolRequirement, Id extends string>(
  options: AuthedActionOptions<School, Id> & Handle<FormRequest & GuardedContext<School, Id>, Result | KeptFormAnswer>,
  context: FormRequest,
  actor: Actor,
  params: ActionFunctionArgs['params'],
) {
  const answer = await guardForm(options, context, () => checkGuard(options, actor, params)).catch(
    async (error: unknown) => {
      throw isUnproved(error) ? await askForPasswordAgain(context, actor) : error;
    },
  );
  if (answer instanceof KeptFormAnswer) return answer.answer;
  await forgetSentForm(actor, context, answer);
  return answer;
}

export function publicFormAction<Schema extends z.ZodType, Result>(
  options: PublicActionOptions & FormOptions<FormRequest, Schema, Result>,
) {
  return publicAction({ ...options, handle: (context) => handleForm(context, options) });
}

export function publicAction<Result>({
  usesLinkToken,
  hiddenFields,
  handle,
}: PublicActionOptions & Handle<FormRequest, Result>) {
  return ({ request, context }: ActionFunctionArgs) =>
    withErrorResponses(request, async () => {
      assertPost(request);
      if (usesLinkToken) assertSameOrHiddenOrigin(request);
      else assertSameOrigin(request);
      return withForm(request, undefined, (form) => {
        notePostedForm(context, { request, form, hiddenFields });
        return handle({ request, url: new URL(request.url), form });
      });
    });
}

// The entered values are returned if only the school is missing.
async function guardForm<Context extends object, Result>(
  { handle, hiddenFields }: Handle<FormRequest & Context, Result> & { hiddenFields?: readonly string[] },
  request: FormRequest,
  check: () => Context,
) {
  let guarded: Context;
  try {
    guarded = check();
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
    const run = async () => {
      throw error;
    };
    return handleForm(request, { schema: z.looseObject({}), failed: error.message, hiddenFields, run });
  }
  return handle({ ...request, ...guarded });
}

function assertPost({ method }: Request): void {
  if (method !== 'POST') throw errorResponse(texts.methodNotAllowed, 405);
}

async function parkAndRedirect(
  posted: FormRequest,
  { parksForms = true, hiddenFields = [] }: { parksForms?: boolean; hiddenFields?: readonly string[] },
): Promise<Response> {
  const { request, url } = posted;
  const fields = [...posted.form].filter(([name]) => !hiddenFields.includes(name));
  const sessionId = parksForms && isTyped(fields) ? await readSessionId(request) : undefined;
  if (sessionId !== undefined) await keepFormUntilSignIn(sessionId, posted, fields);
  return redirect(serverOnlyPaths.signIn(pathAndQuery(url)), 303);
}

/** Returns true if the form has more than the fields of a row's button. */
function isTyped(fields: [string, unknown][]): boolean {
  return fields.some(([name]) => !UNTYPED_FIELD_PATTERN.test(name));
}

interface LoaderRequest {
  request: Request;
  url: URL;
}

interface AuthedLoaderOptions<School extends SchoolRequirement, Id extends string, Result> extends Guard<School, Id> {
  /** Throws answers that are the same signed in or not. */
  beforeSignIn?: (url: URL) => void;
  load: (context: LoaderRequest & { unsent: UnsentForms } & GuardedContext<School, Id>) => Promise<Result>;
}

/** Loads the page for users who may see it, and redirects others to sign in; `can` shows what the page needs. */
export function authedLoader<Result, School extends SchoolRequirement = 'required', Id extends string = never>(
  options: AuthedLoaderOptions<School, Id, Result>,
) {
  const loader = ({ request, params }: LoaderFunctionArgs) =>
    withErrorResponses(request, async () => {
      const url = new URL(request.url);
      options.beforeSignIn?.(url);
      const session = await findPageSession(db, request);
      if (!session) throw redirect(serverOnlyPaths.signIn(pathAndQuery(url)));
      const { actor, unsent } = session;
      if (lacksSecondFactor(options, actor)) throw redirect(paths.secondFactor);
      return options.load({ request, url, unsent, ...checkGuard(options, actor, params) });
    });
  return Object.assign(loader, { can: options.can });
}

export function publicLoader<Result>(load: (context: LoaderRequest & { actor: Actor | undefined }) => Promise<Result>) {
  return ({ request }: LoaderFunctionArgs) =>
    withErrorResponses(request, async () =>
      load({ request, url: new URL(request.url), actor: (await findPageSession(db, request))?.actor }),
    );
}

/** Turns errors that no form can show into error responses. */
function withErrorResponses<Result>(request: Request, work: () => Promise<Result>): Promise<Result> {
  return withRequestEvents(request, () => answerErrors(request, work));
}

async function answerErrors<Result>(request: Request, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    recordRefusal(error, request);
    const { text, status, headers } = toErrorView(error);
    throw errorResponse(text, status, headers);
  }
}

/** Makes a Response rather than data(), which would reach the error boundary without its status text. */
function errorResponse(text: string, status: number, headers: HeadersInit = {}): Response {
  return new Response(text, { status, statusText: STATUS_CODES[status], headers });
}

interface FormOptions<Context, Schema extends z.ZodType, Result> {
  schema: Schema;
  failed: string | ((form: FormData) => string);
  /** Fields that are never sent back, such as passwords. */
  hiddenFields?: readonly string[];
  errorTitle?: string;
  /** Checks existence and state first if fields are bad; otherwise `run` does so in its transaction. */
  precheck?: (context: Context) => Promise<unknown>;
  run: (context: Context & { input: z.output<Schema>; requestId: string | undefined }) => Promise<Result>;
}

const MISMATCH = 422;

/** Validates a form and runs its operation; returns the entered values with errors if either fails. */
export async function handleForm<Context extends { form: FormData }, Schema extends z.ZodType, Result>(
  context: Context,
  { schema, failed, hiddenFields, errorTitle, precheck, run }: FormOptions<Context, Schema, Result>,
) {
  const { form } = context;
  const requestId = parseRequestIdField(form);
  const submission = parseWithZod(form, { schema });
  const hideFields = [...(hiddenFields ?? [])];
  const formReply = (
    status: number,
    errors: Parameters<typeof submission.reply>[0],
    toast: Toast | null,
    headers: HeadersInit = {},
  ) => {
    const reply = submission.reply({ hideFields, ...errors });
    const result = inFieldOrder({ ...reply, initialValue: { ...reply.initialValue, ...fileNamesByField(form) } }, form);
    // What was sent again with other contents is another request, once its sender has read that.
    const nextId = status === MISMATCH ? newFormRequestId() : (requestId ?? null);
    const typed = status === 404 || status === 409 ? describeTypedValues(Object.entries(reply.initialValue ?? {})) : [];
    return data({ result, toast, status, requestId: nextId, typed }, { status, headers });
  };
  try {
    if (submission.status === 'success') return await run({ ...context, input: submission.value, requestId });
    await precheck?.(context);
    return formReply(400, {}, null);
  } catch (error) {
    if (error instanceof Response || isUnproved(error)) throw error;
    recordRefusal(error);
    const view = toErrorView(error, typeof failed === 'string' ? failed : failed(form));
    const { status, fields, headers } = view;
    const text = view.text === texts.idempotencyKeyReused ? texts.formSentBefore : view.text;
    const fieldErrors = Object.fromEntries(Object.entries(fields).map(([name, message]) => [name, [message]]));
    const formErrors = Object.keys(fields).length > 0 ? [] : [text];
    const reference = status >= 500 ? requestContext()?.reqId : undefined;
    const toast = status === 400 && formErrors.length === 0 ? null : errorToast(text, errorTitle, reference);
    return formReply(status, { fieldErrors, formErrors }, toast, headers);
  }
}

/** Lists the errors as the page has its fields, which is the order they were posted in. */
function inFieldOrder<Reply extends SubmissionResult>(reply: Reply, form: FormData): Reply {
  const names = ['', ...form.keys()];
  const placeOf = (name: string) => (names.includes(name) ? names.indexOf(name) : names.length);
  const errors = Object.entries(reply.error ?? {}).toSorted(([one], [other]) => placeOf(one) - placeOf(other));
  return reply.error ? { ...reply, error: Object.fromEntries(errors) } : reply;
}

/** Makes the id by which submitting one rendered form twice is one request. */
export function newFormRequestId(): string {
  return randomUUID();
}

export function parseRequestIdField(form: FormData): string | undefined {
  return z.uuid().safeParse(form.get('requestId')).data;
}
