import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { AppError } from '#app/domain/app-error.ts';
import { IMPORT_KINDS } from '#app/domain/imports/records.ts';
import { rowsOf } from '#tests/support/imports/read.ts';
import { fc } from '#tests/support/properties.ts';
import { nightly } from '#tests/support/takes-all.ts';

const FOLDER = 'tests/fixtures/imports';
const FILES = readdirSync(FOLDER)
  .filter((name) => name.includes('.'))
  .map((name) => ({ name, content: readFileSync(`${FOLDER}/${name}`) }));
/** A workbook takes a process of its own. */
const WORKBOOKS = FILES.filter(({ name }) => name.endsWith('.xlsx'));
const TEXTS = FILES.filter(({ name }) => !name.endsWith('.xlsx'));
const SIGNS = [...'"\n\r,;\t\0\ufeff=\'<é\x80', '9'.repeat(40), ','.repeat(300)];

const mutation = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.nat({ max: 40 }),
  put: fc.oneof(fc.constantFrom(...SIGNS), fc.string({ maxLength: 8 })),
});

function mutated(content: Buffer, mutations: { at: number; length: number; put: string }[]): Buffer {
  return mutations.reduce((bytes, { at, length, put }) => {
    const start = Math.floor(at * bytes.length);
    return Buffer.concat([bytes.subarray(0, start), Buffer.from(put), bytes.subarray(start + length)]);
  }, content);
}

/** Read, or refused in words: nothing else may come of a file. */
async function isAnswered(files: typeof FILES, numRuns: number) {
  const tried = fc.tuple(
    fc.constantFrom(...files),
    fc.constantFrom(...IMPORT_KINDS),
    fc.array(mutation, { minLength: 1, maxLength: 6 }),
  );
  await fc.assert(
    fc.asyncProperty(tried, async ([{ name, content }, kind, mutations]) => {
      const words = await rowsOf({ content: mutated(content, mutations), name }, kind).then(
        ({ problems }) => problems,
        (error: unknown) => {
          if (error instanceof AppError && ['invalid', 'tooLarge'].includes(error.code)) return [error.message];
          throw error;
        },
      );
      expect(words.filter((text) => text.trim() === '')).toEqual([]);
    }),
    { numRuns },
  );
}

nightly(
  'ten thousand files with bytes changed at random are read or refused in words, none ends a process (B1324)',
  () => isAnswered(TEXTS, 10_000),
);

nightly('workbooks with bytes changed at random are read or refused in words, none ends a process (B1324)', () =>
  isAnswered(WORKBOOKS, 200),
);
