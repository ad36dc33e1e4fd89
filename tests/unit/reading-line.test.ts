import { describe, expect, it } from 'vitest';
import { type LineFlight, toReadingLineSteps, type SegmentChange } from '#app/domain/aircraft/reading-line.ts';
import { lineShapes } from '#app/features/aircraft/line-shapes.ts';

const flight = (id: number, start: string, end: string | null): LineFlight => ({
  id,
  readings: { hobbs: { start, end }, tach: { start: '1', end: '2' } },
});
const marksOf = (flights: LineFlight[], changes: SegmentChange[] = []) =>
  toReadingLineSteps('hobbs', flights, changes).flatMap(({ before, within }) =>
    [...before, ...within].map(({ text }) => text),
  );
const replaced = { meter: 'hobbs', oldLast: '9999.9', newFirst: '0.0', reason: 'replaced' } as const;

describe('the line of readings', () => {
  it('marks a gap, an overlap or a jump between two flights, and none where readings meet (B622)', () => {
    for (const [start, mark] of [
      ['101.0', 'Jumps by 99.0 h in #42'],
      ['101.7', '0.7 h between #41 and #42 not logged'],
      ['100.75', '0.25 h between #41 and #42 logged twice'],
      ['125.1', 'Jumps by 24.1 h between #41 and #42'],
      ['12.0', 'Jumps back by 89.0 h between #41 and #42'],
      ['125.0', '24.0 h between #41 and #42 not logged'],
    ] as const)
      expect(marksOf([flight(41, '100.0', '101.0'), flight(42, start, '200.0')])[0]).toBe(mark);
  });

  it('a flight in progress has no hours and no mark after it (B622)', () => {
    const steps = toReadingLineSteps('hobbs', [flight(41, '100.0', null)]);
    expect(steps).toMatchObject([{ flightId: 41, hundredths: null, before: [], within: [] }]);
  });

  it('hours and gaps are right across a meter that was replaced between two flights, or within one (B628)', () => {
    const between: SegmentChange = { ...replaced, flightId: 42, place: 'before' };
    expect(marksOf([flight(41, '9998.0', '9999.5'), flight(42, '0.3', '1.3')], [between])).toEqual([
      'Hobbs replaced between #41 and #42: 9999.9, then 0.0',
      '0.7 h between #41 and #42 not logged',
    ]);
    const within: SegmentChange = { ...replaced, flightId: 41, place: 'within', reason: 'rolled over' };
    const [step] = toReadingLineSteps('hobbs', [flight(41, '9999.0', '0.5')], [within]);
    expect(step?.hundredths).toBe(140);
    expect(step?.within.map(({ text }) => text)).toEqual(['Hobbs rolled over in #41: 9999.9, then 0.0']);
  });

  it('the picture keeps the order of the flights, is as wide as its space, and shows a gap between two (B622)', () => {
    const flights = [flight(41, '100.0', '101.0'), flight(42, '102.0', '103.0'), flight(43, '9103.0', '9104.0')];
    const shapes = lineShapes(toReadingLineSteps('hobbs', flights), [42]);
    const kinds = ['flight', 'gap', 'flight in between', 'corrected', 'jump', 'flight'];
    expect(shapes.map(({ kind }) => kind)).toEqual(kinds);
    expect(shapes.map(({ x }) => x)).toEqual([0, 200, 400, 400, 600, 800]);
    expect(Math.max(...shapes.map(({ x, width }) => x + width))).toBe(1000);
  });
});
