import type { MeterType, Row } from '#db/tables.ts';
import { hoursText, isSameReading } from '../../reading.ts';
import { flownHundredths, type MeterChangeReadings } from '../../readings/meters.ts';
import type { ReadingChange } from '../../readings/write-revisions.server.ts';

export interface CorrectionEffect {
  what: string;
  before: string;
  after: string;
}

/** The readings of one meter in a flight; no end while it is in progress. */
export interface MeterOfFlight {
  start: string;
  end: string | null;
  change: MeterChangeReadings | undefined;
}

/** The readings of one meter around a flight. */
export interface MeterNeighbours {
  previousEnd: string | null;
  changesBefore: MeterChangeReadings[];
  nextStart: string | null;
  changesAfter: MeterChangeReadings[];
  last: string | null;
}

const METERS = {
  hobbs: {
    name: 'Hobbs',
    columns: { start: 'start_hobbs', end: 'end_hobbs', oldLast: 'hobbs_old_last', newFirst: 'hobbs_new_first' },
  },
  tachometer: {
    name: 'Tach',
    columns: { start: 'start_tach', end: 'end_tach', oldLast: 'tach_old_last', newFirst: 'tach_new_first' },
  },
} as const;

export function readingsOfMeter(meter: MeterType, log: Row<'flight_logs'>): MeterOfFlight {
  const { start, end, oldLast, newFirst } = METERS[meter].columns;
  const [last, first] = [log[oldLast], log[newFirst]];
  return {
    start: log[start],
    end: log[end],
    change: last === null || first === null ? undefined : { oldLast: last, newFirst: first },
  };
}

/** Returns what correcting one meter of a flight changes, with the flights before and after. */
export function correctMeter(meter: MeterType, before: MeterOfFlight, given: MeterOfFlight, around: MeterNeighbours) {
  const after = keepWriting(before, given);
  const { name, columns } = METERS[meter];
  // A later scan or correction may have set the last reading, which then is not this flight's.
  const isLast =
    around.nextStart === null &&
    around.changesAfter.length === 0 &&
    before.end !== null &&
    isSameReading(around.last, before.end);
  const newLastReading = isLast && after.end !== null && before.end !== after.end ? after.end : undefined;
  const effects = [
    ...effectOf(`${name} Start`, before.start, after.start),
    ...effectOf(`${name} End`, before.end, after.end),
    ...effectOf(`${name} of the old meter`, before.change?.oldLast, after.change?.oldLast),
    ...effectOf(`${name} of the new meter`, before.change?.newFirst, after.change?.newFirst),
    ...effectOf(`${name} Hours`, flownText(before), flownText(after)),
    ...effectOf(`${name} since the flight before`, gapBefore(before, around), gapBefore(after, around)),
    ...effectOf(`${name} until the next flight`, gapAfter(before, around), gapAfter(after, around)),
    ...(before.end === after.end ? [] : lastReadingEffect(name, around.last, newLastReading)),
  ];
  const changes = [
    changeOf(columns.start, before.start, after.start),
    changeOf(columns.end, before.end, after.end),
    changeOf(columns.oldLast, before.change?.oldLast, after.change?.oldLast),
    changeOf(columns.newFirst, before.change?.newFirst, after.change?.newFirst),
  ].filter((change) => change.before !== change.after);
  return { after, effects, changes, newLastReading };
}

/** Keeps '1234.50' if '1234.5' was entered. */
function keepWriting(before: MeterOfFlight, { start, end, change }: MeterOfFlight): MeterOfFlight {
  const kept = (old: string | null | undefined, entered: string) =>
    isSameReading(old, entered) && old != null ? old : entered;
  return {
    start: kept(before.start, start),
    end: end === null ? null : kept(before.end, end),
    change: change && {
      oldLast: kept(before.change?.oldLast, change.oldLast),
      newFirst: kept(before.change?.newFirst, change.newFirst),
    },
  };
}

function changeOf(field: ReadingChange['field'], before: string | null = null, after: string | null = null) {
  return { field, before, after };
}

function effectOf(what: string, before: string | null = null, after: string | null = null): CorrectionEffect[] {
  return before === after ? [] : [{ what, before: before ?? '-', after: after ?? '-' }];
}

function flownText({ start, end, change }: MeterOfFlight): string | null {
  return end === null ? null : hoursText(flownHundredths(start, end, change));
}

function gapBefore({ start }: MeterOfFlight, { previousEnd, changesBefore }: MeterNeighbours): string | null {
  return previousEnd === null ? null : gapText(previousEnd, changesBefore, start);
}

function gapAfter({ end }: MeterOfFlight, { nextStart, changesAfter }: MeterNeighbours): string | null {
  return end === null || nextStart === null ? null : gapText(end, changesAfter, nextStart);
}

function gapText(from: string, changes: MeterChangeReadings[], to: string): string {
  const gap = flownHundredths(from, to, ...changes);
  if (gap === 0) return 'No gap';
  return gap > 0 ? `${hoursText(gap)} h not logged` : `${hoursText(-gap)} h logged twice`;
}

/** Returns the last reading's effect, even if it is unchanged, since users look for it. */
function lastReadingEffect(name: string, last: string | null, newLastReading: string | undefined): CorrectionEffect[] {
  const before = last ?? '-';
  return [{ what: `Last ${name} of the aircraft`, before, after: newLastReading ?? `${before} (unchanged)` }];
}
