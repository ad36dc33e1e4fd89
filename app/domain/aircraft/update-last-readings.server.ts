import type { Trx } from '#db/connect.server.ts';
import type { MeterType } from '#db/tables.ts';
import { now } from '../database-clock.server.ts';
import type { Member } from '../actor.ts';

/** Hours as decimal strings. */
export type MeterValues = Partial<Record<MeterType, string>>;

/** Sets the given last readings; a meter that is not given keeps its own. */
export async function updateLastReadings(
  trx: Trx,
  reader: Pick<Member, 'id' | 'schoolId'>,
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
