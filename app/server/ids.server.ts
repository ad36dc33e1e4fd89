import { AppError } from '#app/domain/app-error.ts';

const MAX_ID = 2_147_483_647;

/** The id that a path or a query names; undefined for text that is the id of nothing. */
export function parseId(text: string | null | undefined): number | undefined {
  const id = /^[1-9]\d{0,9}$/.test(text ?? '') ? Number(text) : undefined;
  return id !== undefined && id <= MAX_ID ? id : undefined;
}

/** The id in a field of a form; undefined for a field that names nothing. */
export function parseFormId(form: FormData, name: string): number | undefined {
  const given = form.get(name);
  return typeof given === 'string' ? parseId(given) : undefined;
}

/** An id where there must be one: text that is the id of nothing is 'notFound' in the given words. */
export function requireId(text: string | null | undefined, words: string): number {
  const id = parseId(text);
  if (id === undefined) throw new AppError('notFound', words);
  return id;
}
