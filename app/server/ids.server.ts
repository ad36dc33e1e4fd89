import { AppError } from '#app/domain/app-error.ts';
import { MAX_ID } from '#app/limits.ts';

/** The id in a path or query; undefined for anything else. */
export function parseId(text: string | null | undefined): number | undefined {
  const id = /^[1-9]\d{0,9}$/.test(text ?? '') ? Number(text) : undefined;
  return id !== undefined && id <= MAX_ID ? id : undefined;
}

/** The id in a form field; undefined for anything else. */
export function parseFormId(form: FormData, name: string): number | undefined {
  const given = form.get(name);
  return typeof given === 'string' ? parseId(given) : undefined;
}

/** The id in a path or query. Throws 'notFound' with this text for anything else. */
export function requireId(text: string | null | undefined, words: string): number {
  const id = parseId(text);
  if (id === undefined) throw new AppError('notFound', words);
  return id;
}
