import { expect, it } from 'vitest';
import { exitCodeOf, median, ratioOf } from '../../scripts/bench/support/figures.ts';
import { inBoth } from '../../scripts/bench/support/recorded-statements.ts';
import { boundValues } from '../../scripts/bench/support/statement-recorder.ts';

it('the median is the middle value, or half-way between the two in the middle (B860)', () => {
  expect([median([9, 1, 5]), median([9, 1, 5, 6]), median([])]).toEqual([5, 5.5, 0]);
  // A ratio is that of the rounds, so that one that was slow for both sides changes nothing.
  expect(ratioOf([2, 40, 2, 2], [1, 20, 1, 1])).toEqual({ ratio: 2, spread: 0 });
  expect(ratioOf([2, 2, 90], [1, 1, 1]).ratio).toBe(2);
  // The spread is what every second round differs by, as a part of it.
  expect(ratioOf([2, 3, 2, 3], [1, 1, 1, 1])).toEqual({ ratio: 2.5, spread: 0.4 });
});

it('a bench fails by check alone, above a limit or unmeasured, and not at it (B861)', () => {
  const within = { what: 'page', value: 2, limit: 2 };
  const above = { what: 'page', value: 2.01, limit: 2 };
  expect(exitCodeOf([{ what: 'list', value: NaN, limit: 32 }], ['check'])).toBe(1);
  expect(exitCodeOf([within, above], ['check'])).toBe(1);
  expect(exitCodeOf([within], ['check'])).toBe(0);
  expect(exitCodeOf([above], ['1k'])).toBe(0);
});

const statement = (text: string) => ({ text, values: [] });

it('only those that each recording has are kept, as often as all have them (B862)', () => {
  const [session, list, mail] = [statement('session'), statement('list'), statement('mail')];
  expect(inBoth([session, mail, session, list], [session, list, session])).toEqual([session, session, list]);
  expect(inBoth([session, session], [session])).toEqual([session]);
});

it('parameters are read from the wire as they were sent, a null, an empty and a longer one (B862)', () => {
  const message = bindMessage('g0_ab', [null, '', 'Sedona ✈']);
  expect(boundValues(message)).toEqual([null, '', 'Sedona ✈']);
});

function bindMessage(statement: string, values: (string | null)[]): Buffer {
  const int16 = (value: number) => Buffer.from([value >> 8, value & 255]);
  const int32 = (value: number) => Buffer.from([value >> 24, (value >> 16) & 255, (value >> 8) & 255, value & 255]);
  const parameters = values.map((value) => {
    const bytes = Buffer.from(value ?? '');
    return Buffer.concat([int32(value === null ? -1 : bytes.length), bytes]);
  });
  const names = Buffer.from(`\0${statement}\0`);
  const body = Buffer.concat([names, int16(1), int16(0), int16(values.length), ...parameters, int16(0)]);
  return Buffer.concat([Buffer.from('B'), int32(body.length + 4), body]);
}
