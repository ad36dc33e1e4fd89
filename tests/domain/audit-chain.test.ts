import { sql } from 'kysely';
import { beforeEach, expect, it } from 'vitest';
import type { Db, Trx } from '#db/connect.server.ts';
import { sealedTextExpression } from '#db/activity-chain.ts';
import { cleanUp } from '#app/background/recurring-jobs.server.ts';
import type { Member } from '#app/domain/actor.ts';
import { sealEntries, sealHash } from '#app/domain/audit/seal-entries.server.ts';
import { verifyChain, verifyEntries } from '#app/domain/audit/verify-entries.server.ts';
import { writeAuditEntry } from '#app/domain/audit/write-audit-entry.server.ts';
import { SEAL_BATCH_ENTRIES, SEAL_LOOKBACK_ENTRIES } from '#app/limits.ts';
import { forge } from '#tests/support/audit.ts';
import { testDatabase } from '#tests/support/database.ts';
import { makeSchool, makeUser } from '#tests/support/school.ts';
import { nightly } from '#tests/support/takes-all.ts';
import { insert } from '#tests/support/rows.ts';

const { db } = await testDatabase();

let admin: Member;
let ids: number[];
beforeEach(async () => {
  admin = await makeUser(db, await makeSchool(db), 'administrator');
  // Without the events that say what the school's and the user's rows are.
  await forge(db, 'delete from audit_entries');
  for (let n = 0; n < 5; n += 1) await write(`${n}@school.example`);
  await sealEntries(db);
  ids = await entryIds();
});

const write = (email: string, trx?: Trx) => {
  const entry = {
    action: 'added user',
    subject: 'user',
    subjectId: admin.id,
    after: { email, role: 'student' },
  } as const;
  return trx
    ? writeAuditEntry(trx, admin, entry)
    : db.transaction().execute((own) => writeAuditEntry(own, admin, entry));
};

async function entryIds(): Promise<number[]> {
  const entries = db.selectFrom('audit_entries').select('id').where('school_id', '=', admin.schoolId).orderBy('id');
  return (await entries.execute()).map(({ id }) => id);
}

function verified(inside: Db = db) {
  return verifyChain(inside, admin.schoolId);
}

it('sealed entries are proven to their last one, and later ones are counted as not yet sealed (B464)', async () => {
  const before = await verified();
  expect(before).toMatchObject({ entries: 5, notYetSealed: 0, head: { position: 5 } });
  expect(before?.broken).toBeUndefined();
  await write('late@school.example');
  expect(await verified()).toMatchObject({ entries: 5, notYetSealed: 1, head: before?.head });
  const [head] = await sealEntries(db);
  expect(head).toMatchObject({ chain: admin.schoolId, position: 6 });
  expect(await verified()).toMatchObject({ entries: 6, notYetSealed: 0, head: { hash: head?.hash } });
});

it('an entry with a changed column, whichever, is the first one named as broken (B464)', async () => {
  const changes = [
    'school_id = null',
    'user_id = null',
    "created_at = created_at - interval '1 millisecond'",
    "action = 'deleted user'",
    "subject = 'aircraft'",
    'subject_id = 1 + subject_id',
    `before = '{"role": "administrator"}'`,
    `after = '{"role": "administrator"}'`,
    "reason = 'forged'",
    "outcome = 'refused'",
    'times = 2',
    "address = '192.0.2.1'",
    "request_id = 'forged'",
    'email_digest = null',
  ];
  const undone = new Error('undone');
  for (const change of changes) {
    const forging = db.transaction().execute(async (trx) => {
      await sql`set local session_replication_role = replica`.execute(trx);
      await sql.raw(`update audit_entries set ${change} where id in (${ids[2]}, ${ids[4]})`).execute(trx);
      expect((await verified(trx)).broken, change).toEqual({ entryId: ids[2], problem: 'it was changed' });
      throw undone;
    });
    await expect(forging).rejects.toBe(undone);
  }
});

it('an entry with a changed email, deleted, or deleted with its seal is named, or the one after it (B464)', async () => {
  await forge(db, `delete from audit_entries where id = ${ids[3]}`);
  expect((await verified()).broken).toEqual({ entryId: ids[3], problem: 'it was deleted' });
  await forge(db, `delete from audit_seals where entry_id = ${ids[3]}`);
  expect((await verified()).broken).toEqual({ entryId: ids[4], problem: 'entries before it are missing' });
  await forge(db, `update audit_emails set email = 'forged@b.example' where entry_id = ${ids[1]}`);
  expect((await verified()).broken).toEqual({ entryId: ids[1], problem: 'its email was changed' });
  const gone = `= ${ids[0]}`;
  await forge(db, `delete from audit_seals where entry_id ${gone}`, `delete from audit_entries where id ${gone}`);
  expect((await verified()).broken).toEqual({ entryId: ids[1], problem: 'entries before it are missing' });
});

it('the emails of entries can be removed with a deleted user’s, and the chain is proven without them (B468)', async () => {
  const gone = await makeUser(db, admin.schoolId);
  await db.updateTable('users').set({ deleted_at: new Date(), email: '' }).where('id', '=', gone.id).execute();
  await db.deleteFrom('audit_emails').where('entry_id', 'in', ids).execute();
  expect(await verified()).toMatchObject({ entries: 5, head: { position: 5 } });
  const stored = await db.selectFrom('audit_entries').selectAll().where('id', 'in', ids).execute();
  expect(JSON.stringify(stored)).not.toContain('school.example');
});

it('a seal that was made anew for a forged entry does not fit the one after it (B464)', async () => {
  await forge(
    db,
    `update audit_entries set reason = 'forged' where id = ${ids[0]}`,
    `delete from audit_seals where entry_id = ${ids[0]}`,
  );
  const hash = `'${'f'.repeat(64)}'`;
  await forge(db, `insert into audit_seals values (${admin.schoolId}, 1, ${ids[0]}, '', ${hash})`);
  expect((await verified()).broken).toEqual({ entryId: ids[0], problem: 'it was changed' });
  const { rows } = await sql<{ text: string }>`
    select ${sealedTextExpression} as text from audit_entries where id = ${ids[0]}`.execute(db);
  const fitting = sealHash('', rows[0]?.text ?? '');
  await forge(db, `update audit_seals set hash = '${fitting}' where entry_id = ${ids[0]}`);
  expect((await verified()).broken).toEqual({ entryId: ids[1], problem: 'entries before it are missing' });
  await forge(db, `update audit_seals set previous_hash = '${fitting}' where entry_id = ${ids[1]}`);
  expect((await verified()).broken).toEqual({ entryId: ids[1], problem: 'it was changed' });
});

it('two schools have chains of their own, and events of no school one, too (B464)', async () => {
  const other = await makeUser(db, await makeSchool(db), 'administrator');
  await db.transaction().execute(async (trx) => {
    await writeAuditEntry(trx, other, { action: 'exported activity', subject: 'export' });
    await writeAuditEntry(trx, { id: null, schoolId: null }, { action: 'failed to sign in', subject: 'user' });
  });
  await sealEntries(db);
  await forge(db, `update audit_entries set reason = 'forged' where school_id = ${other.schoolId}`);
  const chains = await verifyEntries(db);
  expect(chains.find(({ schoolId }) => schoolId === other.schoolId)?.broken).toBeDefined();
  expect(chains.find(({ schoolId }) => schoolId === null)).toMatchObject({ head: {}, notYetSealed: 0 });
  expect((await verified()).broken).toBeUndefined();
});

it('an entry that is committed after later ones is sealed after them, by the clean-up where many were (B464)', async () => {
  for (const isOvertaken of [false, true]) {
    const before = (await verified()).entries;
    const late = await db.startTransaction().execute();
    await write('slow@school.example', late);
    // By the ids of a school that moved in.
    if (isOvertaken)
      await sql`select setval('audit_entries_id_seq', max(id) + ${SEAL_LOOKBACK_ENTRIES}::integer) from audit_entries`.execute(
        db,
      );
    await write('quick@school.example');
    await sealEntries(db);
    expect(await verified()).toMatchObject({ entries: before + 1 });
    await late.commit().execute();
    await sealEntries(db);
    expect(await verified()).toMatchObject({ notYetSealed: isOvertaken ? 1 : 0 });
    await cleanUp(db);
    expect(await verified()).toMatchObject({ entries: before + 2, notYetSealed: 0 });
  }
});

it('processes that seal at the same time leave one chain (B464)', async () => {
  const entry = { school_id: admin.schoolId, action: 'signed in', subject: 'user' };
  for (let round = 0; round < 3; round += 1) {
    await insert(db, 'audit_entries', ...Array.from({ length: 50 }, () => entry));
    await Promise.all([1, 2, 3, 4].map(() => sealEntries(db)));
  }
  await sealEntries(db);
  expect(await verified()).toMatchObject({ entries: 155, notYetSealed: 0 });
});

nightly('more entries than one batch are sealed in one go (B464)', async () => {
  const entry = { school_id: admin.schoolId, action: 'signed in', subject: 'user' };
  await insert(db, 'audit_entries', ...Array.from({ length: SEAL_BATCH_ENTRIES + 1 }, () => entry));
  await sealEntries(db);
  expect(await verified()).toMatchObject({ entries: SEAL_BATCH_ENTRIES + 6, notYetSealed: 0 });
});
