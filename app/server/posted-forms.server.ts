import type { AppLoadContext } from '@remix-run/node';
import { SECRET_FIELD } from '#app/domain/typed-forms/field-names.ts';
import { MAX_FORM_BYTES } from '#app/limits.ts';

/** A form as it was posted, for a page that sends it again. */
export interface PostedForm {
  /** Passwords and codes are empty here, and what an action hides is not among them; a page can hold of a file its name. */
  fields: [name: string, value: FormDataEntryValue][];
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
export function notePostedForm(context: AppLoadContext, { request, form, hiddenFields = [] }: Posted): void {
  const fields = [...form].flatMap(([name, value]): PostedForm['fields'] => {
    if (SECRET_FIELD.test(name)) return [[name, '']];
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
