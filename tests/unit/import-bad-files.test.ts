import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { expect, it, onTestFinished } from 'vitest';
import { AppError } from '#app/domain/app-error.ts';
import { IMPORT_READ_HERE_BYTES } from '#app/limits.ts';
import { importFileTexts } from '#app/domain/imports/files/import-file-texts.ts';
import { readSheets } from '#app/domain/imports/files/read-sheets.server.ts';
import { type ImportFileOwner, readInChildProcess } from '#app/domain/imports/files/read-in-child-process.server.ts';
import { checkAndListSheets } from '#app/domain/imports/files/xlsx/checked-xml.ts';
import { BAD_FILES } from '#tests/support/imports/bad-files.ts';
import { rowsOf } from '#tests/support/imports/read.ts';
import { sheetOf, workbookOf } from '#tests/support/imports/workbooks.ts';

it('a web page is told from a table, far cells and unsolved formulas are refused (B340, B811, B1801)', async () => {
  const reading = readSheets(Buffer.from('<html><table>'), 'club.csv', { schoolId: 1 });
  await expect(reading).rejects.toThrow(importFileTexts.otherKind('a web page'));
  const file = BAD_FILES.find(({ name }) => name === '31 February');
  const { records, problems } = await rowsOf({ content: file!.file }, 'flights');
  expect(records.map(({ row }) => row)).toEqual([2]);
  expect(problems).toEqual([expect.stringMatching(/^Row 3/)]);
  // Before the library sees them.
  const cell = '<c r="A1" t="inlineStr"><is><t>v</t></is></c>';
  const rows = (row: string) => `<worksheet><sheetData>${row}</sheetData></worksheet>`;
  expect(() => checkAndListSheets(rows(`<row r="1">${cell}</row>`))).not.toThrow();
  for (const far of [`<row r='99999999'>${cell}</row>`, `<x:row>${cell.replace('"A1"', "'zzzzzz3'")}</x:row>`])
    expect(() => checkAndListSheets(rows(far))).toThrow(AppError);
  const formula = '<c r="B1"><f>A1*2</f><v>2</v></c>';
  expect(() => checkAndListSheets(rows(`<row r="1">${formula}</row>`))).not.toThrow();
  const unsolved = `Row 1, column B: ${importFileTexts.unsolvedFormula}`;
  expect(() => checkAndListSheets(rows(`<row r="1">${formula.replace('<v>2</v>', '')}</row>`))).toThrow(unsolved);
});

const LONG_CSV = Buffer.from(`Tail number,Make\n${'N512FL,Cessna\n'.repeat(IMPORT_READ_HERE_BYTES / 14)}`);

it.each([
  ['workbook', 'club.xlsx', () => workbookOf(sheetOf(['Tail number', 'Make'], ['N512FL', 'Cessna'])), 2],
  ['long CSV', 'club.csv', async () => LONG_CSV, Math.floor(IMPORT_READ_HERE_BYTES / 14) + 1],
] as const)(
  'a %s whose process dies is refused in words, and the next one is read (B341)',
  async (_, name, make, rows) => {
    const kill = (message: unknown) => {
      const { process: reader } = message as { process: ChildProcess };
      reader.once('spawn', () => process.kill(Number(reader.pid), 'SIGABRT'));
    };
    subscribe('child_process', kill);
    onTestFinished(() => void unsubscribe('child_process', kill));
    const file = await make();
    const read = () => readSheets(file, name, { schoolId: 1 });
    await expect(read()).rejects.toThrow(importFileTexts.unreadableFile);
    unsubscribe('child_process', kill);
    expect((await read()).sheets[0]?.rows).toHaveLength(rows);
  },
);

it('what a long CSV is refused for is said with its row, as of a short one (B341)', async () => {
  const file = Buffer.concat([LONG_CSV, Buffer.from('"N513FL,Cessna\n')]);
  const rows = Math.floor(IMPORT_READ_HERE_BYTES / 14) + 2;
  await expect(readSheets(file, 'club.csv', { schoolId: 1 })).rejects.toThrow(
    `Row ${rows}, column A: ${importFileTexts.quoteOpen}`,
  );
});

it('a CSV that cannot be read for a reason that nobody foresaw is no damaged workbook (B1804)', async () => {
  const reading = readInChildProcess(LONG_CSV, { schoolId: 1 }, { name: 'no encoding', mark: 0 });
  await expect(reading).rejects.toThrow(importFileTexts.unreadableFile);
});

it('workbooks are read one by one, schools take turns, and the fifth of one at once is refused (B944, B947)', async () => {
  let [running, most] = [0, 0];
  // Only their order counts: each process ends as soon as it has begun.
  const count = (message: unknown) => {
    const { process: reader } = message as { process: ChildProcess };
    running += 1;
    most = Math.max(most, running);
    reader.once('spawn', () => process.kill(Number(reader.pid), 'SIGKILL'));
    reader.once('exit', () => (running -= 1));
  };
  subscribe('child_process', count);
  onTestFinished(() => void unsubscribe('child_process', count));
  const file = await workbookOf(sheetOf(['Tail number', 'Make'], ['N512FL', 'Cessna']));
  const order: number[] = [];
  const read = (reader: ImportFileOwner) =>
    readSheets(file, 'club.xlsx', reader).catch((error: AppError) => {
      if (error.code === 'invalid') order.push(reader.schoolId);
      else throw error;
    });
  const flood = Promise.allSettled(Array.from({ length: 6 }, () => read({ schoolId: 1 })));
  const others = [read({ schoolId: 2 }), read({ schoolId: 1, isJob: true })];
  const refused = (await flood).flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  const texts = { code: 'unavailable', message: importFileTexts.ownFilesWait, retryAfterSeconds: 10 };
  expect(refused).toMatchObject([texts, texts]);
  await Promise.all(others);
  expect(order.indexOf(2)).toBeLessThan(3);
  expect([order.length, most]).toEqual([6, 1]);
});
