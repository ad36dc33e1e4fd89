import type { Actor } from '#app/domain/actor.ts';
import { formatDateTime } from '#app/domain/format.server.ts';
import { findMeterChanges } from '#app/domain/readings/meter-segments.server.ts';
import { db } from '#app/server/db.server.ts';

export type MeterHistoryRow = Awaited<ReturnType<typeof loadMeterHistory>>[number];

/** Meters that were replaced or rolled over, newest first. */
export async function loadMeterHistory({ schoolId, timeZone }: Actor, aircraftId: number) {
  const changes = await findMeterChanges(db, schoolId, aircraftId);
  return changes.toReversed().map((change) => ({
    id: change.id,
    meter: change.meter_type,
    reason: change.reason,
    oldLast: change.old_last ?? '-',
    newFirst: change.first_reading ?? '-',
    at: formatDateTime(change.started_at, timeZone),
    by: change.username,
    remark: change.remark,
    flightLogId: change.flight_log_id,
  }));
}
