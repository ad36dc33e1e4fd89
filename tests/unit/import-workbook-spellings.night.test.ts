import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '#app/domain/app-error.ts';
import { importFileTexts } from '#app/domain/imports/files/import-file-texts.ts';
import { readSheets } from '#app/domain/imports/files/read-sheets.server.ts';
import { checkAndListSheets } from '#app/domain/imports/files/xlsx/checked-xml.ts';

import { workbookOf } from '#tests/support/imports/workbooks.ts';

async function read(sheet: string): Promise<string | number> {
  try {
    return (await readSheets(await workbookOf(sheet), 'club.xlsx', { schoolId: 1 })).sheets.length;
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid') return error.message;
    throw error;
  }
}

const sheet = (...rows: string[]) => `<worksheet><sheetData>${rows.join('')}</sheetData></worksheet>`;
const value = '<is><t>v</t></is>';

describe('a workbook whose cells lie far away', () => {
  const spelling = fc.record({
    quote: fc.constantFrom('"', "'"),
    space: fc.constantFrom(' ', '\n', '\t\t'),
    around: fc.constantFrom('', ' '),
    prefix: fc.constantFrom('', 'x:', 'main:'),
    attributePrefix: fc.constantFrom('', 'x:'),
    padding: fc.nat({ max: 400 }),
    isFirst: fc.boolean(),
    row: fc.constantFrom('', '1', '3', '1048576', '99999999', '1e9', '-1', 'x'),
    address: fc.constantFrom('A1', 'B3', 'ZZ3', 'AAA3', 'ZZZZZZ3', 'zzzzzz3', 'A99999999', 'GR1048576', 'A', '3', ''),
    before: fc.constantFrom('', '<!-- <c r="A1"/> -->', '<![CDATA[<c r="ZZZZZZ1">]]>'),
  });
  type Spelling = typeof spelling extends fc.Arbitrary<infer Of> ? Of : never;

  function spelled({
    quote,
    space,
    around,
    prefix,
    attributePrefix,
    padding,
    isFirst,
    row,
    address,
    before,
  }: Spelling) {
    const attribute = (name: string, text: string) => `${space}${name}${around}=${around}${quote}${text}${quote}`;
    const pad = padding === 0 ? '' : attribute('pad', 'x'.repeat(padding));
    const r = address === '' ? '' : attribute(`${attributePrefix}r`, address);
    const rowNumber = row === '' ? '' : attribute('r', row);
    const cell = `<${prefix}c${isFirst ? r + pad : pad + r}${attribute('t', 'inlineStr')}>${value}</${prefix}c>`;
    return sheet(`<${prefix}row${rowNumber}>${before}${cell}</${prefix}row>`);
  }

  it('is refused before the library sees it, however it is spelled (B340)', () => {
    const far = spelling.filter(({ row, address }) => /^[zZ]{6}|9{8}|GR/.test(address) || /9{8}|e|-|x/.test(row));
    fc.assert(
      fc.property(far, (of) => {
        // The parser drops an attribute with blanks around its sign, and a cell without an address is damaged.
        expect(() => checkAndListSheets(spelled({ ...of, around: '' }))).toThrow(AppError);
      }),
      { seed: 1, numRuns: 300 },
    );
  });

  it('is refused in words or read by a process that ends by itself, however it is spelled (B340)', async () => {
    await fc.assert(
      fc.asyncProperty(spelling, async (of) => {
        const result = await read(spelled(of));
        expect([importFileTexts.unreadableFile, importFileTexts.slowFile]).not.toContain(result);
      }),
      { seed: 1, numRuns: 6 },
    );
  });
});

it('a workbook of one long text in a million cells is refused before its rows reach the server (B341)', async () => {
  const cells = '<c r="A1" t="s"><v>0</v></c>';
  const rows = Array.from({ length: 2000 }, (_, at) => `<row r="${at + 1}">${cells.replace('A1', `A${at + 1}`)}</row>`);
  const file = await workbookOf(sheet(...rows), {
    'xl/sharedStrings.xml': `<sst><si><t>${'x'.repeat(20_000)}</t></si></sst>`,
    'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
  });
  await expect(readSheets(file, 'club.xlsx', { schoolId: 1 })).rejects.toThrow(importFileTexts.tooMuchText);
});
