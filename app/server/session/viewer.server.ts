import { formatDateTime } from '#app/domain/format.server.ts';
import { can } from '#app/domain/permissions.ts';
import { db } from '../db.server.ts';
import { toTypedOnPage } from '../drafts.server.ts';
import { deviceOwnerOf } from './device-keys.server.ts';
import { findPageSession } from './session.server.ts';

/** Finds who reads the page, and what they typed into it; nobody while the database cannot be reached, which the page itself says. */
export async function findViewer(request: Request) {
  const session = await findPageSession(db, request).catch(() => undefined);
  if (!session) return { viewer: null, typed: null };
  const { actor: user, unsent, toMaintain } = session;
  const viewer = {
    id: user.id,
    isOnSharedComputer: user.sharedComputer ?? false,
    singleKeys: user.singleKeys ?? true,
    toMaintain,
    managesSchool: can(user.role, 'manage school'),
    isHeldUp: user.mustAddSecondFactor ?? false,
    schoolRemovedOn: user.schoolRemovalDueAt ? formatDateTime(user.schoolRemovalDueAt, user.timeZone).text : null,
    deviceOwner: user.mustAddSecondFactor ? null : deviceOwnerOf(user),
  };
  return { viewer, typed: toTypedOnPage(unsent, new URL(request.url)) };
}
