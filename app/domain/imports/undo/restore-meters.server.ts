import { z } from 'zod';
import type { Trx } from '#db/connect.server.ts';
import { lockFleet } from '../../aircraft/queries.server.ts';
import { type AircraftMeters, findMeters, writeMeters } from '../write/update-aircraft.server.ts';

const text = z.string().nullable();

const metersSchema = z.object({
  last_hobbs: text,
  last_hobbs_at: text,
  last_hobbs_by: z.int().nullable(),
  last_tach: text,
  last_tach_at: text,
  last_tach_by: z.int().nullable(),
  first_hobbs: text,
  first_hobbs_at: z.string(),
  first_tach: text,
  first_tach_at: z.string(),
}) satisfies z.ZodType<AircraftMeters>;

/** The columns of a group go together: a reading that was taken since stays as it is. */
const GROUPS = [
  ['last_hobbs', 'last_hobbs_at', 'last_hobbs_by'],
  ['last_tach', 'last_tach_at', 'last_tach_by'],
  ['first_hobbs', 'first_hobbs_at'],
  ['first_tach', 'first_tach_at'],
] as const;

/** Gives aircraft the readings that they had before their flights were imported. */
export async function restoreMeters(trx: Trx, schoolId: number, importId: number): Promise<void> {
  const rows = await trx
    .selectFrom('import_rows')
    .select(['aircraft_id', 'before', 'after'])
    .where('school_id', '=', schoolId)
    .where('import_id', '=', importId)
    .where('aircraft_id', 'is not', null)
    .execute();
  const ids = rows.flatMap(({ aircraft_id }) => aircraft_id ?? []);
  await lockFleet(trx, schoolId, ids);
  const metersOf = await findMeters(trx, schoolId, ids);
  for (const { aircraft_id, ...values } of rows) {
    const meters = metersOf.get(aircraft_id ?? 0);
    if (!meters) continue;
    const [before, after] = [metersSchema.parse(values.before), metersSchema.parse(values.after)];
    const unchanged = GROUPS.filter((keys) => keys.every((key) => isSame(meters[key], after[key])));
    Object.assign(meters, Object.fromEntries(unchanged.flat().map((key) => [key, before[key]])));
  }
  await writeMeters(trx, schoolId, metersOf);
}

/** Times are written with more or fewer decimals. */
function isSame(one: string | number | null, other: string | number | null): boolean {
  if (one === other) return true;
  if (typeof one !== 'string' || typeof other !== 'string') return false;
  return one.includes('T') ? Date.parse(one) === Date.parse(other) : Number(one) === Number(other);
}
