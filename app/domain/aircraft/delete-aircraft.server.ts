import { sql } from 'kysely';
import type { Db, Trx } from '#db/connect.server.ts';
import { now } from '../database-clock.server.ts';
import type { Member } from '../actor.ts';
import { writeAuditEntry } from '../audit/write-audit-entry.server.ts';
import { deleteCalendarLinks } from '../calendar/calendar-links.server.ts';
import { hasFlight } from '../flights/has-flight.server.ts';
import { runOperation } from '../run-operation.server.ts';
import { AppError } from '../app-error.ts';
import { texts } from '../texts.ts';
import { findAircraftForUpdate } from './find-aircraft-for-update.server.ts';
import { toAircraft, toRecordedAircraft } from './queries.server.ts';

/** Removes an aircraft; its row stays for flights and scans. Throws 'notFound', or 'conflict' during a flight. */
export function deleteAircraft(db: Db, member: Member, id: number, key?: string): Promise<object> {
  const operation = {
    actor: member,
    can: 'manage aircraft',
    key,
    operation: `delete aircraft ${id}`,
    input: null,
  } as const;
  return runOperation(db, operation, async (trx, actor) => {
    const row = await findAircraftForUpdate(trx, actor, id);
    if (row.in_flight) throw new AppError('conflict', texts.aircraftInFlight);
    await removeAircraft(trx, actor.schoolId, id);
    await writeAuditEntry(trx, actor, {
      action: 'deleted aircraft',
      subject: 'aircraft',
      subjectId: id,
      before: toRecordedAircraft(toAircraft(row)),
    });
    return {};
  });
}

async function removeAircraft(trx: Trx, schoolId: number, id: number): Promise<void> {
  await deleteCalendarLinks(trx, schoolId, id);
  if (await hasHistory(trx, schoolId, id)) {
    await trx
      .updateTable('aircraft')
      .set({ deleted_at: now })
      .where('school_id', '=', schoolId)
      .where('id', '=', id)
      .execute();
    return;
  }
  await trx.deleteFrom('aircraft').where('school_id', '=', schoolId).where('id', '=', id).execute();
}

async function hasHistory(trx: Trx, schoolId: number, id: number): Promise<boolean> {
  const { found } = await trx
    .selectNoFrom(({ exists, selectFrom, or }) => {
      const flown = hasFlight({ schoolId: sql`${schoolId}`, column: 'aircraft_id', id: sql`${id}` });
      const of = (table: 'scans' | 'squawks' | 'inspections') =>
        exists(selectFrom(table).select('id').where('school_id', '=', schoolId).where('aircraft_id', '=', id));
      return or([flown, of('scans'), of('squawks'), of('inspections')]).as('found');
    })
    .executeTakeFirstOrThrow();
  return Boolean(found);
}
