import type { Actor, Member } from '#app/domain/actor.ts';
import { findAircraft } from '#app/domain/aircraft/queries.server.ts';
import { AppError } from '#app/domain/app-error.ts';
import { findNamesakeMarks } from '#app/domain/people/namesakes.server.ts';
import { can } from '#app/domain/permissions.ts';
import { assertSquawkChangeable, changeSquawk } from '#app/domain/squawks/change-squawk.server.ts';
import { findSquawk } from '#app/domain/squawks/queries.server.ts';
import { type ChangeSquawkInput, changeSquawkIntentSchema } from '#app/domain/squawks/schema.server.ts';
import { canStillWithdrawSquawk, UNFIXED_STATES } from '#app/domain/squawks/squawk-states.ts';
import { squawkTexts } from '#app/domain/squawks/squawk-texts.server.ts';
import { toSquawkView } from '#app/features/squawks/squawk-view.server.ts';
import { paths } from '#app/paths.ts';
import { db } from '#app/server/db.server.ts';
import { redirectWithToast, successToast } from '#app/server/flash.server.ts';
import { newFormRequestId } from '#app/server/screen.server.ts';

export async function loadSquawkPage(reader: Actor, id: number) {
  const squawk = await findSquawk(db, reader.schoolId, id);
  if (!squawk) throw new AppError('notFound', squawkTexts.squawkNotFound);
  const aircraft = await findAircraft(db, reader.schoolId, squawk.aircraft.id);
  const isGrounded = aircraft?.status === 'maintenance' || aircraft?.groundedOnReturn;
  const isManager = can(reader.role, 'manage squawks');
  const isUnfixed = UNFIXED_STATES.includes(squawk.state);
  const isOwn = squawk.author.id === reader.id && canStillWithdrawSquawk(squawk.createdAt);
  return {
    squawk: toSquawkView(squawk, reader, await findNamesakeMarks(db, reader)),
    aircraft: squawk.aircraft,
    canSettle: isManager && isUnfixed,
    canReopen: isManager && squawk.state !== 'open',
    canWithdraw: isUnfixed && (isManager || isOwn),
    canGround: aircraft !== undefined && !isGrounded && can(reader.role, 'set aircraft status'),
    requestId: newFormRequestId(),
  };
}

export async function assertChangeable(actor: Member, id: number, form: FormData): Promise<void> {
  const { data } = changeSquawkIntentSchema.safeParse(form.get('intent'));
  await assertSquawkChangeable(db, actor, id, data ?? 'withdrawn');
}

const TOASTS = {
  open: 'Squawk reopened',
  deferred: 'Squawk deferred',
  fixed: 'Squawk fixed',
  withdrawn: 'Squawk withdrawn',
};

export async function saveSquawkChange(
  actor: Member,
  id: number,
  input: ChangeSquawkInput,
  requestId: string | undefined,
) {
  await changeSquawk(db, actor, id, input, requestId);
  return redirectWithToast(paths.squawk(id), successToast(TOASTS[input.state]));
}
