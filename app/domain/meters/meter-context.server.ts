import type { Db } from '#db/connect.server.ts';
import type { MeterType } from '#db/tables.ts';
import { MS_PER_HOUR } from '#app/limits.ts';
import { findLastReadings } from '../aircraft/queries.server.ts';
import type { MeterContext } from './engine/meter-context.ts';
import { findDigitCount, findOpenFlightStart } from './queries.server.ts';

/** Hours that are allowed beside those that have passed: a meter may run a little fast, and a time be typed late. */
const SPARE_HOURS = 24;

/** Finds what is known of a meter: its last reading, of an open flight its start, and what it can show by now. */
export async function findMeterContext(
  db: Db,
  schoolId: number | null,
  aircraftId: number,
  meterType: MeterType,
): Promise<MeterContext> {
  const key = meterType === 'hobbs' ? 'hobbs' : 'tach';
  const last =
    (await findOpenFlightStart(db, schoolId, aircraftId, meterType)) ??
    (await findLastReadings(db, schoolId, aircraftId))[key];
  const digits = await findDigitCount(db, schoolId, aircraftId, meterType);
  if (!last) return { digits };
  const hours = last.at && (Date.now() - last.at.getTime()) / MS_PER_HOUR + SPARE_HOURS;
  const highestReading = hours === null ? undefined : (Number(last.value) + hours).toFixed(1);
  return { digits, lastReading: last.value, highestReading };
}
