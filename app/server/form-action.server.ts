import { randomUUID } from 'node:crypto';
import type { Submission } from '@conform-to/dom';
import { parseWithZod } from '@conform-to/zod/v4';
import { data } from '@remix-run/node';
import { z } from 'zod';
import { errorToast } from './flash.server.ts';
import { toErrorView } from './error-responses.server.ts';

interface FormOptions {
  /** What is said when the work fails without words of its own (spec §8). */
  failed: string;
  /** Fields never sent back. */
  hiddenFields?: string[];
  /** The error toast's title. */
  title?: string;
  /** Asked when fields are bad: refuses what could not be done whatever they say, and is told before them (C33). */
  precheck?: () => Promise<unknown>;
}

/**
 * Takes one posted form to its end: parses it, and on bad fields answers 400 with the typed values and the words
 * beside each; else does `work` and gives what it returns. A refusal of the work is answered the same way with its
 * status, and with an error toast unless it too is of bad fields, which the error summary tells.
 */
export async function handleForm<Schema extends z.ZodType, Result>(
  form: FormData,
  schema: Schema,
  { failed, hiddenFields: hide, title, precheck: before }: FormOptions,
  work: (input: z.output<Schema>, requestId: string | undefined) => Promise<Result>,
) {
  const submission = parseWithZod(form, { schema });
  try {
    if (submission.status === 'success') return await work(submission.value, requestIdOf(form));
    await before?.();
    return formReply(submission, 400, { hideFields: hide });
  } catch (error) {
    if (error instanceof Response) throw error;
    const { status, text, fields } = toErrorView(error, failed);
    const fieldErrors = Object.fromEntries(Object.entries(fields).map(([name, words]) => [name, [words]]));
    const formErrors = Object.keys(fields).length > 0 ? [] : [text];
    const toast = status === 400 && formErrors.length === 0 ? null : errorToast(text, title);
    return formReply(submission, status, { hideFields: hide, fieldErrors, formErrors }, toast);
  }
}

/** A fresh id for a form about to be rendered: the same form sent twice is one request (C58). */
export function newRequestId(): string {
  return randomUUID();
}

/** The id a form was rendered with; undefined when it carries none of ours. */
export function requestIdOf(form: FormData): string | undefined {
  return z.uuid().safeParse(form.get('requestId')).data;
}

function formReply<Input, Output>(
  submission: Submission<Input, string[], Output>,
  status: number,
  options: Parameters<typeof submission.reply>[0],
  toast: ReturnType<typeof errorToast> | null = null,
) {
  return data({ result: submission.reply(options), toast }, { status });
}
