import { formRequest, ORIGIN } from '../requests.ts';
import type { MatrixRow } from './cells.ts';

/** A field that is undefined is left out. */
type Fields = Record<string, string | File | undefined>;

interface Form extends Partial<Omit<MatrixRow, 'invalid'>> {
  /** The address, where it is not the one of the name. */
  at?: string | ((id: string) => string);
  fields?: Fields | ((id: string) => Fields);
  /** What makes the fields invalid. */
  invalid?: Fields;
}

/** The form that is posted to the address of its name; it leads on, and who is signed out to the sign-in page (C29). */
export function form(name: string, needed: MatrixRow['can'], { at, fields, invalid, ...more }: Form = {}): MatrixRow {
  const address = at ?? name.split(/,? /)[1] ?? '';
  const sent = (changes: Fields) => (id: string) => (cookie: string) => {
    const path = typeof address === 'function' ? address(id) : address.replace(':id', id);
    return post(path, { ...(typeof fields === 'function' ? fields(id) : fields), ...changes }, cookie);
  };
  return {
    ...{ name, can: needed, signedOut: 303, success: 303, valid: sent({}), ...more },
    ...(invalid && { invalid: sent(invalid) }),
  };
}

/** With a file as multipart, as a browser does. */
function post(path: string, fields: Fields, cookie: string): Request {
  const entries = Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]));
  const texts = entries.flatMap(({ name, value }) => (typeof value === 'string' ? [[name, value] as const] : []));
  if (texts.length === entries.length) return formRequest(path, Object.fromEntries(texts), cookie);
  const body = new FormData();
  for (const { name, value } of entries) body.append(name, value);
  return new Request(ORIGIN + path, { method: 'POST', headers: { cookie, origin: ORIGIN }, body });
}
