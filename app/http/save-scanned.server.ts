import { db } from '../db.server.ts';
import type { Member } from '../domain/actor.ts';
import { findAircraft, findLastReadings } from '../domain/aircraft/queries.server.ts';
import { recordedReading } from '../domain/flights/check-out.server.ts';
import { differenceWords } from '../domain/flights/reading-flags.ts';
import { findScan, type Scan } from '../domain/meters/queries.server.ts';
import { may } from '../domain/permissions.ts';
import { hundredths, readingFrom } from '../domain/reading.ts';
import { Refusal } from '../domain/refusal.ts';

const METER_WORDS = { hobbs: 'Hobbs', tachometer: 'tach' } as const;

/** A scan of the member's school whose text is a reading. Throws 'notFound'. */
export async function scanToSave(member: Member, id: number | undefined): Promise<Scan & { reading: string }> {
  const scan = id === undefined ? undefined : await findScan(db, member.schoolId, id);
  const reading = scan && readingFrom(scan.detectedText);
  if (!scan || reading === undefined) throw new Refusal('notFound', 'Scan not found');
  return { ...scan, reading };
}

/** How a scan is offered as the aircraft's last reading (C46). */
export interface Saving {
  scanId: number;
  /** 'Save 1234.5 as last Hobbs' */
  label: string;
  /** What there is to know of it beside the last recorded reading. */
  note: string | null;
  /** Below the last one: a reason is asked for. */
  lower: boolean;
  /** Lower is for administrators alone. */
  allowed: boolean;
}

/** To whom may, while the aircraft is available and the reading is not its last one already; null otherwise. */
export async function savingOf(member: Member, scan: Scan): Promise<Saving | null> {
  const reading = readingFrom(scan.detectedText);
  if (reading === undefined || !may(member.role, 'save last readings')) return null;
  const aircraft = await findAircraft(db, member.schoolId, scan.aircraft.id);
  if (!aircraft || aircraft.status !== null) return null;
  const readings = await findLastReadings(db, member.schoolId, aircraft.id);
  const last = recordedReading(scan.meterType === 'hobbs' ? readings.hobbs : readings.tach, member.timeZone);
  const above = last === null ? 1 : hundredths(reading) - hundredths(last.value);
  if (above === 0) return null;
  return {
    scanId: scan.id,
    label: `Save ${reading} as last ${METER_WORDS[scan.meterType]}`,
    note: differenceWords(last, reading) ?? null,
    lower: above < 0,
    allowed: above > 0 || may(member.role, 'lower last readings'),
  };
}
