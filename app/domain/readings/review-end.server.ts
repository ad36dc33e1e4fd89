import type { Db, Trx } from '#db/connect.server.ts';
import type { ReadingFlag, Row } from '#db/tables.ts';
import { assertNoErrors } from '../app-error.ts';
import { endReadingErrors } from '../flights/flight-readings.ts';
import type { ScanIds } from '../meters/flight-scans.server.ts';
import { toHundredths } from '../reading.ts';
import { texts } from '../texts.ts';
import { checkEnd } from './check-end.ts';
import { checkStart, flagText, keepStoredPhotoFlags } from './check-start.ts';
import { findEndReadingBaseline, type NowAndRatio } from './end-context.server.ts';
import type { MeterChangesInput } from './input-schemas.server.ts';
import { toMeterChangesOfFlight } from './meter-changes.server.ts';
import type { MeterReadings } from './meters.ts';
import type { ReadingChange } from './write-revisions.server.ts';

export interface EnteredReadings {
  endHobbsTime?: string | undefined;
  endTachTime?: string | undefined;
  /** Start readings, if they were wrong at the check-out. */
  startHobbsTime?: string | null | undefined;
  startTachTime?: string | null | undefined;
  meterChanges?: MeterChangesInput;
}

export interface EndReview {
  /** Flags of start and end, all that the flight is stored with. */
  flags: ReadingFlag[];
  startChanges: ReadingChange[];
}

const START_COLUMNS = { hobbs: 'start_hobbs', tachometer: 'start_tach' } as const;

export const READING_FIELDS = {
  start: { hobbs: 'startHobbsTime', tachometer: 'startTachTime' },
  end: { hobbs: 'endHobbsTime', tachometer: 'endTachTime' },
} as const;

interface ReviewOptions {
  scans?: ScanIds;
  /** True if the meters were read again, or nobody can be asked. */
  isConfirmed: boolean;
  nowAndRatio?: NowAndRatio;
  fields?: Record<string, string>;
}

/** Reviews the readings. Throws 'invalid' beside each that cannot be, and beside odd ones until they are confirmed. */
export async function reviewEnd(
  db: Db | Trx,
  log: Row<'flight_logs'>,
  entered: EnteredReadings,
  { scans, isConfirmed, nowAndRatio, fields = {} }: ReviewOptions,
): Promise<EndReview> {
  const start = {
    hobbs: entered.startHobbsTime ?? log.start_hobbs,
    tachometer: entered.startTachTime ?? log.start_tach,
  };
  const ends = { hobbs: entered.endHobbsTime, tachometer: entered.endTachTime };
  const changes = toMeterChangesOfFlight(entered.meterChanges);
  const context = { ...(await findEndReadingBaseline(db, log, scans, nowAndRatio)), start };
  const errors = { ...fields, ...endReadingErrors(start, ends, changes) };
  const flags = checkEnd(ends, context, changes);
  const startChanges = startChangesOf(log, start);
  const flagsOfStart = await startFlags(db, log, start, startChanges);
  const corrected = flagsOfStart.filter(({ meter }) =>
    startChanges.some(({ field }) => field === START_COLUMNS[meter]),
  );
  const unconfirmed = isConfirmed ? {} : flagErrors([...corrected, ...flags]);
  assertNoErrors({ ...unconfirmed, ...errors });
  return { flags: [...flagsOfStart, ...flags], startChanges };
}

/** Returns the errors beside each field, and at the checkbox that confirms them all. */
export function flagErrors(flags: ReadingFlag[]): Record<string, string> {
  if (flags.length === 0) return {};
  const fields = flags.map((flag): [string, string] => [READING_FIELDS[flag.at][flag.meter], flagText(flag)]);
  return { ...Object.fromEntries(fields), readAgain: texts.readAgain };
}

/** Holds a corrected start against the aircraft's last reading again, which stands until the flight is completed. */
async function startFlags(db: Db | Trx, log: Row<'flight_logs'>, start: MeterReadings, changed: ReadingChange[]) {
  if (changed.length === 0) return log.reading_flags;
  const aircraft = await db
    .selectFrom('aircraft')
    .select(['last_hobbs as hobbs', 'last_tach as tachometer'])
    .where('school_id', '=', log.school_id)
    .where('id', '=', log.aircraft_id)
    .executeTakeFirstOrThrow();
  const found = checkStart(start, { last: aircraft, photos: { hobbs: null, tachometer: null } });
  return keepStoredPhotoFlags(found, log.reading_flags, { start, end: {} });
}

function startChangesOf(log: Row<'flight_logs'>, start: MeterReadings): ReadingChange[] {
  const changes: ReadingChange[] = [
    { field: 'start_hobbs', before: log.start_hobbs, after: start.hobbs },
    { field: 'start_tach', before: log.start_tach, after: start.tachometer },
  ];
  return changes.filter(({ before, after }) => toHundredths(before ?? '') !== toHundredths(after ?? ''));
}
