import { expect, it } from 'vitest';
import { toCsvLine } from '#app/server/csv.server.ts';

it('a cell that a spreadsheet would run stands behind an apostrophe, and a number does not (C44)', () => {
  const cells = ['=1+1', '+1 555', '-N1', '@SUM(A1)', '\tN1', '-1.5', '12'];
  expect(toCsvLine(cells)).toBe("'=1+1,'+1 555,'-N1,'@SUM(A1),'\tN1,-1.5,12\r\n");
});

it('a cell with a quote, a comma or a line break stands in quotes, its own doubled (C44)', () => {
  expect(toCsvLine(['say "brake"', 'left, right', 'one\ntwo', 'plain'])).toBe(
    '"say ""brake""","left, right","one\ntwo",plain\r\n',
  );
});
