import { readdirSync, readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { Db } from '#db/connect.server.ts';
import type { Role } from '#db/roles.ts';
import type { Member } from '#app/domain/actor.ts';
import { saveDraft } from '#app/domain/drafts.server.ts';
import { CHECK_OUT_DRAFT_KEY } from '#app/domain/flights/start-flight.server.ts';
import { recordExport } from '#app/domain/audit/record-export.server.ts';
import { sendInvitation } from '#app/domain/invitations/change-invitation.server.ts';
import { stopEngine } from '#app/domain/meters/engine.server.ts';
import { stopTesseract } from '#app/domain/meters/tesseract.server.ts';
import { findFault } from '#db/doctor/find-faults.ts';
import { RECORD_RULES } from '#db/doctor/rules/record.ts';
import { MISSING_EVENT_RULES } from '#db/doctor/rules/missing-events.ts';
import { emptyTables, testDatabase } from '#tests/support/database.ts';
import { whileOpen } from '#tests/support/faults.ts';
import { moduleOf } from '#tests/support/operation-case.ts';
import { operationCases } from '#tests/support/operation-cases.ts';
import { makeSchool, makeUser } from '#tests/support/school.ts';
import { storedRows } from '#tests/support/stored-rows.ts';

const { db } = await testDatabase();
const OPERATIONS = operationCases(db);
const RUNS = /\b(run|findAndRun)Operation\(/;
afterAll(() => Promise.all([stopEngine(), stopTesseract()]));

/** Of these a user has one, or means all. */
const ONE_EACH = [
  'flights/end-flight to complete',
  'people/second-factor/change-second-factor to remove one',
  'people/second-factor/change-second-factor to replace the codes',
  'people/end-sessions to end all',
  'archive/waiting-archive to say who the administrator is',
];

describe('each operation (C33)', () => {
  // Every row is read for each of them.
  beforeEach(() => emptyTables(db));

  it.each(OPERATIONS)(
    '$name refuses an actor who was demoted or deleted, and changes its own rows alone (B999, B1522, C13, C26, C33)',
    async ({ name, role, demoted, isAlone, prepare }) => {
      // A stranger, a colleague and the actor have what the operation needs, too.
      const stranger = await newActor(role);
      const refused = await prepare(stranger);
      const strangers = await allRows();
      const actor = await newActor(role);
      const operation = await prepare(actor);
      const own = new Set(await allRows());
      if (!isAlone) await prepare(await makeUser(db, actor.schoolId, role));
      if (!ONE_EACH.includes(name)) await prepare(actor);
      const before = await allRows();
      const untold = await namedUntold();
      await operation(actor, 'key');
      const after = await allRows();
      expect(after).not.toEqual(before);
      const left = new Set(after);
      // The school is its own and the owner's.
      const owned = before.filter((row) => !own.has(row) && !row.startsWith('schools '));
      expect([...strangers, ...owned].filter((row) => !left.has(row))).toEqual([]);
      // What it changed is as the activity says, however it got there.
      for (const [rule, asked] of Object.entries(RECORD_RULES))
        expect(await findFault(db, rule, asked)).toBeUndefined();
      expect(untold).toEqual(expect.arrayContaining(await namedUntold()));

      await db.updateTable('users').set({ role: 'student' }).where('id', '=', stranger.id).execute();
      if (demoted === 'forbidden') await expectRefused(() => refused(stranger, 'key'), 'forbidden');
      await deleteRow(stranger);
      await expectRefused(() => refused(stranger, 'key'), 'unauthorized');
    },
  );
});

describe('the proof of the actor (C33)', () => {
  it('a transaction refuses an actor who belongs to another school now (C20)', async () => {
    const actor = await newActor('administrator');
    await sql`update users set school_id = ${await makeSchool(db)} where id = ${actor.id}`.execute(db);
    await expectRefused(() => recordExport(db, actor, 'exported flight logs', {}), 'forbidden');
  });

  it('only a live actor with the role gets the stored response of a request (C58)', async () => {
    const actor = await newActor('administrator');
    const send = () => sendInvitation(db, actor, { name: 'Ida', email: 'ida@b.example', role: 'student' }, 'same-key');
    const first = await send();
    expect(await send()).toEqual(first);
    await db.updateTable('users').set({ role: 'student' }).where('id', '=', actor.id).execute();
    await expectRefused(send, 'forbidden');
    await deleteRow(actor);
    await expectRefused(send, 'unauthorized');
  });

  it('a transaction waits for a deletion of its actor that is about to commit (C13)', async () => {
    const actor = await newActor('administrator');
    const write = () => recordExport(db, actor, 'exported flight logs', {});
    const attempt = whileOpen(db, (trx) => deleteRow(actor, trx), write);
    await expect(attempt).rejects.toMatchObject({ code: 'unauthorized' });
  });

  it('no operation can leave out the proof of its actor (C33)', () => {
    const using = (call: RegExp) =>
      readdirSync('app/domain', { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts') && call.test(readFileSync(`app/domain/${file}`, 'utf8')))
        .map((file) => file.replace('.server.ts', ''))
        .toSorted();
    const running = using(RUNS).filter((file) => file !== 'run-operation');
    const operations = OPERATIONS.map(moduleOf);
    expect(running).toEqual([...new Set(operations)].toSorted());
    for (const module of running) {
      const source = readFileSync(`app/domain/${module}.server.ts`, 'utf8');
      const calls = source.matchAll(new RegExp(RUNS, 'g'));
      const cases = operations.filter((each) => each === module).length;
      expect({ module, isEachTried: cases >= [...calls].length }).toEqual({ module, isEachTried: true });
    }
    expect(using(/\brunLinkOperation\(/)).toEqual(['invitations/accept-invitation', 'people/reset-password']);
    // Events, requested links, sign-ins, the operator's commands, the clean-up, the weekly mail and the removal of schools have no actor.
    const audit = ['alerts', 'check-record', 'event-recorder', 'mail-heads', 'remove-old-entries', 'seal-entries'];
    expect(using(/\binTransaction\(|\.transaction\(\)/)).toEqual([
      'archive/import-school',
      ...audit.map((name) => `audit/${name}`),
      'drafts',
      // On the server nobody is signed in; a job finds out anew who asked.
      'imports/run-import',
      'inspections/mail-overdue',
      'people/operator-passwords',
      'people/passkeys/verify-passkey',
      'people/remove-deleted-emails',
      'people/reset-password',
      'people/second-factor/second-factors',
      'people/sign-in',
      'run-operation',
      'school/create-school',
      'school/remove-schools',
      'times/mail-reminders',
    ]);
  });

  it('a draft of a user who was deleted meanwhile is not stored (C56)', async () => {
    const actor = await newActor('student');
    await saveDraft(db, actor, CHECK_OUT_DRAFT_KEY, [['aircraftId', '7']]);
    await deleteRow(actor);
    await db.deleteFrom('drafts').execute();
    await expectRefused(() => saveDraft(db, actor, CHECK_OUT_DRAFT_KEY, [['aircraftId', '8']]), 'unauthorized');
    expect(await db.selectFrom('drafts').selectAll().execute()).toEqual([]);
  });
});

async function newActor(role: Role): Promise<Member> {
  return makeUser(db, await makeSchool(db), role);
}

async function deleteRow({ id }: Member, inside: Db = db): Promise<void> {
  await inside.updateTable('users').set({ deleted_at: new Date(), password_hash: null }).where('id', '=', id).execute();
}

/** Each with its table. */
async function allRows(): Promise<string[]> {
  return Object.entries(await storedRows(db)).flatMap(([table, rows]) => rows.map((row) => `${table} ${row}`));
}

async function expectRefused(operation: () => Promise<object | void>, code: string): Promise<void> {
  const before = await storedRows(db);
  await expect(operation()).rejects.toMatchObject({ code });
  expect(await storedRows(db)).toEqual(before);
}

/** What no event tells of: what a test has put there. */
async function namedUntold(): Promise<string[]> {
  const found = Object.values(MISSING_EVENT_RULES).map(({ query }) =>
    sql<{ subject: string; detail: string }>`${sql.raw(query)}`.execute(db),
  );
  return (await Promise.all(found)).flatMap(({ rows }) => rows.map(({ subject, detail }) => `${subject}: ${detail}`));
}
