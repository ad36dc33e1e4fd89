import { afterAll, beforeEach, expect, it } from 'vitest';
import { stopEngine } from '#app/domain/meters/engine.server.ts';
import { stopTesseract } from '#app/domain/meters/tesseract.server.ts';
import { findFaults } from '#db/doctor/find-faults.ts';
import { RECORD } from '#db/doctor/rules/record.ts';
import { emptyTables, testDatabase } from '#tests/support/database.ts';
import { nameOfCase, operationCases } from '#tests/support/operation-cases.ts';
import { makeSchool, makeUser } from '#tests/support/school.ts';
import { storedRows } from '#tests/support/stored-rows.ts';

const { db } = await testDatabase();
const OPERATIONS = operationCases(db);
// Every row is read for each operation.
beforeEach(() => emptyTables(db));
afterAll(() => Promise.all([stopEngine(), stopTesseract()]));

/** Of these a user has one, or means all. */
const ONE_EACH = [
  'flights/end-flight to complete',
  'people/second-factor/change-second-factor to remove one',
  'people/second-factor/change-second-factor to replace the codes',
  'people/end-sessions to end all',
  'archive/waiting-archive to say who the administrator is',
];

it.each(OPERATIONS.map((each) => ({ ...each, name: nameOfCase(each) })))(
  '$name changes no row of another school, person or object, and the activity says what (B999, B1522, C26, C33)',
  async ({ name, role, isAlone, prepare }) => {
    // A stranger, a colleague and the actor have what the operation needs, too.
    await prepare(await makeUser(db, await makeSchool(db), role));
    const strangers = await allRows();
    const actor = await makeUser(db, await makeSchool(db), role);
    const operation = await prepare(actor);
    const own = new Set(await allRows());
    if (!isAlone) await prepare(await makeUser(db, actor.schoolId, role));
    if (!ONE_EACH.includes(name)) await prepare(actor);
    const before = await allRows();
    await operation(actor, 'key');
    const after = await allRows();
    expect(after).not.toEqual(before);
    const left = new Set(after);
    // The school is its own and the owner's.
    const owned = before.filter((row) => !own.has(row) && !row.startsWith('schools '));
    expect([...strangers, ...owned].filter((row) => !left.has(row))).toEqual([]);
    // What it changed is as the activity says, however it got there.
    expect((await findFaults(db)).filter(({ rule }) => rule in RECORD)).toEqual([]);
  },
);

/** Each with its table. */
async function allRows(): Promise<string[]> {
  return Object.entries(await storedRows(db)).flatMap(([table, rows]) => rows.map((row) => `${table} ${row}`));
}
