import { expect, it } from 'vitest';
import { toDueItems } from '#app/domain/inspections/due-point.ts';
import { clipToTape, TAPE_MINUTES } from '#app/domain/flight-line/tape.ts';
import { tapeShapes } from '#app/features/flights/tape-shapes.ts';

const ticksOf = (path: string) =>
  [...path.matchAll(/M(\d+) 40v-(\d+)/g)].map(([, at, length]) => [Number(at), Number(length)]);

it('a flight of 1.2 h has a tick every tenth of an hour, longer at full hours (B708)', () => {
  const { flight, ticks, gaps, overlaps } = tapeShapes(120, 0, 0);
  expect(flight).toEqual({ x: 0, width: 1000 });
  expect(ticksOf(ticks)).toHaveLength(13);
  expect(ticksOf(ticks).filter(([, length]) => length === 24)).toEqual([
    [0, 24],
    [833, 24],
  ]);
  expect([gaps, overlaps]).toEqual(['', '']);
});

it('hours that nobody logged are hatched beside the flight, those logged twice over it (B708)', () => {
  const { flight, gaps, overlaps } = tapeShapes(100, 20, -10);
  expect(flight).toEqual({ x: 200, width: 800 });
  expect(placesIn(gaps)).toEqual([0, 192]);
  expect(placesIn(overlaps)).toEqual([900, 988]);
  expect(placesIn(tapeShapes(100, 0, 20).gaps)).toEqual([800, 992]);
});

it('neither a jump nor a long flight takes the room of the rest (B708)', () => {
  const { flight } = tapeShapes(100, 100_000, 1);
  expect(flight).toEqual({ x: 250, width: 720 });
  expect(ticksOf(tapeShapes(2000, 0, 0).ticks)).toHaveLength(21);
  expect(tapeShapes(0, 0, 0).ticks).toBe('M0 40v-24');
});

it('what lies outside 06 to 21 h is cut, and a short flight is still seen (B705)', () => {
  expect(clipToTape(-120, -1)).toBeNull();
  expect(clipToTape(TAPE_MINUTES + 1, TAPE_MINUTES + 60)).toBeNull();
  expect(clipToTape(-120, 60)).toEqual([0, 60]);
  expect(clipToTape(840, 1000)).toEqual([840, 60]);
  expect(clipToTape(100, 101)).toEqual([100, 6]);
  expect(clipToTape(TAPE_MINUTES, TAPE_MINUTES + 9)).toEqual([TAPE_MINUTES - 6, 6]);
});

const standing = { hobbs: '100.0', tach: '90.0', today: '2026-11-22' };
const due = (name: string, at: 'hobbs' | 'date', value: string) => ({ id: 1, name, due: { at, value } });

it('what is overdue goes before what is due sooner (B703)', () => {
  const [annual, oil] = [due('Annual', 'date', '2026-11-23'), due('Oil', 'hobbs', '99.0')];
  expect(toDueItems([annual, oil], standing)[0]).toMatchObject({
    name: 'Oil',
    text: 'Overdue by 1.0 h',
    kind: 'overdue',
  });
  const later = toDueItems([due('Annual', 'date', '2026-12-24'), due('Oil', 'hobbs', '101.0')], standing);
  expect(later[0]?.name).toBe('Oil');
});

function placesIn(path: string): [first: number, last: number] {
  const places = [...path.matchAll(/M(\d+)/g)].map(([, at]) => Number(at));
  return [Math.min(...places), Math.max(...places)];
}
