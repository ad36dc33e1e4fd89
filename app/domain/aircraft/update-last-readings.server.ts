import type { Trx } from '#db/connect.server.ts';
import type { MeterType } from '#db/tables.ts';
import { now } from '../database-clock.server.ts';
import type { Member } from '../actor.ts';

/** Readings by meter, hours as decimal strings. */
export type MeterValues = Partial<Record<MeterType, string>>;

/** Takes readings over as the aircraft's last ones, read now by `reader`; a meter not given keeps what it has. */
export async function updateLastReadings(
  trx: Trx,
  reader: Member,
  aircraftId: number,
  { hobbs, tachometer }: MeterValues,
): Promise<void> {
  const values = {
    ...(hobbs !== undefined && { last_hobbs: hobbs, last_hobbs_at: now, last_hobbs_by: reader.id }),
    ...(tachometer !== undefined && { last_tach: tachometer, last_tach_at: now, last_tach_by: reader.id }),
  };
  if (Object.keys(values).length === 0) return;
  await trx
    .updateTable('aircraft')
    .set(values)
    .where('school_id', '=', reader.schoolId)
    .where('id', '=', aircraftId)
    .execute();
}
