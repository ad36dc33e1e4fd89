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
  /** Only the school's own data show what is wrong: the file reads well. */
  isReadable?: boolean;
}

const FLIGHTS = 'Tail number,Pilot,Start,End,Start Hobbs,End Hobbs,Start tach,End tach,Status,Notes';
const FLIGHT = 'N512FL,anna,2026-05-12 09:00,2026-05-12 10:00,100.0,101.0,90.0,90.9,Completed,';
const NEXT_FLIGHT = 'N512FL,anna,2026-05-13 09:00,2026-05-13 10:00,101.0,102.0,90.9,91.8,Completed,';
const ROWS = [FLIGHTS, FLIGHT].map((row) => row.split(','));

const OLE = Buffer.from('d0cf11e0a1b11ae1', 'hex');
const big = (character: string, times: number) => character.repeat(times);
const lines = (...rows: string[]) => Buffer.from(`${rows.join('\n')}\n`);
/** The flight with one text of it changed. */
const flight = (from: string, to: string) => lines(FLIGHTS, FLIGHT, NEXT_FLIGHT.replace(from, to));

export const BAD_FILES: BadFile[] = [
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
    /protected by a password/,
    'club.xlsx',
  ),
  bad(
    'a zip with encrypted parts',
    withEncryptedFlag(await workbookOf(sheetOf(...ROWS))),
    /protected by a password/,
    'club.xlsx',
  ),
  bad(
    'a workbook with macros',
    await workbookOf(sheetOf(...ROWS), { 'xl/vbaProject.bin': 'x' }),
    /has macros/,
    'club.xlsm',
  ),
  bad('a zip that is no workbook', await zipOf({ 'readme.txt': 'hello' }), /no Excel workbook/, 'club.zip'),
  bad(
    'a workbook inside of a zip',
    await zipOf({ 'club.xlsx': await workbookOf(sheetOf(...ROWS)) }),
    /no Excel workbook/,
    'club.xlsx',
  ),
  bad(
    'an OpenDocument sheet',
    await zipOf({ mimetype: 'application/vnd.oasis', 'content.xml': '<a/>' }),
    /another kind/,
    'club.ods',
  ),
  bad(
    'a zip bomb that says so',
    withDeclaredSize(await workbookOf(sheetOf(...ROWS)), 'xl/worksheets/sheet1.xml', 2 ** 31),
    /larger than 256 MB/,
    'bomb.xlsx',
  ),
  bad(
    'a zip bomb that says it is small',
    withDeclaredSize(await workbookOf(big(' ', 8_000_000)), 'xl/worksheets/sheet1.xml', 1000),
    /damaged/,
    'bomb.xlsx',
  ),
  bad(
    'a zip of a thousand parts',
    await zipOf(Object.fromEntries(Array.from({ length: 1100 }, (_, at) => [`xl/${at}.xml`, '']))),
    /too many parts/,
    'club.xlsx',
  ),
  bad(
    'a workbook of millions of shared texts in a few kilobytes',
    await workbookOf(sheetOf(...ROWS), { 'xl/sharedStrings.xml': `<sst>${'<si/>'.repeat(2_000_001)}</sst>` }),
    /more than 2,000,000 different texts/,
    'club.xlsx',
  ),
  bad('half of a workbook', (await workbookOf(sheetOf(...ROWS))).subarray(0, 300), /damaged/, 'club.xlsx'),
  bad(
    'a workbook without sheets',
    await workbookOf(sheetOf(...ROWS), { 'xl/workbook.xml': '<workbook><sheets/></workbook>' }),
    /no sheet with cells/,
    'club.xlsx',
  ),
  bad('a workbook of an empty sheet', await workbookOf(sheetOf()), /no sheet with cells/, 'club.xlsx'),
  bad(
    'a workbook whose sheet is missing',
    await workbookOf('', { 'xl/_rels/workbook.xml.rels': '<Relationships/>' }),
    /no sheet with cells|damaged/,
    'club.xlsx',
  ),
  bad(
    'a workbook of broken XML',
    await workbookOf('<worksheet><sheetData><row r="1"><c r="A1"'),
    /damaged|no sheet/,
    'club.xlsx',
  ),
  bad(
    'XML entities without end',
    await workbookOf(
      `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY a "${big('a', 99)}"><!ENTITY b "${big('&a;', 99)}">]>${sheetOf(['&b;', 'b'])}`,
    ),
    /document type/,
    'bomb.xlsx',
  ),
  bad(
    'a document type behind a long comment',
    await workbookOf(`<?xml version="1.0"?><!--${big('x', 5000)}--><!DOCTYPE a [<!ENTITY b "b">]>${sheetOf(['&b;'])}`),
    /document type/,
    'bomb.xlsx',
  ),
  bad(
    'a row far below the others',
    await workbookOf(
      `<worksheet><sheetData><row r="999999999">${cellOf('A999999999', 'x')}</row></sheetData></worksheet>`,
    ),
    /damaged/,
    'club.xlsx',
  ),
  bad(
    'a cell far to the right',
    await workbookOf(`<worksheet><sheetData><row r="1">${cellOf('ZZZZZZ1', 'x')}</row></sheetData></worksheet>`),
    /more than 200 columns/,
    'club.xlsx',
  ),
  bad(
    'a damaged cell',
    await workbookOf(sheetOf(...ROWS).replace(cellOf('B2', 'anna'), '<c r="B2" t="s"><v>77</v></c>')),
    /Row 2, column B: .*damaged/,
    'club.xlsx',
  ),
  bad(
    'a workbook with letters cut in half',
    await workbookOf(sheetOf(ROWS[0] ?? [], FLIGHT.replace('anna', 'anna_xD800_').split(','))),
    /Row 2, Pilot: .*no text/,
    'club.xlsx',
  ),
  bad('a million empty columns', lines(FLIGHTS, FLIGHT, big(',', 1_000_000) + 'x'), /Row 3: .*more than 200 columns/),
  bad('300 columns', lines(Array.from({ length: 300 }, (_, at) => `c${at}`).join(','), '1,2'), /more than 200 columns/),
  bad(
    'a cell of a million characters',
    lines(FLIGHTS, `${FLIGHT}${big('x', 1_000_000)}`),
    /Row 2, column J: .*far too long/,
  ),
  bad(
    'a cell of 30,000 characters',
    lines(FLIGHTS, `${FLIGHT}${big('x', 30_000)}`),
    /Row 2, Notes: .*20,000 characters/,
  ),
  bad('120,000 rows', Buffer.from(`a,b\n${big('1,2\n', 120_000)}`), /100,000 rows/),
  bad(
    'two headings alike',
    lines('Tail number,Tail number,Make', 'N512FL,N734KL,Cessna'),
    /Row 1, Tail number: Two columns.*A and B/,
    'fleet.csv',
    'fleet',
  ),
  bad('an unclosed quote', lines(FLIGHTS, `${FLIGHT}"the brake`, NEXT_FLIGHT), /Row 2, column J: .*never ends/),
  bad(
    'an unclosed quote before much text',
    lines(FLIGHTS, `"${FLIGHT}`, ...Array.from({ length: 6000 }, () => NEXT_FLIGHT)),
    /Row 2.*never ends/,
  ),
  bad('NUL in a cell', flight('anna', 'an\0na'), /Row 3, Pilot: .*no text/),
  bad('a lost letter', flight('anna', 'J\ufffdrg'), /Row 3, Pilot: .*no text/),
  bad(
    'two encodings in one file',
    Buffer.concat([
      lines(FLIGHTS, FLIGHT.replace('anna', 'Jörg'), FLIGHT.replace('anna', 'Jürgen')),
      Buffer.from(NEXT_FLIGHT.replace('anna', 'Jörg'), 'latin1'),
    ]),
    /Row 4: .*another encoding/,
  ),
  bad('UTF-32', Buffer.from('fffe000041000000', 'hex'), /UTF-32/),
  bad(
    'UTF-16 with half of a letter',
    Buffer.concat([
      Buffer.from('\ufeff', 'utf16le'),
      Buffer.from(flight('anna', 'anna').toString(), 'utf16le').fill(
        Buffer.from('00d8', 'hex'),
        2 * (FLIGHTS.length + 8),
        2 * (FLIGHTS.length + 9),
      ),
    ]),
    /Row 2, Pilot: .*no text/,
  ),
  bad(
    'a right-to-left mark in a tail number',
    flight('N512FL', 'N5\u202e12FL'),
    /Row 3, Tail number: .*cannot be seen/,
  ),
  bad('a formula for a reading', flight('101.0', '=F2'), /Row 3, Start Hobbs: .*formula/),
  bad('a formula for a pilot', flight('anna', '=HYPERLINK(1)'), /Row 3, Pilot: .*formula/),
  bad('31 February', flight('2026-05-13 09:00', '31.02.2025 09:00'), /Row 3, Start: "31\.02\.2025" is no date/),
  bad('a date of 1900', flight('2026-05-13 09:00', '1900-01-01 09:00'), /Row 3, Start: 1900-01-01 is before 1950/),
  bad('a date to come', flight('2026-05-13 09:00', '2096-05-13 09:00'), /Row 3, Start: 2096-05-13 is in the future/),
  bad('a time that is none', flight('09:00', '25:99'), /Row 3, Start: "25:99" is no time/),
  bad(
    'a landing before the start',
    flight('2026-05-13 10:00', '2026-05-12 10:00'),
    /Row 3, End: .*ends before it starts/,
  ),
  bad('an end reading below the start', flight('102.0', '100.5'), /Row 3, End Hobbs: .*100\.5 is not above .*101\.0/),
  bad(
    'a reading of three decimals',
    flight('102.0', '102.005'),
    /Which number is 102\.005 \(row 3\) beside 100\.0 \(row 2\)/,
  ),
  bad('a reading of words', flight('102.0', 'ca. 102'), /Row 3, End Hobbs: "ca\. 102" is no number/),
  bad('a reading below zero', flight('101.0', '-101.0'), /Row 3, Start Hobbs: .*below zero/),
  bad('a reading beyond every meter', flight('102.0', '1000000.0'), /Row 3, End Hobbs: .*more than a meter/),
  bad(
    'two open flights',
    Buffer.concat([flight('Completed', 'In Progress'), lines(FLIGHT.replace('Completed', 'Open'))]),
    /Row 3, Status: .*open/,
  ),
  bad('an empty tail number', flight('N512FL', ''), /Row 3, Tail number: .*empty/),
  bad(
    'more cells than headings',
    lines(FLIGHTS, `${FLIGHT}Left brake, right brake`),
    /Row 2: .*more cells than headings/,
  ),
  bad(
    'a role of no school',
    lines('Name,Email,Role', 'Anna,anna@example.com,Wizard'),
    /What is 'Wizard' here/,
    'people.csv',
    'people',
  ),
  bad(
    'an address that is none',
    lines('Name,Email', 'Anna,anna at example.com'),
    /Row 2, Email: Must be a valid email/,
    'people.csv',
    'people',
  ),
  bad(
    'a year of two figures',
    lines('Tail,Make,Model,Year', 'N1A,Cessna,172,04'),
    /Row 2, Year: Must be a valid year/,
    'fleet.csv',
    'fleet',
  ),
  bad(
    'an inspection that is never due',
    lines('Tail,Inspection,Due date', 'N1A,Annual,'),
    /Row 2, Due date: .*neither/,
    'inspections.csv',
    'inspections',
  ),
  bad(
    'a squawk of 31 April',
    lines('Tail,Squawk,Date', 'N1A,Brake,2026-04-31'),
    /Row 2, Date: "2026-04-31" is no date/,
    'squawks.csv',
    'squawks',
  ),
  { ...bad('readings below the last', flight('101.0', '1.0'), /below|last/), isReadable: true },
  {
    ...bad(
      "a foreign school's ids",
      lines(
        `id,${FLIGHTS},pilot id,aircraft id`,
        `7,${FLIGHT.replace('N512FL', 'N1FOREIGN').replace('anna', 'mallory')},1,1`,
      ),
      /N1FOREIGN|mallory/,
    ),
    isReadable: true,
  },
];

function bad(
  name: string,
  file: Uint8Array,
  expected: RegExp,
  fileName = 'club.csv',
  kind: ImportKind = 'flights',
): BadFile {
  return { name, file, fileName, kind, expected };
}
