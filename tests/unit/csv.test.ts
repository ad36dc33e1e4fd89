import { expect, it } from 'vitest';
import { escapeXml } from '#app/server/api/workbook.server.ts';
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

it('a text that spreadsheets would read as an escape, as _x0041_, is shown as it was typed (B989)', () => {
  expect(escapeXml('N_x0041_B')).toBe('N_x005F_x0041_B');
  expect(escapeXml('_x000d__x000D_')).toBe('_x005F_x000d__x005F_x000D_');
  expect(escapeXml('_x41_ and x0041_')).toBe('_x41_ and x0041_');
});
