import type { Db, Trx } from '#db/connect.server.ts';
import { now } from '../database-clock.server.ts';
import type { Member } from '../actor.ts';
import { writeAuditEntry } from '../audit/write-audit-entry.server.ts';
import { runOperation } from '../run-operation.server.ts';
import type { Aircraft, AircraftStatusInput } from './schema.server.ts';
import { findAircraftForUpdate, requireAircraft } from './find-aircraft-for-update.server.ts';
import { toAircraft } from './queries.server.ts';

/** Sets the status, in flight for the return. Throws 'notFound' outside the school's fleet. */
export function setAircraftStatus(
  db: Db,
  member: Member,
  id: number,
  input: AircraftStatusInput,
  key?: string,
): Promise<Aircraft> {
  const operation = {
    actor: member,
    can: 'set aircraft status',
    key,
    operation: `set status of aircraft ${id}`,
    turn: `aircraft ${id}`,
    input,
    // A repeated request is told the present status, not the one of then.
    replay: async (trx: Trx, actor: Member) => toAircraft(await requireAircraft(trx, actor, id)),
  } as const;
  return runOperation(db, operation, async (trx, actor) => {
    const before = await findAircraftForUpdate(trx, actor, id);
    if ((before.maintenance_since !== null) === (input.status === 'maintenance')) return toAircraft(before);
    const row = await trx
      .updateTable('aircraft')
      .set({ maintenance_since: input.status ? now : null })
      .where('school_id', '=', actor.schoolId)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    const after = toAircraft({ ...before, ...row });
    await writeAuditEntry(trx, actor, {
      action: input.status ? 'set to maintenance' : 'marked as available',
      subject: 'aircraft',
      subjectId: id,
      before: statusOf(toAircraft(before)),
      after: statusOf(after),
    });
    const { schoolId, raisedEvents } = actor;
    raisedEvents?.push({ type: 'aircraft.status_changed', schoolId, aircraftId: id, data: after });
    return after;
  });
}

function statusOf({ status, groundedOnReturn }: Aircraft) {
  return { status, groundedOnReturn };
}
