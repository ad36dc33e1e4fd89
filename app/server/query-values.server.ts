import { AppError } from '#app/domain/app-error.ts';
import { instantInputSchema } from '#app/domain/times/school-time.server.ts';
import type { Cursor } from '#app/domain/flights/details/position.server.ts';
import { paths } from '#app/paths.ts';
import { parseId } from './ids.server.ts';

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
  return target.pathname + target.search;
}
