import { AppError } from '#app/domain/app-error.ts';

// Other names can block a form parser for minutes ('x[4294967294]').
const FIELD_NAME = /^[A-Za-z]\w{0,63}(\[\d{1,2}\]|\.[A-Za-z]\w{0,63}){0,3}$/;

/** Throws 'invalid' for a name that no form here has. */
export function requireFieldName(name: string | undefined): string {
  if (name === undefined || !FIELD_NAME.test(name)) throw unknownFieldError();
  return name;
}

/** Throws 'invalid' for NUL and lone surrogates, which Postgres cannot store. */
export function requireStorableText(text: string): string {
  if (text.includes('\0') || !text.isWellFormed()) {
    throw new AppError('invalid', 'The text has a character that cannot be stored.');
  }
  return text;
}

export const unknownFieldError = () => new AppError('invalid', 'The form has fields that do not belong to it.');
