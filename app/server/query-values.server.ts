import { AppError } from '#app/domain/app-error.ts';
import { instantInputSchema } from '#app/domain/times/school-time.server.ts';
import type { Cursor } from '#app/domain/list-pages.server.ts';
import { paths } from '#app/paths.ts';
import { MAX_ID, MAX_SEARCH_CHARACTERS } from '#app/limits.ts';

/** Parses a value of the query; undefined if it is absent or empty. Throws 'invalid' if `parse` finds none. */
export function queryValue<Value>(
  url: URL,
  name: string,
  invalid: string,
  parse: (text: string) => Value | undefined,
): Value | undefined {
  const text = url.searchParams.get(name) ?? '';
  if (text === '') return undefined;
  const value = parse(text);
  if (value === undefined) throw new AppError('invalid', invalid);
  return value;
}

/** Reads what is searched for; undefined if nothing is. Throws 'invalid'. */
export function queryWords(url: URL, name: string): string | undefined {
  // Postgres takes no NUL in a text.
  const words = (url.searchParams.get(name) ?? '').replaceAll('\0', ' ').trim();
  if (words.length > MAX_SEARCH_CHARACTERS) throw new AppError('invalid', 'The search has too many characters');
  return words || undefined;
}

/** Parses a day that exists, as '2026-05-12'. */
export function parseIsoDay(text: string): string | undefined {
  if (!/^[12]\d{3}-\d\d-\d\d$/.test(text)) return undefined;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text) ? text : undefined;
}

/** Parses an instant of ISO 8601 with its zone, or a day. A '+' that was not encoded came as a space. */
export function parseSince(text: string): string | undefined {
  return parseInstant(text.replace(' ', '+')) ?? parseIsoDay(text);
}

export function parseInstant(text: string): string | undefined {
  const { data } = instantInputSchema.safeParse(text);
  return data ? new Date(data).toISOString() : undefined;
}

/** Writes a cursor as '2026-05-12T14:00:00.000Z_41'. */
export function formatCursor(cursor: Cursor): string {
  return `${cursor.createdAt}_${cursor.id}`;
}

/** Reads a cursor. Throws 'invalid'. */
export function parseCursor(text: string | null): Cursor | undefined {
  if (text === null) return undefined;
  const [createdAt = '', number] = text.split('_');
  const id = parseId(number);
  if (id === undefined || !isInstant(createdAt)) throw new AppError('invalid', 'Invalid page');
  return { createdAt, id };
}

function isInstant(text: string): boolean {
  if (!/^[12]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text)) return false;
  const at = new Date(text);
  return !Number.isNaN(at.getTime()) && at.toISOString() === text;
}

/** Returns the path in `?to=`, which is never another site's or the sign-in page. */
export function parseReturnPath(url: URL): string {
  const to = url.searchParams.get('to') ?? paths.dashboard;
  const target = URL.canParse(to, url.origin) ? new URL(to, url.origin) : undefined;
  const inside = to.startsWith('/') && target?.origin === url.origin;
  if (!inside || target.pathname.startsWith('//') || /^\/(login|auth|logout|api)(\/|$|\.)/.test(target.pathname))
    return paths.dashboard;
  return pathAndQuery(target);
}

export function parseId(text: string | null | undefined): number | undefined {
  const id = /^[1-9]\d{0,9}$/.test(text ?? '') ? Number(text) : undefined;
  return id !== undefined && id <= MAX_ID ? id : undefined;
}

export function parseIdField(form: FormData, name: string): number | undefined {
  const value = form.get(name);
  return typeof value === 'string' ? parseId(value) : undefined;
}

/** Returns the id. Throws 'notFound' with this text for anything else. */
export function requireId(text: string | null | undefined, notFoundText: string): number {
  const id = parseId(text);
  if (id === undefined) throw new AppError('notFound', notFoundText);
  return id;
}

export function pathAndQuery({ pathname, search }: URL): string {
  return pathname + search;
}
