import { expect, it } from 'vitest';
import { checkEnd, type EndReadingBaseline, usualRatio } from '#app/domain/readings/check-end.ts';
import { checkStart, flagText } from '#app/domain/readings/check-start.ts';
import type { MeterReadings } from '#app/domain/readings/meters.ts';
import { demoFlights } from '#tests/support/demo-flights.ts';
import { slipOutcomes } from '#tests/support/slip-outcomes.ts';

const start = { hobbs: '1234.5', tachometer: '987.6' };
const none = { hobbs: null, tachometer: null };
const LONGER = 'longer than the aircraft was out.';
const context: EndReadingBaseline = { start, hoursOut: 1.5, ratio: null, photos: none };

function endNotes(hobbs: string, tachometer: string, more: Partial<EndReadingBaseline> = {}): string[] {
  return checkEnd({ hobbs, tachometer }, { ...context, ...more }).map(
    (flag) => `${flag.meter} ${flag.kind}: ${flagText(flag)}`,
  );
}

it('the usual ratio is that of the flight in the middle, and its spread leaves one flight in ten out (C80)', () => {
  const hundredths = [70, 75, 78, 79, 80, 80, 80, 81, 82, 85, 95];
  const flights = hundredths.map((tach) => ({ hobbs: '1.00', tach: (tach / 100).toFixed(2) }));
  expect(usualRatio(flights)).toEqual({ tachPerHobbs: 0.8, spread: expect.closeTo(10, 5) });
});

it('none of twelve slips in the sixty demo flights goes unasked beyond 0.3 h, and no flight is (C80, B570, B571)', () => {
  expect(slipOutcomes().filter(({ outcome }) => outcome === 'unnoticed')).toEqual([]);
  // And none of the flights themselves is asked about.
  const flights = demoFlights();
  expect(flights).toHaveLength(60);
  expect(flights.filter(({ end, context: known }) => checkEnd(end, known).length > 0)).toEqual([]);
});

it('what is said of odd end readings names both numbers (C80, B572)', () => {
  const photos = (hobbs: string) => ({ photos: { hobbs, tachometer: null } });
  const rows: [hobbs: string, tach: string, more: Partial<EndReadingBaseline>, note?: string][] = [
    ['1235.7', '988.6', {}],
    ['1246.6', '997.9', { hoursOut: 30 }, 'hobbs long: 12.1 h since the start (1234.5): more than 12 h.'],
    ['1238.1', '990.7', { hoursOut: 0.5 }, `hobbs time: 3.6 h since the start (1234.5): ${LONGER}`],
    ['12357.0', '988.6', {}, 'hobbs slip: Is a digit wrong? 1235.7 would fit the tach meter, 12357.0 does not.'],
    ['1235.7', '1235.7', {}, 'tachometer other meter: 1235.7 fits the Hobbs meter, which stood at 1234.5.'],
    ['1235.7', '988.6', photos('1235.1'), 'hobbs photo: The photo shows 1235.1, not 1235.7.'],
    ['1235.7', '988.6', photos('1235.4')],
    ['1238.0', '988.0', {}, 'tachometer ratio: 988.0 does not fit the Hobbs meter: about 990.58 would be usual.'],
  ];
  for (const [hobbs, tach, more, note] of rows) expect(endNotes(hobbs, tach, more)).toEqual(note ? [note] : []);
});

it('a ratio that is usual for the aircraft is odd for another one (C80)', () => {
  const flights = Array.from({ length: 5 }, () => ({ hobbs: '1.50', tach: '1.80' }));
  const ratio = usualRatio(flights);
  expect(ratio).toEqual({ tachPerHobbs: 1.2, spread: 0 });
  expect(endNotes('1236.0', '989.4', { ratio })).toEqual([]);
  expect(endNotes('1236.0', '988.9', { ratio })).toHaveLength(1);
  expect(usualRatio(flights.slice(0, 2))).toBe(null);
});

it('a changed meter is held against its hours, not its readings (C82)', () => {
  const change = { hobbs: { oldLast: '1235.0', newFirst: '50.0' } };
  const ends = (hobbs: string): MeterReadings => ({ hobbs, tachometer: '988.6' });
  expect(checkEnd(ends('50.7'), context, change)).toEqual([]);
  expect(checkEnd(ends('70.7'), context, change)).toContainEqual(
    expect.objectContaining({ meter: 'hobbs', kind: 'long' }),
  );
});

it('a start is held against the last reading and its photo (C06, C80, B573)', () => {
  const kinds = (hobbs: string, photo: string | null = null) =>
    checkStart(
      { ...start, hobbs },
      { last: { hobbs: '1234.5', tachometer: null }, photos: { hobbs: photo, tachometer: null } },
    ).map(({ kind, last }) => `${kind} ${last}`);
  expect(kinds('1234.6')).toEqual([]);
  expect(kinds('1234.61')).toEqual(['gap 1234.5']);
  expect(kinds('1234.49')).toEqual(['below 1234.5']);
  expect(kinds('1234.5', '1234.9')).toEqual(['photo 1234.9']);
});
