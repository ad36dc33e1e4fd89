import { expect, it } from 'vitest';
import { escapeXml } from '#app/server/api/workbook.server.ts';

it('a text that spreadsheets would read as an escape, as _x0041_, is shown as it was typed (B989)', () => {
  expect(escapeXml('N_x0041_B')).toBe('N_x005F_x0041_B');
  expect(escapeXml('_x000d__x000D_')).toBe('_x005F_x000d__x005F_x000D_');
  expect(escapeXml('_x41_ and x0041_')).toBe('_x41_ and x0041_');
});
