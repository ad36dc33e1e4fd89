import { AppError } from '#app/domain/app-error.ts';
import { MAX_ID } from '#app/limits.ts';

export function parseId(text: string | null | undefined): number | undefined {
  const id = /^[1-9]\d{0,9}$/.test(text ?? '') ? Number(text) : undefined;
  return id !== undefined && id <= MAX_ID ? id : undefined;
}

export function parseFormId(form: FormData, name: string): number | undefined {
  const value = form.get(name);
  return typeof value === 'string' ? parseId(value) : undefined;
}

/** Returns the id. Throws 'notFound' with this text for anything else. */
export function requireId(text: string | null | undefined, notFoundText: string): number {
  const id = parseId(text);
  if (id === undefined) throw new AppError('notFound', notFoundText);
  return id;
}
