import { gzipSync } from 'node:zlib';
import type { ImportKind } from '#app/domain/imports/records.ts';
import { cellOf, sheetOf, withDeclaredSize, withEncryptedFlag, workbookOf, zipOf } from './workbooks.ts';

export interface BadFile {
  name: string;
  file: Uint8Array;
  fileName: string;
  kind: ImportKind;
  /** Of the words that refuse the file, or one of its rows: 'Row 3, Date: …'. */
  expected: RegExp;
}

const FLIGHTS = 'Tail number,Pilot,Start,End,Start Hobbs,End Hobbs,Start tach,End tach,Status,Notes';
const FLIGHT = 'N512FL,anna,2026-05-12 09:00,2026-05-12 10:00,100.0,101.0,90.0,90.9,Completed,';
const NEXT_FLIGHT = 'N512FL,anna,2026-05-13 09:00,2026-05-13 10:00,101.0,102.0,90.9,91.8,Completed,';
const ROWS = [FLIGHTS, FLIGHT].map((row) => row.split(','));

const UTF_16_MARK = Buffer.from('fffe', 'hex');
const OLE = Buffer.from('d0cf11e0a1b11ae1', 'hex');
const big = (character: string, times: number) => character.repeat(times);
const lines = (...rows: string[]) => Buffer.from(`${rows.join('\n')}\n`);
/** The flight with one text of it changed. */
const flight = (from: string, to: string) => lines(FLIGHTS, FLIGHT, NEXT_FLIGHT.replace(from, to));

const sheet = sheetOf(...ROWS);
/** A row of a sheet with one cell that is somewhere else. */
const far = (row: string, address: string) =>
  `<worksheet><sheetData><row r="${row}">${cellOf(address, 'x')}</row></sheetData></worksheet>`;
const entity = (text: string) => `<!DOCTYPE a [<!ENTITY a "${big('a', 99)}"><!ENTITY b "${text}">]>`;
const xlsx = async (
  name: string,
  expected: RegExp,
  xml: string,
  more?: Record<string, string>,
  fileName = 'club.xlsx',
) => bad(name, await workbookOf(xml, more), expected, fileName);

/** A flight with one text of it changed, and the words on row 3. */
const CHANGED: [name: string, from: string, to: string, expected: RegExp][] = [
  ['NUL in a cell', 'anna', 'an\0na', /Row 3, Pilot: .*no text/],
  ['a lost letter', 'anna', 'J\ufffdrg', /Row 3, Pilot: .*no text/],
  ['a right-to-left mark in a tail number', 'N512FL', 'N5\u202e12FL', /Row 3, Tail number: .*cannot be seen/],
  ['a formula for a reading', '101.0', '=F2', /Row 3, Start Hobbs: .*formula/],
  ['a formula for a pilot', 'anna', '=HYPERLINK(1)', /Row 3, Pilot: .*formula/],
  ['31 February', '2026-05-13 09:00', '31.02.2025 09:00', /Row 3, Start: "31\.02\.2025" is no date/],
  ['a date of 1900', '2026-05-13 09:00', '1900-01-01 09:00', /Row 3, Start: 1900-01-01 is before 1950/],
  ['a date to come', '2026-05-13 09:00', '2096-05-13 09:00', /Row 3, Start: 2096-05-13 is in the future/],
  ['a time that is none', '09:00', '25:99', /Row 3, Start: "25:99" is no time/],
  ['a landing before the start', '2026-05-13 10:00', '2026-05-12 10:00', /Row 3, End: .*ends before it starts/],
  ['an end reading below the start', '102.0', '100.5', /Row 3, End Hobbs: .*100\.5 is not above .*101\.0/],
  ['a reading of three decimals', '102.0', '102.005', /Which number is 102\.005 \(row 3\) beside 100\.0 \(row 2\)/],
  ['a reading of words', '102.0', 'ca. 102', /Row 3, End Hobbs: "ca\. 102" is no number/],
  ['a reading below zero', '101.0', '-101.0', /Row 3, Start Hobbs: .*below zero/],
  ['a reading beyond every meter', '102.0', '1000000.0', /Row 3, End Hobbs: .*more than a meter/],
  ['an empty tail number', 'N512FL', '', /Row 3, Tail number: .*empty/],
];

/** Lines of another kind than flights. */
const OTHERS: [kind: ImportKind, name: string, expected: RegExp, ...rows: string[]][] = [
  [
    ...(['fleet', 'two headings alike', /Row 1, Tail number: Two columns.*A and B/] as const),
    ...['Tail number,Tail number,Make', 'N512FL,N734KL,Cessna'],
  ],
  ['fleet', 'a year of two figures', /Row 2, Year: Must be a valid year/, 'Tail,Make,Model,Year', 'N1A,Cessna,172,04'],
  ['people', 'a role of no school', /What is 'Wizard' here/, 'Name,Email,Role', 'Anna,anna@example.com,Wizard'],
  ['people', 'no address', /Row 2, Email: Must be a valid email/, 'Name,Email', 'Anna,anna at example.com'],
  ['inspections', 'never due', /Row 2, Due date: .*neither/, 'Tail,Inspection,Due date', 'N1A,Annual,'],
  ['squawks', '31 April', /Row 2, Date: "2026-04-31" is no date/, 'Tail,Squawk,Date', 'N1A,Brake,2026-04-31'],
];

export const BAD_FILES: BadFile[] = [
  ...CHANGED.map(([name, from, to, expected]) => bad(name, flight(from, to), expected)),
  ...OTHERS.map(([kind, name, expected, ...rows]) => bad(name, lines(...rows), expected, `${kind}.csv`, kind)),
  bad('empty', Buffer.alloc(0), /empty/),
  bad('nothing but empty lines', lines('', '', ',,,', ''), /empty/),
  bad('a header only', lines(FLIGHTS), /headings, but no rows/),
  bad('one column', lines('Tail number', 'N512FL', 'N734KL'), /one column/),
  bad('no columns that flights need', lines('Song,Band', 'Fly,Wings'), /No column names 'Aircraft'/),
  bad('larger than the limit', Buffer.alloc(33 * 1024 * 1024, 'a,b\n'), /larger than 32 MB/),
  bad('binary', Buffer.from(Array.from({ length: 4000 }, (_, at) => (at * 7919) % 256)), /no table of text/),
  bad('a PDF', Buffer.from('%PDF-1.7\n1 0 obj'), /a PDF/, 'club.pdf'),
  bad('a picture', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), /a picture/, 'club.png'),
  bad('a compressed CSV', gzipSync(lines(FLIGHTS, FLIGHT)), /a compressed file/, 'club.csv.gz'),
  bad('a web page named .xls', Buffer.from('<html><table><tr><td>Tail'), /web page named \.xls/, 'club.xls'),
  bad('a workbook of before 2007', Buffer.concat([OLE, Buffer.alloc(2000)]), /before 2007/, 'club.xls'),
  bad(
    'an encrypted workbook',
    Buffer.concat([OLE, Buffer.alloc(1000), Buffer.from('EncryptedPackage', 'utf16le'), Buffer.alloc(500)]),
    ...([/protected by a password/, 'club.xlsx'] as const),
  ),
  bad('encrypted parts', withEncryptedFlag(await workbookOf(sheet)), /protected by a password/, 'club.xlsx'),
  await xlsx('a workbook with macros', /has macros/, sheet, { 'xl/vbaProject.bin': 'x' }, 'club.xlsm'),
  bad('a zip that is no workbook', await zipOf({ 'readme.txt': 'hello' }), /no Excel workbook/, 'club.zip'),
  bad('a workbook in a zip', await zipOf({ 'club.xlsx': await workbookOf(sheet) }), /no Excel workbook/, 'club.xlsx'),
  bad('an OpenDocument sheet', await zipOf({ 'content.xml': '<a/>' }), /another kind/, 'club.ods'),
  bad('a zip bomb that says so', await declaring(sheet, 2 ** 31), /larger than 256 MB/, 'bomb.xlsx'),
  bad('a zip bomb that says it is small', await declaring(big(' ', 8_000_000), 1000), /damaged/, 'bomb.xlsx'),
  bad(
    'a zip of a thousand parts',
    await zipOf(Object.fromEntries(Array.from({ length: 1100 }, (_, at) => [`xl/${at}.xml`, '']))),
    ...([/too many parts/, 'club.xlsx'] as const),
  ),
  await xlsx(
    'a workbook of millions of shared texts in a few kilobytes',
    /more than 2,000,000 different texts/,
    sheet,
    {
      'xl/sharedStrings.xml': `<sst>${'<si/>'.repeat(2_000_001)}</sst>`,
    },
  ),
  bad('half of a workbook', (await workbookOf(sheet)).subarray(0, 300), /damaged/, 'club.xlsx'),
  await xlsx('a workbook without sheets', /no sheet with cells/, sheet, {
    'xl/workbook.xml': '<workbook><sheets/></workbook>',
  }),
  await xlsx('a workbook of an empty sheet', /no sheet with cells/, sheetOf()),
  await xlsx('a workbook whose sheet is missing', /no sheet with cells|damaged/, '', {
    'xl/_rels/workbook.xml.rels': '<Relationships/>',
  }),
  await xlsx('a workbook of broken XML', /damaged|no sheet/, '<worksheet><sheetData><row r="1"><c r="A1"'),
  await xlsx('XML entities without end', /document type/, `${entity(big('&a;', 99))}${sheetOf(['&b;', 'b'])}`),
  await xlsx(
    'a document type behind a long comment',
    /document type/,
    `<!--${big('x', 5000)}-->${entity('b')}${sheet}`,
  ),
  await xlsx('a row far below the others', /damaged/, far('999999999', 'A999999999')),
  await xlsx('a cell far to the right', /more than 200 columns/, far('1', 'ZZZZZZ1')),
  await xlsx(
    ...(['a damaged cell', /Row 2, column B: .*damaged/] as const),
    sheet.replace(cellOf('B2', 'anna'), '<c r="B2" t="s"><v>77</v></c>'),
  ),
  await xlsx(
    ...(['a workbook with letters cut in half', /Row 2, Pilot: .*no text/] as const),
    sheetOf(FLIGHTS.split(','), FLIGHT.replace('anna', 'anna_xD800_').split(',')),
  ),
  bad('a million empty columns', lines(FLIGHTS, FLIGHT, big(',', 1_000_000) + 'x'), /Row 3: .*more than 200 columns/),
  bad('300 columns', lines(Array.from({ length: 300 }, (_, at) => `c${at}`).join(','), '1,2'), /more than 200 columns/),
  bad(
    'a cell of a million characters',
    lines(FLIGHTS, FLIGHT + big('x', 1_000_000)),
    /Row 2, column J: .*far too long/,
  ),
  bad('a cell of 30,000 characters', lines(FLIGHTS, FLIGHT + big('x', 30_000)), /Row 2, Notes: .*20,000 characters/),
  bad('120,000 rows', Buffer.from(`a,b\n${big('1,2\n', 120_000)}`), /100,000 rows/),
  bad('an unclosed quote', lines(FLIGHTS, `${FLIGHT}"the brake`, NEXT_FLIGHT), /Row 2, column J: .*never ends/),
  bad(
    'an unclosed quote before much text',
    lines(FLIGHTS, `"${FLIGHT}`, ...Array.from({ length: 6000 }, () => NEXT_FLIGHT)),
    /Row 2.*never ends/,
  ),
  bad(
    'two encodings in one file',
    Buffer.concat([
      lines(FLIGHTS, FLIGHT.replace('anna', 'Jörg'), FLIGHT.replace('anna', 'Jürgen')),
      Buffer.from(NEXT_FLIGHT.replace('anna', 'Jörg'), 'latin1'),
    ]),
    /Row 4: .*another encoding/,
  ),
  bad('UTF-32', Buffer.from('fffe000041000000', 'hex'), /UTF-32/),
  bad('UTF-16 with half of a letter', Buffer.concat([UTF_16_MARK, halved(flight('', ''))]), /Row 2, Pilot: .*no text/),
  bad(
    'two open flights',
    Buffer.concat([flight('Completed', 'In Progress'), lines(FLIGHT.replace('Completed', 'Open'))]),
    /Row 3, Status: .*open/,
  ),
  bad(
    'more cells than headings',
    lines(FLIGHTS, `${FLIGHT}Left brake, right brake`),
    /Row 2: .*more cells than headings/,
  ),
  bad('readings below the last', flight('101.0', '1.0'), /below|last/),
  bad(
    "a foreign school's ids",
    lines(`id,${FLIGHTS},pilot id,aircraft id`, `7,N1FOREIGN,mallory,${FLIGHT.split(',').slice(2).join(',')},1,1`),
    /N1FOREIGN|mallory/,
  ),
];

/** A workbook whose directory says that its sheet has so many bytes. */
async function declaring(xml: string, bytes: number): Promise<Buffer> {
  return withDeclaredSize(await workbookOf(xml), 'xl/worksheets/sheet1.xml', bytes);
}

/** In UTF-16, with half of a letter in the pilot's name. */
function halved(csv: Buffer): Buffer {
  const [half, at] = [Buffer.from('00d8', 'hex'), 2 * (FLIGHTS.length + 8)];
  return Buffer.from(csv.toString(), 'utf16le').fill(half, at, at + 2);
}

function bad(
  name: string,
  file: Uint8Array,
  expected: RegExp,
  fileName = 'club.csv',
  kind: ImportKind = 'flights',
): BadFile {
  return { name, file, fileName, kind, expected };
}
