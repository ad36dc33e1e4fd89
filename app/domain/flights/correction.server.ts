import { createHash } from 'node:crypto';
import type { Db, Trx } from '#db/connect.server.ts';
import type { ReadingFlag, Row } from '#db/tables.ts';
import type { MeterValues } from '../aircraft/update-last-readings.server.ts';
import { hoursBetween, toHundredths } from '../reading.ts';
import type { FlightReadings } from './flight-readings.ts';
import { findNeighbourReadings, type NeighbourReadings } from './correction-queries.server.ts';
import type { FlightRow } from './flight-row.server.ts';
import { readingFlags } from './reading-flags.ts';

export interface ReadingChange {
  field: Row<'flight_log_revisions'>['field'];
  before: string;
  after: string;
}

interface CorrectionEffect {
  what: string;
  before: string;
  after: string;
}

/** Everything that correcting a flight's readings changes. */
export interface Correction {
  changes: ReadingChange[];
  effects: CorrectionEffect[];
  /** New last readings of the aircraft; a meter that keeps its own is missing. */
  newLastReadings: MeterValues;
  flags: ReadingFlag[];
  /** Of all of the above: a correction is saved only as it was previewed. */
  digest: string;
}

/** Without changes if the readings are the current ones. */
export async function findCorrection(db: Db | Trx, log: FlightRow, corrected: FlightReadings): Promise<Correction> {
  const neighbours = await findNeighbourReadings(db, log);
  const hobbs = meterCorrection(METERS.hobbs, log, corrected, neighbours);
  const tach = meterCorrection(METERS.tachometer, log, corrected, neighbours);
  const effects = [...hobbs.effects, ...tach.effects];
  return {
    changes: [...hobbs.changes, ...tach.changes],
    effects,
    newLastReadings: {
      ...(hobbs.newLastReading !== undefined && { hobbs: hobbs.newLastReading }),
      ...(tach.newLastReading !== undefined && { tachometer: tach.newLastReading }),
    },
    flags: readingFlags({ last_hobbs: hobbs.lastAtStart, last_tach: tach.lastAtStart }, corrected),
    digest: createHash('sha256').update(JSON.stringify(effects)).digest('base64url'),
  };
}

const METERS = {
  hobbs: {
    type: 'hobbs',
    name: 'Hobbs',
    start: { field: 'start_hobbs', readingOf: (readings: FlightReadings) => readings.startHobbsTime },
    end: { field: 'end_hobbs', readingOf: (readings: FlightReadings) => readings.endHobbsTime },
    last: 'last_hobbs',
  },
  tachometer: {
    type: 'tachometer',
    name: 'Tach',
    start: { field: 'start_tach', readingOf: (readings: FlightReadings) => readings.startTachTime },
    end: { field: 'end_tach', readingOf: (readings: FlightReadings) => readings.endTachTime },
    last: 'last_tach',
  },
} as const;

type Meter = (typeof METERS)[keyof typeof METERS];

function meterCorrection(meter: Meter, log: FlightRow, corrected: FlightReadings, neighbours: NeighbourReadings) {
  const start = changeOf(meter.start.field, log, meter.start.readingOf(corrected));
  const end = changeOf(meter.end.field, log, meter.end.readingOf(corrected));
  const previousEnd = neighbours.previous?.[meter.end.field] ?? null;
  const nextStart = neighbours.next?.[meter.start.field] ?? null;
  // A later scan or correction may have set the last reading, which then is not this flight's.
  const isLast = neighbours.next === undefined && sameReading(neighbours[meter.last], end.before);
  const newLastReading = isLast && isChange(end) ? end.after : undefined;
  const effects = [
    ...effectOf(`${meter.name} Start`, start.before, start.after),
    ...effectOf(`${meter.name} End`, end.before, end.after),
    ...effectOf(`${meter.name} Hours`, hoursBetween(start.before, end.before), hoursBetween(start.after, end.after)),
    ...(previousEnd === null
      ? []
      : effectOf(
          `${meter.name} since the flight before`,
          gapText(previousEnd, start.before),
          gapText(previousEnd, start.after),
        )),
    ...(nextStart === null
      ? []
      : effectOf(`${meter.name} until the next flight`, gapText(end.before, nextStart), gapText(end.after, nextStart))),
    ...(isChange(end) ? lastReadingEffect(meter, neighbours[meter.last], newLastReading) : []),
  ];
  const flagged = log.reading_flags.find((flag) => flag.meter === meter.type);
  const lastAtStart = flagged?.last ?? (isChange(start) ? previousEnd : null);
  return { changes: [start, end].filter(isChange), effects, newLastReading, lastAtStart };
}

function changeOf(field: ReadingChange['field'], log: FlightRow, after: string): ReadingChange {
  const before = log[field] ?? '0';
  return { field, before, after: sameReading(before, after) ? before : after };
}

function isChange({ before, after }: ReadingChange): boolean {
  return before !== after;
}

function sameReading(a: string | null, b: string): boolean {
  return a !== null && toHundredths(a) === toHundredths(b);
}

function effectOf(what: string, before: string, after: string): CorrectionEffect[] {
  return before === after ? [] : [{ what, before, after }];
}

/** Shown even if unchanged, since users look for it. */
function lastReadingEffect(
  { name }: Meter,
  last: string | null,
  newLastReading: string | undefined,
): CorrectionEffect[] {
  const before = last ?? '-';
  return [{ what: `Last ${name} of the aircraft`, before, after: newLastReading ?? `${before} (unchanged)` }];
}

function gapText(end: string, start: string): string {
  const difference = toHundredths(start) - toHundredths(end);
  if (difference === 0) return 'No gap';
  return difference > 0 ? `${hoursBetween(end, start)} h not logged` : `${hoursBetween(start, end)} h logged twice`;
}
