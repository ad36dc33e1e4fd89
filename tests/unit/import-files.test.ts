import writeXlsxFile from 'write-excel-file/node';
import { expect, it, onTestFinished, vi } from 'vitest';
import { readFilledSheets } from '#app/domain/imports/files/xlsx/sheet-rows.server.ts';
import { findFileTables } from '#app/domain/imports/reading/find-file-tables.ts';
import { interpretSheets } from '#app/domain/imports/reading/read-file.server.ts';
import { readSheets } from '#app/domain/imports/files/read-sheets.server.ts';
import { csvOf, rowsOf, tableOf } from '#tests/support/imports/read.ts';
import { cellOf, sheetOf, workbookOf } from '#tests/support/imports/workbooks.ts';
import { fc } from '#tests/support/properties.ts';
import { takesAll } from '#tests/support/takes-all.ts';

const LONG_FILE_ROWS = 5000;

const LATIN = 'äöüßéèàçñåøÄÖÜ';

/** How a text becomes bytes, and the letters that it can write without a doubt. */
const ENCODINGS: Record<string, { encode: (text: string) => Buffer; letters: string; said?: string }> = {
  'UTF-8': { encode: (text) => Buffer.from(text), letters: `${LATIN}€ЖΩ日🛩` },
  'UTF-8 with a mark': { encode: (text) => Buffer.from(`\ufeff${text}`), letters: `${LATIN}€ЖΩ日🛩` },
  'UTF-16 LE': { encode: (text) => Buffer.from(`\ufeff${text}`, 'utf16le'), letters: `${LATIN}€ЖΩ日🛩` },
  'UTF-16 BE': { encode: (text) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16(), letters: `${LATIN}€ЖΩ日🛩` },
  'Windows-1252': { encode: (text) => Buffer.from(text, 'latin1'), letters: LATIN, said: 'windows-1252' },
};

const SEPARATORS = [',', ';', '\t', '|'];
const LINE_ENDS = ['\n', '\r\n'];

const tables = (letters: string) => {
  const unit = fc.constantFrom(...new Set([...'abcXYZ0123 .:-/\'"\n,;|\t=', ...letters]));
  const text = fc.string({ unit, maxLength: 12 });
  const heading = fc.string({ unit: fc.constantFrom(...'abcdefgh', ...letters), minLength: 1, maxLength: 8 });
  return fc.uniqueArray(heading, { minLength: 2, maxLength: 6 }).chain((header) =>
    fc.record({
      header: fc.constant(header),
      // Something stands in each row: empty ones are left out.
      rows: fc.array(
        fc.tuple(
          fc.string({ unit: fc.constantFrom(...'abc123'), minLength: 1, maxLength: 5 }),
          fc.array(text, { minLength: header.length - 1, maxLength: header.length - 1 }),
        ),
        { minLength: 1, maxLength: 8 },
      ),
    }),
  );
};

function toCsv(rows: string[][], separator: string, lineEnd: string, quoteAll: boolean): string {
  const cell = (text: string) =>
    quoteAll || /["\r\n]/.test(text) || text.includes(separator) ? `"${text.replaceAll('"', '""')}"` : text;
  return rows.map((row) => row.map(cell).join(separator) + lineEnd).join('');
}

/** The cells of each row that is not empty, as they stand in the file. */
async function cellsOf(content: Uint8Array, encoding?: string): Promise<string[][]> {
  const { sheets } = await readSheets(content, 'a.csv', { schoolId: 1, encoding });
  return sheets.flatMap(({ rows }) => rows.map(({ cells }) => cells));
}

/** Empty cells at the end of a row say nothing. */
const filled = (row: string[]) => row.slice(0, row.findLastIndex((cell) => cell !== '') + 1);

it.each(Object.keys(ENCODINGS))('any table written as CSV in %s is read back the same (B810)', async (name) => {
  const { encode, letters, said } = ENCODINGS[name]!;
  const files = fc.tuple(tables(letters), fc.constantFrom(...SEPARATORS), fc.constantFrom(...LINE_ENDS), fc.boolean());
  await fc.assert(
    fc.asyncProperty(files, async ([{ header, rows }, separator, lineEnd, quoteAll]) => {
      const written = [header, ...rows.map(([first, rest]) => [first, ...rest])];
      expect(await cellsOf(encode(toCsv(written, separator, lineEnd, quoteAll)), said)).toEqual(written.map(filled));
    }),
    { numRuns: takesAll ? 60 : 8 },
  );
});

it('UTF-16 without a mark and ISO-8859-15 are told from their bytes, and Mac Roman is read where it is said (B810)', async () => {
  const csv = 'Name;Ort\nMüller;Köln\nGroß;Zürich\n';
  const cells = [
    ['Name', 'Ort'],
    ['Müller', 'Köln'],
    ['Groß', 'Zürich'],
  ];
  expect(await cellsOf(Buffer.from(csv, 'utf16le'))).toEqual(cells);
  const roman: Record<string, string> = { ü: '\x9f', ö: '\x9a', ß: '\xa7' };
  const macRoman = Buffer.from(
    csv.replace(/[üöß]/g, (letter) => roman[letter] ?? ''),
    'latin1',
  );
  expect(await cellsOf(macRoman, 'macintosh')).toEqual(cells);
  const withEuro = Buffer.from('Name;Prix\nAndr\xe9;12 \xa4\n', 'latin1');
  expect((await cellsOf(withEuro))[1]).toEqual(['André', '12 €']);
});

it('titles above the headings and empty lines are left out, and rows keep their numbers (B810)', async () => {
  const { header, rows } = await tableOf(
    csvOf(['Club log 2026', '', 'Name;Note;Hours', 'Anna;"a\nb";1,5', ';;', 'Ben;;2']),
  );
  expect(header).toEqual(['Name', 'Note', 'Hours']);
  expect(rows.map(({ number, cells }) => [number, ...cells])).toEqual([
    [4, 'Anna', 'a\nb', '1,5'],
    [6, 'Ben', '', '2'],
  ]);
  // Headings that come twice take the name of the group above them.
  const lines = ['Club 2026;;;;', ';Hobbs;;Tach;', 'Tail;Start;Stop;Start;Stop', 'N1;1,0;2,0;1,0;1,9'];
  const headings = ['Tail', 'Hobbs Start', 'Hobbs Stop', 'Tach Start', 'Tach Stop'];
  expect((await tableOf(csvOf(lines))).header).toEqual(headings);
});

it('cells of a workbook come out as texts that can be read in one way (B810)', async () => {
  const day = (iso: string, format: string) => ({ value: new Date(iso), type: Date, format }) as const;
  const [sheet] = await readFilledSheets(
    await writeXlsxFile([
      ['Text', 'Day', 'Moment', 'Clock', 'Number', 'Yes'].map((value) => ({ value })),
      [],
      [
        { value: '0123' },
        day('2026-05-12T00:00:00Z', 'dd.mm.yyyy'),
        day('2026-05-12T14:05:00Z', 'mm/dd/yyyy hh:mm'),
        day('1899-12-30T01:30:00Z', 'hh:mm'),
        { value: 0.1 + 0.2, type: Number },
        { value: true, type: Boolean },
      ],
      [{ value: '1E5' }, null, day('2026-05-12T23:59:59Z', 'hh:mm:ss'), null, { value: 1234.5, type: Number }, null],
    ]).toBuffer(),
  );
  expect(sheet?.rows.map(({ number, cells }) => [number, ...cells])).toEqual([
    [1, 'Text', 'Day', 'Moment', 'Clock', 'Number', 'Yes'],
    [3, '0123', '2026-05-12', '2026-05-12 14:05', '01:30', '0.3', 'TRUE'],
    [4, '1E5', '', '2026-05-12 23:59:59', '', '1234.5'],
  ]);
});

const NAMES = ['Read me', 'Old" state="hidden', 'Log'];
const STYLES = '<cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs>';
const LENGTHS = '<numFmts count="1"><numFmt numFmtId="164" formatCode="[h]:mm"/></numFmts>';

/** A workbook that counts days from 1904, with these sheets. */
function workbookOf1904(names: string[], sheets: Record<string, string>, styles = STYLES) {
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  return workbookOf(sheetOf(['The log is on the third sheet']), {
    'xl/workbook.xml': workbookXml('<workbookPr date1904="true"/>', names),
    'xl/_rels/workbook.xml.rels': `<Relationships>${names.map((_, at) => `<Relationship Id="rId${at + 1}" Type="${RELATIONS}/worksheet" Target="worksheets/sheet${at + 1}.xml"/>`).join('')}</Relationships>`,
    'xl/styles.xml': `<styleSheet xmlns="${main}">${styles}</styleSheet>`,
    ...Object.fromEntries(Object.entries(sheets).map(([number, xml]) => [`xl/worksheets/sheet${number}.xml`, xml])),
  });
}

it('of a workbook all sheets that are not hidden are read, and its days are those that it shows (B953, B1674)', async () => {
  const day = '<c r="A2" s="1"><v>44692</v></c>';
  const log = sheetOf(['Day', 'Name'], ['', 'Anna']).replace(cellOf('A2', ''), day);
  const read = await readFilledSheets(await workbookOf1904(NAMES, { 2: sheetOf(['a', 'b'], ['1', '2']), 3: log }));
  expect(read.map(({ name, rows, unread }) => [name, ...rows.map(({ cells }) => cells), unread])).toEqual([
    ['Read me', ['The log is on the third sheet'], undefined],
    ['Log', ['Day', 'Name'], ['2026-05-12', 'Anna'], undefined],
    ['Old', 'it is hidden, with 2 rows'],
  ]);
  const many = Array.from({ length: 52 }, (_, at) => `Month ${at + 1}`);
  const sheets = Object.fromEntries(many.slice(1).map((name, at) => [at + 2, sheetOf([name])]));
  const late = (await readFilledSheets(await workbookOf1904(many, sheets))).filter(({ unread }) => unread);
  expect(late.map(({ name, unread }) => `${name}: ${unread}`)).toEqual([
    'Month 51: only the first 50 sheets are',
    'Month 52: only the first 50 sheets are',
  ]);
});

it('lengths of time are what the cells show, from a day to years, whatever day the workbook counts from (B1674)', async () => {
  const styles = `${LENGTHS}<cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="164" applyNumberFormat="1"/></cellXfs>`;
  const hours = [0.5, 25.5, 47, 701.5, 20_000];
  const cells = hours.map((length, at) => `<c r="${'ABCDE'[at]}2" s="1"><v>${length / 24}</v></c>`);
  const sheet = sheetOf(['A', 'B', 'C', 'D', 'E'], []).replace('<row r="2">', `<row r="2">${cells.join('')}`);
  const file = await workbookOf1904(['A'], { 1: sheet }, styles);
  const [read] = await readFilledSheets(file);
  expect(read?.rows.at(-1)?.cells).toEqual(['00:30', '25:30', '47:00', '701:30', '20000:00']);
});

it('a sheet that cannot be read is no reason to refuse another one (B1674)', async () => {
  const log = sheetOf(['Name', 'Email', 'Role'], ['Anna', 'anna@example.org', 'student']);
  const file = await workbookOf1904(['Cover', 'Log'], { 1: sheetOf(['Name', 'Name'], ['a', 'b']), 2: log });
  expect((await rowsOf({ content: file, name: 'a.xlsx' }, 'people')).records).toHaveLength(1);
});

const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const workbookXml = (properties: string, names: string[]) =>
  `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${RELATIONS}">${properties}<sheets>${names.map((name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`).join('')}</sheets></workbook>`;

it('many rows of other widths make no error each, and too many empty lines are refused (B971)', async () => {
  const errors = vi.spyOn(Error, 'captureStackTrace');
  onTestFinished(() => errors.mockRestore());
  await cellsOf(Buffer.from(`a,b,c\n${'1,2\n1,2,3\n'.repeat(5000)}`));
  expect(errors.mock.calls.length).toBeLessThan(100);
  const file = Buffer.from('a,b\n1,2\n' + '\n'.repeat(200_000));
  await expect(cellsOf(file)).rejects.toThrow('more than 100,000 rows');
});

it('other requests have their turn while a long file is read and parsed (B810)', async () => {
  const header = 'Tail,Pilot,Start,End,Start Hobbs,End Hobbs,Start tach,End tach';
  const row = 'N1A,anna,2026-05-12 09:00,2026-05-12 10:00,1.0,2.0,1.0,2.0\n';
  const file = Buffer.from(`${header}\n${row.repeat(LONG_FILE_ROWS)}`);
  let [turns, isDone] = [0, false];
  const tick = () => {
    turns += 1;
    if (!isDone) setImmediate(tick);
  };
  setImmediate(tick);
  await cellsOf(file);
  const turnsWhileRead = turns;
  const { records } = await rowsOf({ content: file }, 'flights');
  isDone = true;
  expect(records).toHaveLength(LONG_FILE_ROWS);
  expect([turnsWhileRead, turns - turnsWhileRead].map((each) => each > LONG_FILE_ROWS / 1000)).toEqual([true, true]);
});

it('others have their turn between the tables of a file, however wide their headings are (B810)', async () => {
  const wide = (table: number) =>
    Array.from({ length: 200 }, (_, at) => `Pilot ${at} ${'x'.repeat(200)} ${table}`).join();
  const lines = Array.from({ length: 50 }, (_, table) => [wide(table), '1,2,3', '']).flat();
  let [turns, isDone] = [0, false];
  const tick = () => {
    turns += 1;
    if (!isDone) setImmediate(tick);
  };
  const { sheets } = await readSheets(csvOf(lines).content, 'a.csv', { schoolId: 1 });
  const parts = await findFileTables(sheets);
  setImmediate(tick);
  await interpretSheets({ sheets, encoding: null }, 'flights', {});
  isDone = true;
  expect([parts.length, turns > 2 * parts.length]).toEqual([50, true]);
});
