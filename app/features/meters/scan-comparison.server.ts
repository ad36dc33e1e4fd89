import { db } from '#app/server/db.server.ts';
import type { Actor, Member } from '#app/domain/actor.ts';
import { findAircraft, findLastReadings } from '#app/domain/aircraft/queries.server.ts';
import { toLastReadingView } from '#app/domain/flights/check-out-draft.server.ts';
import { differenceText } from '#app/domain/flights/reading-flags.ts';
import { findScan } from '#app/domain/meters/queries.server.ts';
import type { Scan } from '#app/domain/meters/schema.server.ts';
import { can } from '#app/domain/permissions.ts';
import { toHundredths, parseReading } from '#app/domain/reading.ts';
import { AppError } from '#app/domain/app-error.ts';
import { texts } from '#app/domain/texts.ts';

const METER_WORDS = { hobbs: 'Hobbs', tachometer: 'tach' } as const;

/** A scan of the member's school whose text is a reading. Throws 'notFound'. */
export async function findScanReading(member: Member, id: number | undefined): Promise<Scan & { reading: string }> {
  const scan = id === undefined ? undefined : await findScan(db, member.schoolId, id);
  const reading = scan && parseReading(scan.detectedText);
  if (!scan || reading === undefined) throw new AppError('notFound', texts.scanNotFound);
  return { ...scan, reading };
}

/** A scan beside the last recorded reading of its aircraft. */
export interface ScanComparison {
  /** How it differs (C06); null where it does not. */
  note: string | null;
  /** Null: not offered as the last reading. */
  saving: SaveOption | null;
}

/** How a scan is offered as the aircraft's last reading (C46). */
export interface SaveOption {
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
export async function compareScan(member: Actor, scan: Scan): Promise<ScanComparison> {
  const reading = parseReading(scan.detectedText);
  const aircraft = await findAircraft(db, member.schoolId, scan.aircraft.id);
  if (reading === undefined || !aircraft) return { note: null, saving: null };
  const readings = await findLastReadings(db, member.schoolId, aircraft.id);
  const last = toLastReadingView(scan.meterType === 'hobbs' ? readings.hobbs : readings.tach, member.timeZone);
  const above = last === null ? 1 : toHundredths(reading) - toHundredths(last.value);
  const flownOn = above > 0 && aircraft.status === 'checked_out';
  const saving = {
    scanId: scan.id,
    label: `Save ${reading} as last ${METER_WORDS[scan.meterType]}`,
    lower: above < 0,
    allowed: above > 0 || can(member.role, 'lower last readings'),
  };
  const offered = above !== 0 && aircraft.status === null && can(member.role, 'save last readings');
  return { note: (!flownOn && differenceText(last, reading)) || null, saving: offered ? saving : null };
}
