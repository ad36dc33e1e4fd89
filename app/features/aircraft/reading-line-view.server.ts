import type { Actor } from '#app/domain/actor.ts';
import type { LinePage } from '#app/domain/aircraft/line-queries.server.ts';
import {
  type LineMark,
  type LineMeter,
  type LineStep,
  toReadingLineSteps,
  type SegmentChange,
} from '#app/domain/aircraft/reading-line.ts';
import { hoursText } from '#app/domain/reading.ts';
import { formatDate, formatDateTime } from '#app/domain/format.server.ts';
import { lineShapes } from './line-shapes.ts';

export type ReadingLineView = NonNullable<ReturnType<typeof toReadingLineView>>;

/** Returns the picture of the page's flights and its rows, newest first; null without flights. */
export function toReadingLineView(
  { flights, previous }: LinePage,
  { timeZone }: Pick<Actor, 'timeZone'>,
  tailNumber: string,
  changes: SegmentChange[],
) {
  const newest = flights[0];
  const oldest = flights.at(-1);
  if (!newest || !oldest) return null;
  const inOrder = [...(previous ? [previous] : []), ...flights.toReversed()];
  const shown = previous ? 1 : 0;
  const correctedIds = flights.filter(({ corrected }) => corrected).map(({ id }) => id);
  const steps = (meter: LineMeter) => toReadingLineSteps(meter, inOrder, changes).slice(shown);
  const [hobbs, tach] = [steps('hobbs'), steps('tach')];
  const marks = [...hobbs, ...tach].flatMap(({ before, within }) => [...before, ...within]);
  const from = formatDate(oldest.startedAt, timeZone).text;
  const to = formatDate(newest.startedAt, timeZone).text;
  return {
    title: `Hobbs and tach of ${tailNumber}, ${from} to ${to}: ${summary(flights.length, correctedIds.length, marks)}`,
    strips: [toStrip('Hobbs', hobbs, correctedIds), toStrip('Tach', tach, correctedIds)],
    rows: flights.map(({ id, startedAt, corrected }) => ({
      id,
      started: formatDateTime(startedAt, timeZone),
      corrected,
      hobbs: toCells(hobbs, id),
      tach: toCells(tach, id),
      within: marksOf([hobbs, tach], id, 'within'),
      before: marksOf([hobbs, tach], id, 'before'),
    })),
  };
}

function toStrip(name: string, steps: LineStep[], correctedIds: number[]) {
  const last = steps.at(-1);
  return {
    name,
    from: steps[0]?.start ?? '',
    to: last?.end ?? last?.start ?? '',
    shapes: lineShapes(steps, correctedIds),
  };
}

function toCells(steps: LineStep[], id: number) {
  const step = steps.find(({ flightId }) => flightId === id);
  return {
    start: step?.start ?? '',
    end: step?.end ?? null,
    hours: step?.hundredths == null ? null : hoursText(step.hundredths),
  };
}

function marksOf(meters: [hobbs: LineStep[], tach: LineStep[]], id: number, place: 'before' | 'within') {
  return meters.flatMap((steps, index) =>
    (steps.find(({ flightId }) => flightId === id)?.[place] ?? []).map(({ kind, text }) => ({
      kind,
      text: kind === 'change' ? text : `${index === 0 ? 'Hobbs' : 'Tach'}: ${text}`,
    })),
  );
}

const COUNTED = { gap: 'gap', overlap: 'overlap', jump: 'jump', change: 'meter change' } as const;

function summary(flights: number, corrected: number, marks: LineMark[]): string {
  const counts = Object.entries(COUNTED).map(([kind, name]) => ({
    name,
    count: marks.filter((mark) => mark.kind === kind).length,
  }));
  return [{ name: 'flight', count: flights }, ...counts, { name: 'corrected flight', count: corrected }]
    .filter(({ count }) => count > 0)
    .map(({ name, count }) => `${count} ${name}${count === 1 ? '' : 's'}`)
    .join(', ');
}
