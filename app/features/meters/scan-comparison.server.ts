import { db } from '#app/server/db.server.ts';
import type { Member } from '#app/domain/actor.ts';
import { findAircraft, findLastReadings } from '#app/domain/aircraft/queries.server.ts';
import { recordedReading } from '#app/domain/flights/check-out-draft.server.ts';
import { differenceWords } from '#app/domain/flights/reading-flags.ts';
import { findScan, type Scan } from '#app/domain/meters/queries.server.ts';
import { may } from '#app/domain/permissions.ts';
import { hundredths, readingFrom } from '#app/domain/reading.ts';
import { Refusal } from '#app/domain/app-error.ts';

const METER_WORDS = { hobbs: 'Hobbs', tachometer: 'tach' } as const;

/** A scan of the member's school whose text is a reading. Throws 'notFound'. */
export async function scanToSave(member: Member, id: number | undefined): Promise<Scan & { reading: string }> {
  const scan = id === undefined ? undefined : await findScan(db, member.schoolId, id);
  const reading = scan && readingFrom(scan.detectedText);
  if (!scan || reading === undefined) throw new Refusal('notFound', 'Scan not found');
  return { ...scan, reading };
}

/** A scan beside the last recorded reading of its aircraft. */
export interface Comparison {
  /** How it differs (C06); null where it does not. */
  note: string | null;
  /** Null: not offered as the last reading. */
  saving: Saving | null;
}

/** How a scan is offered as the aircraft's last reading (C46). */
export interface Saving {
  scanId: number;
  /** 'Save 1234.5 as last Hobbs' */
  label: string;
  /** Below the last one: a reason is asked for. */
  lower: boolean;
  /** Lower is for administrators alone. */
  allowed: boolean;
}

/**
 * Everybody is told how the reading differs, but not by how much an aircraft in flight has been flown on. It is offered
 * to whom may save it, while the aircraft is available and the reading is not its last one already.
 */
export async function comparisonOf(member: Member, scan: Scan): Promise<Comparison> {
  const reading = readingFrom(scan.detectedText);
  const aircraft = await findAircraft(db, member.schoolId, scan.aircraft.id);
  if (reading === undefined || !aircraft) return { note: null, saving: null };
  const readings = await findLastReadings(db, member.schoolId, aircraft.id);
  const last = recordedReading(scan.meterType === 'hobbs' ? readings.hobbs : readings.tach, member.timeZone);
  const above = last === null ? 1 : hundredths(reading) - hundredths(last.value);
  const flownOn = above > 0 && aircraft.status === 'checked_out';
  const saving = {
    scanId: scan.id,
    label: `Save ${reading} as last ${METER_WORDS[scan.meterType]}`,
    lower: above < 0,
    allowed: above > 0 || may(member.role, 'lower last readings'),
  };
  const offered = above !== 0 && aircraft.status === null && may(member.role, 'save last readings');
  return { note: (!flownOn && differenceWords(last, reading)) || null, saving: offered ? saving : null };
}
