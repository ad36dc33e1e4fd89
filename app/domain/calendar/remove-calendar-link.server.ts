import type { Db } from '#db/connect.server.ts';
import type { Member } from '../actor.ts';
import { requireAircraft } from '../aircraft/find-aircraft-for-update.server.ts';
import { writeAuditEntry } from '../audit/write-audit-entry.server.ts';
import { runOperation } from '../run-operation.server.ts';

/** Removes the link, if there is one. Throws 'notFound' outside the fleet. */
export function removeCalendarLink(db: Db, member: Member, aircraftId: number, key?: string): Promise<object> {
  const request = { key, operation: `remove calendar link of aircraft ${aircraftId}`, input: null };
  return runOperation(db, { actor: member, can: 'anyRole', ...request }, async (trx, actor) => {
    const { tail_number: tailNumber } = await requireAircraft(trx, actor, aircraftId);
    const { numDeletedRows } = await trx
      .deleteFrom('calendar_links')
      .where('school_id', '=', actor.schoolId)
      .where('user_id', '=', actor.id)
      .where('aircraft_id', '=', aircraftId)
      .executeTakeFirstOrThrow();
    if (numDeletedRows === 0n) return {};
    const about = { subject: 'aircraft', subjectId: aircraftId } as const;
    await writeAuditEntry(trx, actor, { action: 'removed calendar link', ...about, before: { tailNumber } });
    return {};
  });
}
