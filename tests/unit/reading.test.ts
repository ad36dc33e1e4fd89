import { expect, it } from 'vitest';
import { parseReading, toHundredths } from '#app/domain/reading.ts';

it('a reading typed with a decimal comma is the one with a point', () => {
  expect([' 1234,5 ', '1234.50', '7'].map(parseReading)).toEqual(['1234.5', '1234.50', '7']);
});

it('a reading counts in hundredths of an hour, its first decimal as ten of them', () => {
  expect(['1234', '1234.5', '1234.50', '0.07'].map(toHundredths)).toEqual([123400, 123450, 123450, 7]);
});
