import { Refusal } from '#app/domain/app-error.ts';

const LARGEST = 2_147_483_647;

/** The id that a path or a query names; undefined for text that is the id of nothing. */
export function idFrom(text: string | null | undefined): number | undefined {
  const id = /^[1-9]\d{0,9}$/.test(text ?? '') ? Number(text) : undefined;
  return id !== undefined && id <= LARGEST ? id : undefined;
}

/** The id in a field of a form; undefined for a field that names nothing. */
export function idIn(form: FormData, name: string): number | undefined {
  const given = form.get(name);
  return typeof given === 'string' ? idFrom(given) : undefined;
}

/** An id where there must be one: text that is the id of nothing is 'notFound' in the given words. */
export function requiredId(text: string | null | undefined, words: string): number {
  const id = idFrom(text);
  if (id === undefined) throw new Refusal('notFound', words);
  return id;
}
