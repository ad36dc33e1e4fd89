import type { Db } from '#db/connect.server.ts';
import type { Member } from '../actor.ts';
import { findLastReadings, requireAircraftRow } from '../aircraft/queries.server.ts';
import { fingerprint } from '../idempotency.server.ts';
import { runOperation } from '../run-operation.server.ts';
import { toStoredConfidence } from './confidence.ts';
import type { NothingDetected, Scan, ScanTarget } from './schema.server.ts';
import { runPhotoWorkInTurn } from '../turns/queues.server.ts';
import { preparePhoto, storePhoto } from './photos.server.ts';
import { findDigitCount, findOpenFlightStart, findScan } from './queries.server.ts';
import { readMeter } from './read-meter.server.ts';
import type { MeterType } from '#db/tables.ts';
import { MS_PER_HOUR } from '#app/limits.ts';
import type { MeterContext } from './engine/meter-context.ts';

/** Scans a photo. Throws as `requireAircraftRow`, `runPhotoWorkInTurn`, `preparePhoto` and `readMeter` do. */
export async function scanMeter(
  db: Db,
  member: Member,
  { aircraftId, meterType, frame, image }: ScanTarget & { image: Buffer },
  key?: string,
): Promise<Scan | NothingDetected> {
  await requireAircraftRow(db, member, aircraftId);
  const known = await findMeterContext(db, member.schoolId, aircraftId, meterType);
  const { photo, reading } = await runPhotoWorkInTurn(member, async () => {
    const prepared = await preparePhoto(image);
    return { photo: prepared, reading: await readMeter(prepared.content, { meterType, frame, ...known }) };
  });
  const { detectedText, confidence, otherText, otherKind, figures, crop } = reading;
  if (detectedText === '') return { id: null, detectedText: '', confidence: '0' };
  const input = { aircraftId, meterType, frame, image: fingerprint(image) };
  const operation = { actor: member, can: 'anyRole', key, operation: 'scan meter', input } as const;
  return runOperation(db, operation, async (trx, actor) => {
    const { id } = await trx
      .insertInto('scans')
      .values({
        school_id: actor.schoolId,
        aircraft_id: aircraftId,
        user_id: actor.id,
        photo_id: await storePhoto(trx, actor, photo),
        meter_type: meterType,
        detected_text: detectedText,
        confidence: toStoredConfidence(confidence),
        other_text: otherText ?? null,
        other_kind: otherKind ?? null,
        figures: JSON.stringify(figures ?? []),
        digits: reading.digits ?? null,
        is_impossible: reading.isImpossible ?? false,
        crop_id: crop ? await storePhoto(trx, actor, crop) : null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const scan = await findScan(trx, actor.schoolId, id);
    if (!scan) throw new Error(`scan ${id} is gone within its own transaction`);
    return scan;
  });
}

/** Hours that are allowed beside those that have passed: a meter may run a little fast, and a time be typed late. */
const SPARE_HOURS = 24;

/** Finds what is known of a meter: its last reading, of an open flight its start, and what it can show by now. */
async function findMeterContext(
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
