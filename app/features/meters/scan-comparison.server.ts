import { db } from '#app/server/db.server.ts';
import type { Actor, Member } from '#app/domain/actor.ts';
import { findAircraft, findLastReadings } from '#app/domain/aircraft/queries.server.ts';
import { toLastReadingView } from '#app/domain/flights/check-out-draft.server.ts';
import { checkLastReading, differenceText, flagText } from '#app/domain/readings/check-start.ts';
import { findScan } from '#app/domain/meters/queries.server.ts';
import { readingChoices } from '#app/domain/meters/scan-view.ts';
import type { Scan } from '#app/domain/meters/schema.server.ts';
import { can } from '#app/domain/permissions.ts';
import { parseReading, toHundredths } from '#app/domain/reading.ts';
import { AppError } from '#app/domain/app-error.ts';
import { texts } from '#app/domain/texts.ts';

const METER_WORDS = { hobbs: 'Hobbs', tachometer: 'tach' } as const;

/** Finds the scan and its reading. Throws 'notFound' for another school's, or if it has no reading. */
export async function requireScanWithReading(
  member: Member,
  id: number | undefined,
): Promise<Scan & { reading: string }> {
  const scan = id === undefined ? undefined : await findScan(db, member.schoolId, id);
  const reading = scan && readingToSave(scan);
  if (!scan || reading === undefined) throw new AppError('notFound', texts.scanNotFound);
  return { ...scan, reading };
}

/** An administrator may save what does not fit, since the last reading itself may be wrong. */
function readingToSave({ detectedText, otherText }: Scan): string | undefined {
  return parseReading(detectedText || (otherText ?? ''));
}

export interface ScanComparison {
  note: string | null;
  /** Null if it cannot be saved as the last reading. */
  saveOption: ScannedReadingToSave | null;
}

export interface ScannedReadingToSave {
  scanId: number;
  reading: string;
  label: string;
  requiresReason: boolean;
  /** True if it is so far above the last reading that a tick is needed. */
  asksReadAgain: boolean;
  isAllowed: boolean;
  /** Readings to choose from, if the last figure is in doubt; else none. */
  choices: string[];
}

/** Compares a scan with the last reading, and hides by how much an aircraft in flight has been flown since. */
export async function compareScan(member: Actor, scan: Scan): Promise<ScanComparison> {
  const reading = readingToSave(scan);
  const aircraft = await findAircraft(db, member.schoolId, scan.aircraft.id);
  if (reading === undefined || !aircraft) return { note: null, saveOption: null };
  const readings = await findLastReadings(db, member.schoolId, aircraft.id);
  const last = toLastReadingView(scan.meterType === 'hobbs' ? readings.hobbs : readings.tach, member.timeZone);
  const above = last === null ? 1 : toHundredths(reading) - toHundredths(last.value);
  const flownOn = above > 0 && aircraft.status === 'checked_out';
  const lastValues = { hobbs: readings.hobbs?.value ?? null, tachometer: readings.tach?.value ?? null };
  const odd = checkLastReading(scan.meterType, reading, lastValues);
  const note =
    odd?.kind === 'other meter'
      ? flagText({ meter: scan.meterType, at: 'end', reading, ...odd })
      : differenceText(last, reading);
  const choices = readingChoices(scan);
  const saveOption = {
    scanId: scan.id,
    reading,
    label: `Save ${choices.length > 0 ? '' : `${reading} `}as last ${METER_WORDS[scan.meterType]}`,
    requiresReason: above < 0,
    asksReadAgain: odd !== undefined,
    isAllowed: above > 0 || can(member.role, 'lower last readings'),
    choices,
  };
  const offered = above !== 0 && aircraft.status === null && can(member.role, 'save last readings');
  return { note: (!flownOn && note) || null, saveOption: offered ? saveOption : null };
}
