import type { Actor } from '#app/domain/actor.ts';
import { formatDateTime } from '#app/domain/format.server.ts';
import { findNamesakeMarks, markedName } from '#app/domain/people/namesakes.server.ts';
import { findMeterChanges } from '#app/domain/readings/meter-changes.server.ts';
import { db } from '#app/server/db.server.ts';

export type MeterHistoryRow = Awaited<ReturnType<typeof loadMeterHistory>>[number];

export async function loadMeterHistory(reader: Actor, aircraftId: number) {
  const { schoolId, timeZone } = reader;
  const [changes, marks] = await Promise.all([
    findMeterChanges(db, schoolId, aircraftId),
    findNamesakeMarks(db, reader),
  ]);
  return changes.toReversed().map((change) => ({
    id: change.id,
    meter: change.meter_type,
    reason: change.reason,
    oldLast: change.old_last ?? '-',
    newFirst: change.first_reading ?? '-',
    at: formatDateTime(change.started_at, timeZone),
    by: markedName(marks, { id: change.declarer_id, username: change.username }),
    remark: change.remark,
    flightLogId: change.flight_log_id,
  }));
}
