import type { Cursor } from '#app/domain/flights/details/position.server.ts';
import { AppError } from '#app/domain/app-error.ts';
import { parseId } from './ids.server.ts';

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
