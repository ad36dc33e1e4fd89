import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { guessColumns } from '#app/domain/imports/columns/guess-columns.ts';
import { guessFormats } from '#app/domain/imports/columns/guess-formats.ts';
import { guessKind } from '#app/domain/imports/columns/guess-kind.ts';
import { readImportTable } from '#app/domain/imports/files/read-import-table.server.ts';
import { type ImportKind, type ImportTable } from '#app/domain/imports/records.ts';
import { parseRows } from '#app/domain/imports/values/parse-rows.server.ts';
import { FIXTURES as ALL_FIXTURES } from '#tests/support/imports/fixtures.ts';
import { takesAll } from '#tests/support/takes-all.ts';

const LEAST_SHARE = 0.95;

/** A process reads each workbook. */
const FIXTURES = takesAll
  ? ALL_FIXTURES
  : ALL_FIXTURES.filter(({ fileName }) => !/(club|french|swedish)\.xlsx$/.test(fileName));

const tables = new Map<string, Promise<ImportTable>>();

function read(fileName: string): Promise<ImportTable> {
  const table =
    tables.get(fileName) ??
    readImportTable(readFileSync(`tests/fixtures/imports/${fileName}`), fileName, { schoolId: 1 });
  tables.set(fileName, table);
  return table;
}

function tableOf(rows: string[]): ImportTable {
  const [header = [], ...data] = rows.map((row) => row.split('|'));
  return { header, rows: data.map((cells, at) => ({ number: at + 2, cells })) };
}

/** The field that each column was guessed for, '' for none. */
function guessed(kind: ImportKind, table: ImportTable): string[] {
  const columns = guessColumns(kind, table);
  return table.header.map((_, at) => Object.entries(columns).find(([, column]) => column === at)?.[0] ?? '');
}

describe('guessing what columns hold', () => {
  it('at least 95 % of the columns of the files schools come from are guessed right (B812)', async () => {
    let [right, all] = [0, 0];
    const wrong: string[] = [];
    for (const { fileName, kind, columns } of FIXTURES) {
      const table = await read(fileName);
      expect(table.header).toEqual(Object.keys(columns));
      for (const [at, field] of guessed(kind, table).entries()) {
        const heading = table.header[at] ?? '';
        all += 1;
        if (field === columns[heading]) right += 1;
        else wrong.push(`${fileName}: ${heading} is ${columns[heading] || 'nothing'}, not ${field || 'nothing'}`);
      }
    }
    console.log(`columns of the fixtures guessed right: ${right} of ${all}`, wrong);
    expect(right / all, wrong.join('\n')).toBeGreaterThanOrEqual(LEAST_SHARE);
  });

  it('no column is guessed for two fields (B812)', async () => {
    for (const { fileName, kind } of FIXTURES) {
      const used = Object.values(guessColumns(kind, await read(fileName))).filter((column) => column !== null);
      expect(new Set(used).size, fileName).toBe(used.length);
    }
  });

  it('the kind of a file is guessed from its columns (B812)', async () => {
    for (const { fileName, kind } of FIXTURES) expect(guessKind(await read(fileName)), fileName).toBe(kind);
  });

  it('a table of something else is of no kind (B812)', () => {
    expect(guessKind(tableOf(['Song|Band|Minutes', 'Fly|Wings|3.5', 'Land|Wheels|4.1']))).toBeNull();
  });
});

describe('files in the manner of other products', () => {
  it.each(FIXTURES)('$fileName is read as its stated answer says (B812, B813, B926)', async (fixture) => {
    const table = await read(fixture.fileName);
    const columns = guessColumns(fixture.kind, table);
    const formats = guessFormats(table, columns);
    expect(formats).toEqual(fixture.formats);
    const { records, problems } = parseRows(fixture.kind, table, columns, formats, { timeZone: fixture.timeZone });
    expect(records.map(({ row }) => row)).toEqual(fixture.rows);
    expect(records[0]).toMatchObject(fixture.first);
    expect(problems).toHaveLength(fixture.problems.length);
    for (const [at, expected] of fixture.problems.entries()) {
      expect(`${problems[at]?.column}: ${problems[at]?.message}`).toMatch(expected);
    }
  });
});

describe('guessing how a file writes numbers and dates', () => {
  const flights = (...dates: string[]) =>
    tableOf([
      'Date|Tail|Pilot|Start Hobbs|End Hobbs|Start tach|End tach',
      ...dates.map((date) => `${date}|N1A|a|1|2|1|2`),
    ]);
  const guess = (table: ImportTable) => guessFormats(table, guessColumns('flights', table));

  it('one day above 12 tells the order of day and month (B812)', () => {
    expect(guess(flights('05/06/2026', '13/06/2026')).dates).toBe('day first');
    expect(guess(flights('05/06/2026', '06/13/2026')).dates).toBe('month first');
    expect(guess(flights('2026-06-05')).dates).toBe('year first');
    expect(guess(flights('05.06.2026')).dates).toBe('day first');
  });

  it('where every day may be a month, the language of the headings decides (B812)', () => {
    expect(guess(flights('05/06/2026')).dates).toBe('month first');
    const french = tableOf(['Date|Immatriculation|Pilote|Horamètre début', '05/06/2026|F-GABC|Marie|12']);
    expect(guess(french)).toEqual({ decimals: ',', dates: 'day first' });
  });

  it('decimals are told from the figures after the sign (B812)', () => {
    const table = tableOf(['Tail|Start Hobbs|End Hobbs', 'N1A|1.234,5|1.235,5', 'N1A|1.235,5|1.236']);
    expect(guess(table).decimals).toBe(',');
    expect(guess(tableOf(['Kennzeichen|Hobbs Beginn', 'D-EABC|1,234.5'])).decimals).toBe('.');
  });
});
