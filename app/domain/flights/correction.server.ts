import { createHash } from 'node:crypto';
import type { Db, Trx } from '#db/connect.server.ts';
import type { ReadingFlag, Row } from '#db/tables.ts';
import type { Readings } from '../aircraft/update-last-readings.server.ts';
import { hoursBetween, hundredths } from '../reading.ts';
import type { FlightReadings } from './flight-readings.ts';
import { findNeighbourReadings, type NeighbourReadings } from './correction-queries.server.ts';
import type { FlightRow } from './flight-row.server.ts';
import { readingFlags } from './reading-flags.ts';

/** A reading that becomes another one. */
export interface Change {
  field: Row<'flight_log_revisions'>['field'];
  before: string;
  after: string;
}

/** One thing that a correction touches, as it is and as it would be. */
export interface Effect {
  what: string;
  before: string;
  after: string;
}

/** All that would follow from putting the readings of a flight right (C10). */
export interface Correction {
  changes: Change[];
  effects: Effect[];
  /** What the aircraft's last readings become; a meter that keeps its own is not named. */
  takesOver: Readings;
  /** How the start would have differed from the readings before it (C06). */
  flags: ReadingFlag[];
  /** Of all the above: a correction is only made as it was looked at. */
  digest: string;
}

/** What would follow from these readings; no changes where they are the ones that stand. */
export async function findCorrection(db: Db | Trx, log: FlightRow, wanted: FlightReadings): Promise<Correction> {
  const neighbours = await findNeighbourReadings(db, log);
  const hobbs = meterCorrection(METERS.hobbs, log, wanted, neighbours);
  const tach = meterCorrection(METERS.tachometer, log, wanted, neighbours);
  const effects = [...hobbs.effects, ...tach.effects];
  return {
    changes: [...hobbs.changes, ...tach.changes],
    effects,
    takesOver: {
      ...(hobbs.takesOver !== undefined && { hobbs: hobbs.takesOver }),
      ...(tach.takesOver !== undefined && { tachometer: tach.takesOver }),
    },
    flags: readingFlags({ last_hobbs: hobbs.lastAtStart, last_tach: tach.lastAtStart }, wanted),
    digest: createHash('sha256').update(JSON.stringify(effects)).digest('base64url'),
  };
}

const METERS = {
  hobbs: {
    type: 'hobbs',
    name: 'Hobbs',
    start: { field: 'start_hobbs', wanted: (readings: FlightReadings) => readings.startHobbsTime },
    end: { field: 'end_hobbs', wanted: (readings: FlightReadings) => readings.endHobbsTime },
    last: 'last_hobbs',
  },
  tachometer: {
    type: 'tachometer',
    name: 'Tach',
    start: { field: 'start_tach', wanted: (readings: FlightReadings) => readings.startTachTime },
    end: { field: 'end_tach', wanted: (readings: FlightReadings) => readings.endTachTime },
    last: 'last_tach',
  },
} as const;

type Meter = (typeof METERS)[keyof typeof METERS];

function meterCorrection(meter: Meter, log: FlightRow, wanted: FlightReadings, around: NeighbourReadings) {
  const start = changeOf(meter.start.field, log, meter.start.wanted(wanted));
  const end = changeOf(meter.end.field, log, meter.end.wanted(wanted));
  const previousEnd = around.previous?.[meter.end.field] ?? null;
  const nextStart = around.next?.[meter.start.field] ?? null;
  // A scan or another correction since may have set the last reading: it is then not this flight's to change.
  const isLast = around.next === undefined && same(around[meter.last], end.before);
  const takesOver = isLast && isChange(end) ? end.after : undefined;
  const effects = [
    ...effect(`${meter.name} Start`, start.before, start.after),
    ...effect(`${meter.name} End`, end.before, end.after),
    ...effect(`${meter.name} Hours`, hoursBetween(start.before, end.before), hoursBetween(start.after, end.after)),
    ...(previousEnd === null
      ? []
      : effect(`${meter.name} since the flight before`, gap(previousEnd, start.before), gap(previousEnd, start.after))),
    ...(nextStart === null
      ? []
      : effect(`${meter.name} until the next flight`, gap(end.before, nextStart), gap(end.after, nextStart))),
    ...(isChange(end) ? lastReading(meter, around[meter.last], takesOver) : []),
  ];
  const flagged = log.reading_flags.find((flag) => flag.meter === meter.type);
  const lastAtStart = flagged?.last ?? (isChange(start) ? previousEnd : null);
  return { changes: [start, end].filter(isChange), effects, takesOver, lastAtStart };
}

function changeOf(field: Change['field'], log: FlightRow, after: string): Change {
  const before = log[field] ?? '0';
  return { field, before, after: same(before, after) ? before : after };
}

function isChange({ before, after }: Change): boolean {
  return before !== after;
}

function same(a: string | null, b: string): boolean {
  return a !== null && hundredths(a) === hundredths(b);
}

function effect(what: string, before: string, after: string): Effect[] {
  return before === after ? [] : [{ what, before, after }];
}

/** Said also where it stays: that is what one looks for. */
function lastReading({ name }: Meter, last: string | null, takesOver: string | undefined): Effect[] {
  const before = last ?? '-';
  return [{ what: `Last ${name} of the aircraft`, before, after: takesOver ?? `${before} (unchanged)` }];
}

function gap(end: string, start: string): string {
  const difference = hundredths(start) - hundredths(end);
  if (difference === 0) return 'No gap';
  return difference > 0 ? `${hoursBetween(end, start)} h not logged` : `${hoursBetween(start, end)} h logged twice`;
}
