import type { AppLoadContext } from '@remix-run/node';
import { fileNamesOf } from '#app/domain/typed-forms/file-names.server.ts';
import { MAX_FORM_BYTES } from '#app/limits.ts';

/** A form as it was posted, for a page that sends it again. */
export interface PostedForm {
  fields: [name: string, value: string][];
  /** Not sent back, but entered again. */
  passwords: string[];
  codes: string[];
  /** The names that the files had, by field: a page cannot hold a file. */
  files: Record<string, string[]>;
  isMultipart: boolean;
}

interface Posted {
  request: Request;
  form: FormData;
  hiddenFields?: readonly string[] | undefined;
}

/** The key is what Remix hands to everything that works on a request. */
const postedForms = new WeakMap<AppLoadContext, PostedForm>();

/** Notes only a request from this site, and nothing of a form that is too large for a page. */
export function notePostedForm(context: AppLoadContext, posted: Posted): void {
  const noted = toPostedForm(posted);
  if (sizeOf(noted) <= MAX_FORM_BYTES) postedForms.set(context, noted);
}

export function findPostedForm(context: AppLoadContext): PostedForm | undefined {
  return postedForms.get(context);
}

function toPostedForm({ request, form, hiddenFields = [] }: Posted): PostedForm {
  const names = [...new Set(form.keys())];
  const passwords = names.filter((name) => /password/i.test(name));
  const codes = names.filter((name) => name === 'code');
  const notSentBack = new Set([...passwords, ...codes, ...hiddenFields]);
  const isKept = (entry: [string, FormDataEntryValue]): entry is [string, string] =>
    typeof entry[1] === 'string' && !notSentBack.has(entry[0]);
  return {
    fields: [...form].filter(isKept),
    passwords,
    codes,
    files: fileNamesOf(form),
    isMultipart: request.headers.get('content-type')?.startsWith('multipart/') ?? false,
  };
}

function sizeOf({ fields }: PostedForm): number {
  return fields.reduce((size, [name, value]) => size + name.length + value.length, 0);
}
