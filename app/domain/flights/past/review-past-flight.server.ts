import type { Trx } from '#db/connect.server.ts';
import type { ReadingFlag } from '#db/tables.ts';
import { MAX_ID, MAX_UNFLAGGED_GAP_HUNDREDTHS, MS_PER_HOUR } from '#app/limits.ts';
import type { Member } from '../../actor.ts';
import { requireAircraftRow } from '../../aircraft/queries.server.ts';
import type { MeterValues } from '../../aircraft/save-last-reading.server.ts';
import { assertNoErrors } from '../../app-error.ts';
import { checkEnd } from '../../readings/check-end.ts';
import { checkStart, flagText } from '../../readings/check-start.ts';
import { findRatioBefore } from '../../readings/end-context.server.ts';
import { toMeterChangesOfFlight } from '../../readings/meter-changes.server.ts';
import { METER_TYPES, type MeterReadings } from '../../readings/meters.ts';
import { texts } from '../../texts.ts';
import { neighboursOfMeter } from '../correction/correction.server.ts';
import { findNeighbourReadings } from '../correction/correction-queries.server.ts';
import { endReadingErrors, endReadingsOf, startReadingsOf } from '../flight-readings.ts';
import type { PastFlightInput, PastFlightTimes } from './past-flight-schema.server.ts';
import { hoursBetween, isSameReading, toHundredths } from '../../reading.ts';
import { READING_FIELDS } from '../../readings/review-end.server.ts';
import type { MeterNeighbours } from '../correction/meter-correction.ts';

interface PastReview {
  flags: ReadingFlag[];
  /** New last readings of the aircraft; a meter that keeps its own is missing. */
  newLastReadings: MeterValues;
}

interface ReviewOptions {
  /** True if the meters were read again, or nobody can be asked. */
  isConfirmed: boolean;
  fields: Record<string, string>;
}

const NO_PHOTOS = { hobbs: null, tachometer: null };

/** Throws 'invalid' beside impossible readings and, unless confirmed, those that do not fit the flights around. */
export async function reviewPastFlight(
  trx: Trx,
  actor: Member,
  input: PastFlightInput,
  { departed, landed }: PastFlightTimes,
  { isConfirmed, fields }: ReviewOptions,
): Promise<PastReview> {
  const [start, ends] = [startReadingsOf(input), endReadingsOf(input)];
  const meters = await findMetersAroundPastFlight(trx, actor, input.aircraftId, { departed, landed });
  const position = { school_id: actor.schoolId, aircraft_id: input.aircraftId, created_at: departed };
  const context = {
    start,
    hoursOut: (landed.getTime() - departed.getTime()) / MS_PER_HOUR,
    ratio: await findRatioBefore(trx, position),
    photos: NO_PHOTOS,
  };
  const last = { hobbs: meters.hobbs.before, tachometer: meters.tachometer.before };
  const changes = toMeterChangesOfFlight(input.meterChanges);
  const flags = [...checkStart(start, { last, photos: NO_PHOTOS }), ...checkEnd(ends, context, changes)];
  const odd = isConfirmed ? {} : oddErrors(flags, ends, meters);
  assertNoErrors({ ...odd, ...fields, ...endReadingErrors(start, ends, changes) });
  return { flags, newLastReadings: newLastReadingsOf(meters, ends) };
}

type PastMeters = Record<keyof MeterReadings, PastMeter>;

/** Finds the meters before and after a flight that may not be there yet. */
export async function findMetersAroundPastFlight(
  trx: Trx,
  actor: Pick<Member, 'schoolId'>,
  aircraftId: number,
  { departed, landed, id = MAX_ID }: PastFlightTimes & { id?: number },
): Promise<PastMeters> {
  const position = { id, school_id: actor.schoolId, aircraft_id: aircraftId, created_at: departed };
  const neighbours = await findNeighbourReadings(trx, position);
  const aircraft = await requireAircraftRow(trx, actor, aircraftId);
  const place = (meter: keyof MeterReadings) => {
    const lastAt = (meter === 'hobbs' ? aircraft.last_hobbs_at : aircraft.last_tach_at) ?? aircraft.created_at;
    return meterAroundPastFlight({ ...neighboursOfMeter(meter, neighbours), lastAt }, departed, landed);
  };
  return { hobbs: place('hobbs'), tachometer: place('tachometer') };
}

export function newLastReadingsOf(meters: PastMeters, ends: MeterReadings): MeterValues {
  return Object.fromEntries(
    METER_TYPES.filter((meter) => meters[meter].becomesLast).map((meter) => [meter, ends[meter]]),
  );
}

function oddErrors(flags: ReadingFlag[], ends: MeterReadings, meters: PastMeters): Record<string, string> {
  const odd = METER_TYPES.flatMap((meter) =>
    (['start', 'end'] as const).flatMap((at): [string, string][] => {
      const flag = flags.find((one) => one.meter === meter && one.at === at);
      const beforeNext = at === 'end' ? nextReadingMismatchText(ends[meter], meters[meter].after) : undefined;
      const text = flag ? flagText(flag) : beforeNext;
      return text === undefined ? [] : [[READING_FIELDS[at][meter], text]];
    }),
  );
  return odd.length === 0 ? {} : { ...Object.fromEntries(odd), readAgain: texts.readAgain };
}

interface AroundPastFlight extends MeterNeighbours {
  lastAt: Date;
}

interface PastMeter {
  /** Reading before the flight; null if nothing says. */
  before: string | null;
  /** Reading after it, and the name of that reading. */
  after: { reading: string; of: string } | null;
  /** True if no flight and no reading is newer than this flight's end. */
  becomesLast: boolean;
}

/** Places one meter of a flight that is entered between others. */
export function meterAroundPastFlight(around: AroundPastFlight, departed: Date, landed: Date): PastMeter {
  const { previousEnd, changesBefore, nextStart, changesAfter, last, lastAt } = around;
  const before = changesBefore.at(-1)?.newFirst ?? previousEnd;
  const isNewest = nextStart === null && changesAfter.length === 0;
  // The last reading was saved from a scan, or recorded with the aircraft.
  const savedLast = last !== null && !isSameReading(last, before) ? last : null;
  const isSavedSince = isNewest && savedLast !== null && lastAt > landed;
  const [changed] = changesAfter;
  return {
    before: isNewest && savedLast !== null && lastAt <= departed ? savedLast : before,
    after:
      (changed && { reading: changed.oldLast, of: "old meter's last reading" }) ??
      (nextStart === null ? null : { reading: nextStart, of: 'start of the next flight' }) ??
      (isSavedSince ? { reading: savedLast, of: 'last recorded reading' } : null),
    becomesLast: isNewest && !isSavedSince,
  };
}

/** Says what is odd about an end before the reading that follows it. */
export function nextReadingMismatchText(end: string, after: PastMeter['after']): string | undefined {
  if (!after) return undefined;
  const { reading, of } = after;
  const gap = toHundredths(reading) - toHundredths(end);
  if (gap < 0) return `Higher than the ${of} (${reading}).`;
  return gap > MAX_UNFLAGGED_GAP_HUNDREDTHS
    ? `${hoursBetween(end, reading)} h not logged until the ${of} (${reading}).`
    : undefined;
}
