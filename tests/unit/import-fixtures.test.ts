import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { FIXTURES } from '#tests/support/imports/fixtures.ts';
import { readingOf, rowsOf } from '#tests/support/imports/read.ts';

it.each(FIXTURES)('the file of another product is read as it is meant: $fileName (B812, B926)', async (fixture) => {
  const { fileName, kind, columns, formats, timeZone, rows, first, problems } = fixture;
  const file = { content: readFileSync(`tests/fixtures/imports/${fileName}`), name: fileName };
  const reading = await readingOf(file, null);
  expect(reading.kind).toBe(kind);
  expect(Object.fromEntries(reading.columns.map(({ heading, field }) => [heading, field ?? '']))).toEqual(columns);
  const open = reading.questions.map(({ name }) => name);
  const answers = Object.fromEntries(
    (['dates', 'decimals'] as const).filter((name) => open.includes(name)).map((name) => [name, formats[name]]),
  );
  const answered = await readingOf(file, kind, answers);
  expect(answered.questions.map(({ name }) => name)).toEqual(open.filter((name) => !(name in answers)));
  const read = await rowsOf(file, kind, answers, timeZone);
  expect(read.records.map(({ row }) => row)).toEqual(rows);
  expect(read.records[0]).toMatchObject(first);
  expect(read.problems).toEqual(problems.map((text) => expect.stringMatching(text)));
});
