import type { Db, Trx } from '#db/connect.server.ts';
import type { MeterType, ReadingFlag } from '#db/tables.ts';
import type { MeterValues } from '../../aircraft/save-last-reading.server.ts';
import { checkEnd } from '../../readings/check-end.ts';
import { checkStart, keepStoredPhotoFlags } from '../../readings/check-start.ts';
import { findEndReadingBaseline } from '../../readings/end-context.server.ts';
import type { MeterChangesOfFlight } from '../../readings/meters.ts';
import type { ReadingChange, TimeChange } from '../../readings/write-revisions.server.ts';
import { planTimeCorrection, type FlightTimes } from '../../times/flight-times.server.ts';
import { findNeighbourReadings, type NeighbourReadings } from './correction-queries.server.ts';
import type { FlightRow } from '../queries.server.ts';
import { type CorrectionEffect, correctMeter, type MeterNeighbours, readingsOfMeter } from './meter-correction.ts';

/** Everything that correcting a flight's readings and times changes. */
export interface Correction {
  changes: ReadingChange[];
  timeChanges: TimeChange[];
  effects: CorrectionEffect[];
  /** New last readings of the aircraft; a meter that keeps its own is missing. */
  newLastReadings: MeterValues;
  flags: ReadingFlag[];
}

/** Readings without ends are of a flight in progress. */
export interface CorrectedReadings {
  startHobbsTime: string;
  startTachTime: string;
  endHobbsTime?: string | undefined;
  endTachTime?: string | undefined;
  times: FlightTimes;
}

/** Finds a correction; it has no changes if the readings are the current ones. */
export async function planCorrection(
  db: Db | Trx,
  log: FlightRow,
  corrected: CorrectedReadings,
  meterChanges: MeterChangesOfFlight,
  timeZone: string,
): Promise<Correction> {
  const neighbours = await findNeighbourReadings(db, log);
  const correct = (meter: MeterType, start: string, end: string | undefined) => {
    const given = { start, end: end ?? null, change: meterChanges[meter] };
    return correctMeter(meter, readingsOfMeter(meter, log), given, neighboursOfMeter(meter, neighbours));
  };
  const hobbs = correct('hobbs', corrected.startHobbsTime, corrected.endHobbsTime);
  const tach = correct('tachometer', corrected.startTachTime, corrected.endTachTime);
  const times = planTimeCorrection(log, corrected.times, timeZone);
  const effects = [...hobbs.effects, ...tach.effects, ...times.effects];
  return {
    changes: [...hobbs.changes, ...tach.changes],
    timeChanges: times.changes,
    effects,
    newLastReadings: { hobbs: hobbs.newLastReading, tachometer: tach.newLastReading },
    flags: await findFlags(
      db,
      { ...log, ...corrected.times },
      { hobbs: hobbs.after, tachometer: tach.after },
      neighbours,
    ),
  };
}

export function neighboursOfMeter(
  meter: MeterType,
  { previous, next, between, last_hobbs, last_tach }: NeighbourReadings,
): MeterNeighbours {
  const isHobbs = meter === 'hobbs';
  const changes = between.filter((change) => change.meter === meter);
  return {
    previousEnd: (isHobbs ? previous?.end_hobbs : previous?.end_tach) ?? null,
    changesBefore: changes.filter(({ isBefore }) => isBefore),
    nextStart: (isHobbs ? next?.start_hobbs : next?.start_tach) ?? null,
    changesAfter: changes.filter(({ isBefore }) => !isBefore),
    last: isHobbs ? last_hobbs : last_tach,
  };
}

type Corrected = Record<MeterType, ReturnType<typeof correctMeter>['after']>;

async function findFlags(db: Db | Trx, log: FlightRow, { hobbs, tachometer }: Corrected, around: NeighbourReadings) {
  const start = { hobbs: hobbs.start, tachometer: tachometer.start };
  const lastAtStart = (meter: MeterType, corrected: string) => {
    const flagged = log.reading_flags.find((flag) => flag.meter === meter && ['below', 'gap'].includes(flag.kind));
    const { previousEnd, changesBefore } = neighboursOfMeter(meter, around);
    const isChanged = corrected !== readingsOfMeter(meter, log).start;
    return flagged?.last ?? (isChanged ? (changesBefore.at(-1)?.newFirst ?? previousEnd) : null);
  };
  const last = { hobbs: lastAtStart('hobbs', start.hobbs), tachometer: lastAtStart('tachometer', start.tachometer) };
  const context = { ...(await findEndReadingBaseline(db, log)), start };
  const ends = { hobbs: hobbs.end ?? undefined, tachometer: tachometer.end ?? undefined };
  const changes = { hobbs: hobbs.change, tachometer: tachometer.change };
  const found = checkStart(start, { last, photos: { hobbs: null, tachometer: null } });
  return keepStoredPhotoFlags([...found, ...checkEnd(ends, context, changes)], log.reading_flags, { start, end: ends });
}
