import type { Db } from '#db/connect.server.ts';
import { now } from '../database-clock.server.ts';
import type { Member } from '../actor.ts';
import { writeAuditEntry } from '../audit/write-audit-entry.server.ts';
import { exactlyOnce } from '../idempotency.server.ts';
import type { Aircraft, AircraftStatusInput } from './schema.server.ts';
import { findAircraftForUpdate } from './find-aircraft-for-update.server.ts';
import { toAircraft } from './queries.server.ts';

/**
 * Grounds an aircraft or makes it available again (spec §4). During a flight it says what the aircraft will be on
 * return, and the status stays 'checked_out' until then (C05); the status it already has changes nothing.
 * Throws 'notFound' for an aircraft that is not in the school's fleet.
 */
export function setAircraftStatus(
  db: Db,
  actor: Member,
  id: number,
  input: AircraftStatusInput,
  key?: string,
): Promise<Aircraft> {
  const once = { scope: `user:${actor.id}`, key, operation: `set status of aircraft ${id}`, input };
  return exactlyOnce(db, once, async (trx) => {
    const before = await findAircraftForUpdate(trx, actor, id);
    if ((before.maintenance_since !== null) === (input.status === 'maintenance')) return toAircraft(before);
    const row = await trx
      .updateTable('aircraft')
      .set({ maintenance_since: input.status ? now : null })
      .where('school_id', '=', actor.schoolId)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    const after = toAircraft({ ...row, in_flight: before.in_flight });
    await writeAuditEntry(trx, actor, {
      action: input.status ? 'set to maintenance' : 'marked as available',
      subject: 'aircraft',
      subjectId: id,
      before: statusOf(toAircraft(before)),
      after: statusOf(after),
    });
    return after;
  });
}

function statusOf({ status, groundedOnReturn }: Aircraft) {
  return { status, groundedOnReturn };
}
