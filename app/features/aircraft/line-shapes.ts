import type { LineStep, MarkKind } from '#app/domain/aircraft/reading-line.ts';

/** A part of the picture, in thousandths of its width. */
export interface LineShape {
  kind: 'flight' | 'flight in between' | 'open' | 'corrected' | MarkKind;
  x: number;
  width: number;
}

const WIDTH = 1000;
// Limits in hundredths of an hour: wider shapes would leave no room for the flights.
const MAX_FLIGHT = 1000;
const MAX_GAP = 300;
const OPEN_FLIGHT = 50;
const JUMP = 100;

interface Positioned extends Omit<LineShape, 'kind'> {
  kind: LineShape['kind'];
}

/** Places flights side by side at their length; gaps push them apart, overlaps together. */
export function lineShapes(steps: LineStep[], correctedIds: readonly number[]): LineShape[] {
  const shapes: Positioned[] = [];
  let at = 0;
  steps.forEach((step, index) => {
    if (index > 0) {
      for (const { kind, hundredths } of step.before) {
        const width = kind === 'change' ? 0 : kind === 'jump' ? JUMP : Math.min(Math.abs(hundredths), MAX_GAP);
        if (kind === 'overlap') at -= width;
        shapes.push({ kind, x: at, width });
        if (kind !== 'overlap') at += width;
      }
    }
    const width = step.hundredths === null ? OPEN_FLIGHT : Math.min(step.hundredths, MAX_FLIGHT);
    const kind = step.hundredths === null ? 'open' : index % 2 === 0 ? 'flight' : 'flight in between';
    shapes.push({ kind, x: at, width });
    for (const mark of step.within) shapes.push({ kind: mark.kind, x: at + width / 2, width: 0 });
    if (correctedIds.includes(step.flightId)) shapes.push({ kind: 'corrected', x: at, width });
    at += width;
  });
  return scaled(shapes);
}

/** Scales the shapes to the picture. Overlaps come last, so that no flight hides them. */
function scaled(shapes: Positioned[]): LineShape[] {
  const first = Math.min(0, ...shapes.map(({ x }) => x));
  const last = Math.max(1, ...shapes.map(({ x, width }) => x + width));
  const scale = WIDTH / (last - first);
  return shapes
    .toSorted((a, b) => Number(a.kind === 'overlap') - Number(b.kind === 'overlap'))
    .map(({ kind, x, width }) => ({ kind, x: rounded((x - first) * scale), width: rounded(width * scale) }));
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
