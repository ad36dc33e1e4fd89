import { expect, it } from 'vitest';
import { parseReading } from '#app/domain/reading.ts';

it('a reading typed with a decimal comma is the one with a point', () => {
  expect([' 1234,5 ', '1234.50', '7'].map(parseReading)).toEqual(['1234.5', '1234.50', '7']);
});
