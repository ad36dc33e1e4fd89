import { createHmac } from 'node:crypto';
import { formatDateTime } from '#app/domain/format.server.ts';
import { can } from '#app/domain/permissions.ts';
import type { UnsentForms } from '#app/domain/drafts.server.ts';
import { texts } from '#app/domain/texts.ts';
import { paths } from '#app/paths.ts';
import type { Actor } from '#app/domain/actor.ts';
import { db } from '../db.server.ts';
import { SESSION_SECRETS } from './cookies.server.ts';
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
    timeZone: user.timeZone,
    managesSchool: can(user.role, 'manage school'),
    isHeldUp: user.mustAddSecondFactor ?? false,
    schoolRemovedOn: user.schoolRemovalDueAt ? formatDateTime(user.schoolRemovalDueAt, user.timeZone).text : null,
    deviceOwner: user.mustAddSecondFactor ? null : deviceOwnerOf(user),
  };
  const forms = shownForms(unsent, new URL(request.url));
  return { viewer, typed: { at: new Date().toISOString(), forms, notice: noticeOf(forms), drafts: draftsOf(unsent) } };
}

/** The check-out's other steps, what was parked of the first and a choice before a link was followed may be of other aircraft. */
function shownForms(unsent: UnsentForms, { pathname, searchParams }: URL): UnsentForms {
  if (pathname !== paths.checkOut) return unsent;
  const first = unsent['select-aircraft'];
  const isOther = searchParams.has('aircraftId') || /^[12]$/.test(searchParams.get('step') ?? '');
  return first && !first.isParked && !isOther ? { 'select-aircraft': first } : {};
}

function noticeOf(forms: UnsentForms): string | undefined {
  const typed = Object.values(forms);
  if (typed.some(({ isParked }) => isParked)) return texts.formRestored;
  return typed.some(({ isElsewhere }) => isElsewhere) ? texts.typedElsewhere : undefined;
}

/** What the script that keeps forms knows of those that the page shows, as JSON. */
function draftsOf(forms: UnsentForms): string | undefined {
  const drafts = Object.entries(forms).map(([id, { values, ...draft }]) => [
    id,
    { ...draft, names: Object.keys(values) },
  ]);
  return drafts.length === 0 ? undefined : JSON.stringify(Object.fromEntries(drafts));
}

interface DeviceKey {
  /** Name of the user for a device, which says nothing about them. */
  owner: string;
  /** Key, in base64url, that encrypts the forms waiting to be sent. */
  key: string;
}

/** Returns the keys, the newest first; none on a shared computer, where nothing is kept. */
export function deviceKeysOf({ id, sharedComputer }: Actor): DeviceKey[] {
  if (sharedComputer) return [];
  const derive = (secret: string, use: string) =>
    createHmac('sha256', secret).update(`${use} of user ${id}`).digest('base64url');
  return SESSION_SECRETS.map((secret) => ({
    owner: derive(secret, 'device owner'),
    key: derive(secret, 'device key'),
  }));
}

function deviceOwnerOf(actor: Actor): string | null {
  return deviceKeysOf(actor)[0]?.owner ?? null;
}
