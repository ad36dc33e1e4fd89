import type { Db, Trx } from '#db/connect.server.ts';
import type { Row } from '#db/tables.ts';
import { type Actor, assertCan, type Member } from '../actor.ts';
import { lockAircraftOfSquawks } from '../aircraft/queries.server.ts';
import { AppError } from '../app-error.ts';
import type { Action } from '../audit/actions.ts';
import { writeAuditEntry } from '../audit/write-audit-entry.server.ts';
import { toPointColumns } from '../inspections/due-point.ts';
import { can } from '../permissions.ts';
import { runOperation } from '../run-operation.server.ts';
import { readBackSquawk } from './add-squawk.server.ts';
import type { ChangeSquawkInput, Squawk } from './schema.server.ts';
import { canStillWithdrawSquawk, type SquawkState } from './squawk-states.ts';
import { squawkTexts } from './squawk-texts.server.ts';

/** Defers, fixes, withdraws or reopens a squawk and adds to its history. Throws as `assertSquawkChangeable` does. */
export function changeSquawk(
  db: Db,
  member: Member,
  id: number,
  input: ChangeSquawkInput,
  key?: string,
): Promise<Squawk> {
  const operation = { actor: member, can: 'anyRole', key, operation: `change squawk ${id}`, input } as const;
  return runOperation(db, operation, async (trx, actor) => {
    await lockForEvents(trx, actor, [id]);
    return changeOne(trx, actor, id, input);
  });
}

/** Marks squawks as fixed by the same work, all or none. Throws as `assertSquawkChangeable` does. */
export function fixSquawksTogether(
  db: Db,
  member: Member,
  ids: number[],
  { remark }: Pick<ChangeSquawkInput, 'remark'>,
  key?: string,
): Promise<{ fixed: Squawk[] }> {
  const inOrder = [...new Set(ids)].toSorted((a, b) => a - b);
  const input = { ids: inOrder, remark };
  const operation = { actor: member, can: 'manage squawks', key, operation: 'fix squawks', input } as const;
  return runOperation(db, operation, async (trx, actor) => {
    await lockForEvents(trx, actor, inOrder);
    const fixed: Squawk[] = [];
    for (const id of inOrder) fixed.push(await changeOne(trx, actor, id, { state: 'fixed', until: undefined, remark }));
    return { fixed };
  });
}

/** Events are told in the order of their aircraft's changes, and who changes a meter locks the aircraft before its squawks. */
async function lockForEvents(trx: Trx, { schoolId, raisedEvents }: Member, ids: number[]): Promise<void> {
  if (raisedEvents) await lockAircraftOfSquawks(trx, schoolId, ids);
}

async function changeOne(trx: Trx, actor: Member, id: number, input: ChangeSquawkInput): Promise<Squawk> {
  const before = await assertSquawkChangeable(trx, actor, id, input.state, { lock: true });
  const { schoolId, raisedEvents } = actor;
  const until = toPointColumns(input.state === 'deferred' ? input.until : null);
  const change = {
    state: input.state,
    until_hobbs: until.hobbs,
    until_tach: until.tach,
    until_on: until.date,
  };
  await trx
    .updateTable('squawks')
    .set({ ...change, deferral_over_mailed_at: null })
    .where('school_id', '=', actor.schoolId)
    .where('id', '=', id)
    .execute();
  await trx
    .insertInto('squawk_events')
    .values({ ...change, school_id: actor.schoolId, squawk_id: id, user_id: actor.id, remark: input.remark ?? '' })
    .execute();
  const squawk = await readBackSquawk(trx, actor.schoolId, id);
  await writeAuditEntry(trx, actor, {
    action: ACTIONS[input.state],
    subject: 'squawk',
    subjectId: id,
    before: { squawkState: before.state },
    after: { aircraft: squawk.aircraft.tailNumber, squawkState: input.state },
    reason: input.remark ?? undefined,
  });
  raisedEvents?.push({ type: 'squawk.changed', schoolId, aircraftId: before.aircraft_id, data: squawk });
  return squawk;
}

const ACTIONS: Record<SquawkState, Action> = {
  open: 'reopened squawk',
  deferred: 'deferred squawk',
  fixed: 'fixed squawk',
  withdrawn: 'withdrew squawk',
};

const SOURCES: Record<SquawkState, readonly SquawkState[]> = {
  open: ['deferred', 'fixed', 'withdrawn'],
  deferred: ['open', 'deferred'],
  fixed: ['open', 'deferred'],
  withdrawn: ['open', 'deferred'],
};

/** Throws 'forbidden' for what only administrators may do, 'notFound', 'conflict' for an unsuitable state. */
export async function assertSquawkChangeable(
  db: Db | Trx,
  actor: Actor,
  id: number,
  to: SquawkState,
  { lock = false } = {},
): Promise<Row<'squawks'>> {
  if (to !== 'withdrawn') assertCan(actor, 'manage squawks');
  const squawk = await db
    .selectFrom('squawks')
    .selectAll()
    .where('school_id', '=', actor.schoolId)
    .where('id', '=', id)
    .$if(lock, (query) => query.forUpdate())
    .executeTakeFirst();
  if (!squawk) throw new AppError('notFound', squawkTexts.squawkNotFound);
  const isManager = can(actor.role, 'manage squawks');
  if (!isManager && squawk.user_id !== actor.id) throw new AppError('forbidden', squawkTexts.notYoursToWithdraw);
  if (!SOURCES[to].includes(squawk.state)) throw new AppError('conflict', squawkTexts.squawkStateConflict);
  if (!isManager && !canStillWithdrawSquawk(squawk.created_at))
    throw new AppError('conflict', squawkTexts.tooLateToWithdraw);
  return squawk;
}
