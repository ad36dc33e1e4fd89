import type { Actor } from '#app/domain/actor.ts';
import { AppError } from '#app/domain/app-error.ts';
import { findOpenFlights } from '#app/domain/flights/queries.server.ts';
import { can } from '#app/domain/permissions.ts';
import { findNamesakeMarks } from '#app/domain/people/namesakes.server.ts';
import { findUserPage } from '#app/domain/people/list-users.server.ts';
import { MAX_SEARCH_CHARACTERS } from '#app/limits.ts';
import { serverPaths } from '#app/paths.ts';
import { db } from '#app/server/db.server.ts';
import { parseId, queryValue } from '#app/server/query-values.server.ts';

/** Loads the users that the address asks for, with a form to find others if one page does not hold all. */
export async function loadUsersPage(actor: Actor, url: URL) {
  const q = textOf(url, 'q');
  const after = textOf(url, 'after');
  const person = queryValue(url, 'person', 'Invalid person', parseId);
  const seesAll = can(actor.role, 'see all open flights');
  const [{ users, next }, marks, open] = await Promise.all([
    findUserPage(db, actor.schoolId, { q, after, person }),
    findNamesakeMarks(db, actor),
    findOpenFlights(db, actor.schoolId, seesAll ? undefined : actor.id),
  ]);
  const inFlight = new Set(open.map((flight) => flight.user.id));
  const isPart = next !== null || q !== undefined || after !== undefined || person !== undefined;
  return {
    users: users.map((user) => ({ ...user, mark: marks.get(user.id) ?? null, isInFlight: inFlight.has(user.id) })),
    search: isPart ? (q ?? '') : null,
    first: after === undefined && person === undefined ? null : serverPaths.usersFound({ q }),
    next: next === null ? null : serverPaths.usersFound({ q, after: next }),
  };
}

function textOf(url: URL, name: string): string | undefined {
  // Postgres takes no NUL in a text.
  const text = (url.searchParams.get(name) ?? '').replaceAll('\0', ' ').trim();
  if (text.length > MAX_SEARCH_CHARACTERS) throw new AppError('invalid', 'The search has too many characters');
  return text || undefined;
}
