import { randomUUID } from 'node:crypto';
import type { SubmissionResult } from '@conform-to/react';
import { parseWithZod } from '@conform-to/zod/v4';
import { data } from '@remix-run/node';
import { z } from 'zod';
import { texts } from '#app/domain/texts.ts';
import { fileValuesOf } from '#app/domain/typed-forms/file-names.server.ts';
import { isUnproved, toErrorView } from './error-responses.server.ts';
import { errorToast, type Toast } from './flash.server.ts';
import { requestContext } from './observability/request-context.server.ts';
import { recordRefusal } from './request-events.server.ts';

export interface FormRequest {
  request: Request;
  url: URL;
  form: FormData;
}

export interface FormOptions<Context, Schema extends z.ZodType, Result> {
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
  const requestId = requestIdOf(form);
  const submission = parseWithZod(form, { schema });
  const hideFields = [...(hiddenFields ?? [])];
  const formReply = (
    status: number,
    errors: Parameters<typeof submission.reply>[0],
    toast: Toast | null,
    headers: HeadersInit = {},
  ) => {
    const reply = submission.reply({ hideFields, ...errors });
    const result = inFieldOrder({ ...reply, initialValue: { ...reply.initialValue, ...fileValuesOf(form) } }, form);
    // What was sent again with other contents is another request, once its sender has read that.
    const nextId = status === MISMATCH ? newRequestId() : (requestId ?? null);
    return data({ result, toast, status, requestId: nextId }, { status, headers });
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
export function newRequestId(): string {
  return randomUUID();
}

export function requestIdOf(form: FormData): string | undefined {
  return z.uuid().safeParse(form.get('requestId')).data;
}
