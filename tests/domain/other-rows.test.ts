import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { Member } from '#app/domain/actor.ts';
import { stopEngine } from '#app/domain/meters/engine.server.ts';
import { stopTesseract } from '#app/domain/meters/tesseract.server.ts';
import { emptyTables, testDatabase } from '#tests/support/database.ts';
import { nameOfCase, operationCases, type OperationCase } from '#tests/support/operation-cases.ts';
import { makeSchool, makeUser } from '#tests/support/school.ts';
import { storedRows } from '#tests/support/stored-rows.ts';

const { db } = await testDatabase();
const OPERATIONS = operationCases(db);
// Every row is read five times for each operation.
beforeEach(() => emptyTables(db));
afterAll(() => Promise.all([stopEngine(), stopTesseract()]));

/** Of these a user has one, or means all. */
const ONE_EACH = [
  'flights/complete-flight',
  'people/second-factor/remove-second-factor',
  'people/second-factor/replace-recovery-codes',
  'people/sign-out-everywhere',
];

const named = OPERATIONS.map((each) => ({ ...each, name: nameOfCase(each) }));

describe('an operation changes what it is about (B999)', () => {
  it.each(named)(
    '$name leaves every row of another school, and what another of the school has (B999)',
    async (each) => {
      await expectLeft(each, ({ schoolId }) => makeUser(db, schoolId, each.role));
    },
  );

  it.each(named.filter(({ name }) => !ONE_EACH.includes(name)))(
    '$name leaves every other row of the same kind that its user has (B999)',
    async (each) => {
      await expectLeft(each, async (actor) => actor);
    },
  );
});

/** Runs the operation where a stranger and the owner have what it needs, too. */
async function expectLeft({ role, prepare }: OperationCase, findOwner: (actor: Member) => Promise<Member>) {
  const strangers = await rowsMadeBy(async () => prepare(await makeUser(db, await makeSchool(db), role)));
  const actor = await makeUser(db, await makeSchool(db), role);
  const operation = await prepare(actor);
  const owned = await rowsMadeBy(async () => prepare(await findOwner(actor)));
  await operation(actor, 'key');
  const left = new Set(await allRows());
  // The school is its own and the owner's.
  const others = [...strangers, ...owned.filter((row) => !row.startsWith('schools '))];
  expect(others.filter((row) => !left.has(row))).toEqual([]);
}

/** Each with its table. */
async function rowsMadeBy(work: () => Promise<unknown>): Promise<string[]> {
  const before = new Set(await allRows());
  await work();
  return (await allRows()).filter((row) => !before.has(row));
}

async function allRows(): Promise<string[]> {
  return Object.entries(await storedRows(db)).flatMap(([table, rows]) => rows.map((row) => `${table} ${row}`));
}
