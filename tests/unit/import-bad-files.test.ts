import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { describe, expect, it, onTestFinished } from 'vitest';
import { AppError } from '#app/domain/app-error.ts';
import { guessColumns } from '#app/domain/imports/columns/guess-columns.ts';
import { guessFormats } from '#app/domain/imports/columns/guess-formats.ts';
import { importFileTexts } from '#app/domain/imports/files/import-file-texts.ts';
import { readImportTable } from '#app/domain/imports/files/read-import-table.server.ts';
import type { Reader } from '#app/domain/imports/files/xlsx/read-workbook.server.ts';
import { parseRows } from '#app/domain/imports/values/parse-rows.server.ts';
import { BAD_FILES, type BadFile } from '#tests/support/imports/bad-files.ts';
import { sheetOf, workbookOf } from '#tests/support/imports/workbooks.ts';
import { nightly } from '#tests/support/takes-all.ts';

/** Each problem as people read it. */
async function problemsOf({ file, fileName, kind }: BadFile): Promise<string[]> {
  try {
    const table = await readImportTable(file, fileName, { schoolId: 1 });
    const columns = guessColumns(kind, table);
    const { problems } = parseRows(kind, table, columns, guessFormats(table, columns), { timeZone: 'UTC' });
    return problems.map(({ row, column, message }) => `Row ${row}${column === null ? '' : `, ${column}`}: ${message}`);
  } catch (error) {
    if (error instanceof AppError && ['invalid', 'tooLarge'].includes(error.code)) return [error.message];
    throw error;
  }
}

describe('bad files', () => {
  it('there are at least forty of them (B811)', () => {
    expect(BAD_FILES.length).toBeGreaterThanOrEqual(40);
    expect(new Set(BAD_FILES.map(({ name }) => name)).size).toBe(BAD_FILES.length);
  });

  nightly.each(BAD_FILES)(
    'a bad file is refused in words, with row and column where there are any: $name (B811)',
    async (bad) => {
      const problems = await problemsOf(bad);
      if (bad.isReadable) expect(problems).toEqual([]);
      else expect(problems.join('\n')).toMatch(bad.expected);
    },
  );

  it.each(['<html><table>', '\ufeff<!DOCTYPE html>', '\ufeff  <table>'])(
    '%j begins a web page (B811)',
    async (text) => {
      const reading = readImportTable(Buffer.from(text), 'club.csv', { schoolId: 1 });
      await expect(reading).rejects.toThrow(importFileTexts.otherKind('a web page'));
    },
  );

  it('the rows around a bad one are read (B811)', async () => {
    const file = BAD_FILES.find(({ name }) => name === '31 February');
    const table = await readImportTable(file!.file, 'club.csv', { schoolId: 1 });
    const columns = guessColumns('flights', table);
    const { records, problems } = parseRows('flights', table, columns, guessFormats(table, columns), {
      timeZone: 'UTC',
    });
    expect(records.map(({ row }) => row)).toEqual([2]);
    expect(problems.map(({ row }) => row)).toEqual([3]);
  });
});

it('workbooks are read one after another, since each may take a gigabyte (B944)', async () => {
  const file = await workbookOf(sheetOf(['Tail number', 'Make'], ['N512FL', 'Cessna']));
  let [running, most] = [0, 0];
  const count = (message: unknown) => {
    const { process: reader } = message as { process: ChildProcess };
    running += 1;
    most = Math.max(most, running);
    reader.once('exit', () => (running -= 1));
  };
  subscribe('child_process', count);
  onTestFinished(() => void unsubscribe('child_process', count));
  const tables = await Promise.all([1, 2, 3].map(() => readImportTable(file, 'club.xlsx', { schoolId: 1 })));
  expect(tables.map(({ rows }) => rows.length)).toEqual([1, 1, 1]);
  expect(most).toBe(1);
});

it('workbooks of one school do not hold up those of another, and its fifth at once is refused (B947)', async () => {
  const file = await workbookOf(sheetOf(['Tail number', 'Make'], ['N512FL', 'Cessna']));
  const order: number[] = [];
  const read = async (reader: Reader) => {
    await readImportTable(file, 'club.xlsx', reader);
    order.push(reader.schoolId);
  };
  const flood = Promise.allSettled(Array.from({ length: 6 }, () => read({ schoolId: 1 })));
  const others = [read({ schoolId: 2 }), read({ schoolId: 1, isJob: true })];
  const refused = (await flood).flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  const texts = { code: 'unavailable', message: importFileTexts.ownWorkbooksWait, retryAfterSeconds: 10 };
  expect(refused).toMatchObject([texts, texts]);
  await Promise.all(others);
  expect(order.indexOf(2)).toBeLessThan(3);
  await read({ schoolId: 1 });
});
