import { z } from 'zod';
import type { Actor, Member } from '#app/domain/actor.ts';
import { findOpenFlights } from '#app/domain/flights/queries.server.ts';
import { sendAndReturnLink } from '#app/domain/mail/queries.server.ts';
import { deleteUser } from '#app/domain/people/change-user.server.ts';
import { signOutUser } from '#app/domain/people/end-sessions.server.ts';
import { findUser, findUserPage } from '#app/domain/people/list-users.server.ts';
import { findNamesakeMarks } from '#app/domain/people/namesakes.server.ts';
import { sendPasswordLink } from '#app/domain/people/reset-password.server.ts';
import { removeLostSecondFactor } from '#app/domain/people/second-factor/change-second-factor.server.ts';
import { can } from '#app/domain/permissions.ts';
import { texts } from '#app/domain/texts.ts';
import { paths, serverOnlyPaths } from '#app/paths.ts';
import { db } from '#app/server/db.server.ts';
import { mailedLinkToast, redirectWithToast, successToast, type Toast } from '#app/server/flash.server.ts';
import { parseId, queryValue, queryWords, requireId } from '#app/server/query-values.server.ts';
import { newFormRequestId } from '#app/server/screen.server.ts';

/** Loads the list, and whom its question is about: only who may delete somebody is asked. */
export async function loadUsersPage(actor: Actor, url: URL) {
  const canManage = can(actor.role, 'manage users');
  const confirmId = /^delete-user:(\d+)$/.exec(url.searchParams.get('confirm') ?? '')?.[1];
  const deleteId = canManage ? parseId(confirmId) : undefined;
  const [list, toDelete] = await Promise.all([
    loadUsers(actor, url),
    deleteId === undefined || deleteId === actor.id ? undefined : findUser(db, actor.schoolId, deleteId),
  ]);
  const here = serverOnlyPaths.usersFound(placeIn(url));
  const more = `${here}${here === paths.users ? '?' : '&'}`;
  const addresses = { list: here, action: `${more}index`, askToDelete: `${more}confirm=delete-user:` };
  return { ...list, addresses, ownId: actor.id, toDelete, requestId: canManage ? newFormRequestId() : null };
}

function placeIn({ searchParams }: URL) {
  const { q, after, person } = Object.fromEntries(searchParams);
  return { q, after, person };
}

/** Loads the users that the address asks for, with a form to find others if one page does not hold all. */
async function loadUsers(actor: Actor, url: URL) {
  const q = queryWords(url, 'q');
  const after = queryWords(url, 'after');
  const person = queryValue(url, 'person', 'Invalid person', parseId);
  const seesAll = can(actor.role, 'see all open flights');
  const [{ users, next }, marks, open] = await Promise.all([
    findUserPage(db, actor.schoolId, { q, after, person }),
    findNamesakeMarks(db, actor),
    findOpenFlights(db, actor.schoolId, { userId: seesAll ? undefined : actor.id }),
  ]);
  const inFlight = new Set(open.map((flight) => flight.user.id));
  const isPart = next !== null || q !== undefined || after !== undefined || person !== undefined;
  return {
    users: users.map((user) => ({ ...user, mark: marks.get(user.id) ?? null, isInFlight: inFlight.has(user.id) })),
    search: isPart ? (q ?? '') : null,
    first: after === undefined && person === undefined ? null : serverOnlyPaths.usersFound({ q }),
    next: next === null ? null : serverOnlyPaths.usersFound({ q, after: next }),
  };
}

type UserChange = (actor: Member, id: number, requestId: string | undefined) => Promise<Toast>;

const USER_CHANGES = {
  'delete-user': async (actor, id, requestId) => {
    await deleteUser(db, actor, id, requestId);
    return successToast('User deleted successfully');
  },
  'send-password-link': async (actor, id, requestId) => {
    const { result, link } = await sendAndReturnLink((onLink) => sendPasswordLink(db, actor, id, requestId, onLink));
    return mailedLinkToast('Password link sent', `A mail with the link is on its way to ${result.email}.`, link);
  },
  'remove-second-factor': async (actor, id, requestId) => {
    const { username } = await removeLostSecondFactor(db, actor, id, requestId);
    return successToast('Second factor removed', `${username} signs in with the password alone now.`);
  },
  'sign-out-user': async (actor, id, requestId) => {
    const { username } = await signOutUser(db, actor, id, requestId);
    return successToast('User signed out', `${username} is signed out on every device.`);
  },
} satisfies Record<string, UserChange>;

export const changeUserSchema = z.object({
  intent: z.enum(['delete-user', 'remove-second-factor', 'send-password-link', 'sign-out-user'], texts.actionRequired),
  userId: z.string().optional(),
});

export async function changeUser(
  actor: Member,
  url: URL,
  input: z.infer<typeof changeUserSchema>,
  requestId: string | undefined,
) {
  const id = requireId(input.userId, texts.userNotFound);
  return redirectWithToast(
    serverOnlyPaths.usersFound(placeIn(url)),
    await USER_CHANGES[input.intent](actor, id, requestId),
  );
}
