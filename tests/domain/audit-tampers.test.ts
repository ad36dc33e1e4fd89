import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { sealedTextExpression } from '#db/activity-chain.ts';
import type { Member } from '#app/domain/actor.ts';
import { headsFile, noteHeads, readHeads } from '#app/domain/audit/chain-heads.server.ts';
import { mailHeads } from '#app/domain/audit/mail-heads.server.ts';
import { sealEntries, sealHash } from '#app/domain/audit/seal-entries.server.ts';
import { verifyEntries } from '#app/domain/audit/verify-entries.server.ts';
import { writeAuditEntry } from '#app/domain/audit/write-audit-entry.server.ts';
import { checkActivity } from '../../scripts/flightline/doctor/check-database.ts';
import { forge } from '#tests/support/audit.ts';
import { testDatabase } from '#tests/support/database.ts';
import { makeSchool, makeUser } from '#tests/support/school.ts';

const { db } = await testDatabase();
const folder = await mkdtemp(path.join(tmpdir(), 'heads-'));
afterAll(() => rm(folder, { recursive: true }));
const file = headsFile(folder);

let admin: Member;
let ids: number[];
beforeEach(async () => {
  await rm(file, { force: true });
  admin = await makeUser(db, await makeSchool(db), 'administrator');
  for (let n = 0; n < 8; n += 1) await write(n);
  await noteHeads(db, file, await sealEntries(db));
  const entries = db.selectFrom('audit_entries').select('id').where('school_id', '=', admin.schoolId).orderBy('id');
  ids = (await entries.execute()).map(({ id }) => id);
});

function write(n: number) {
  const after = { email: `${n}@school.example`, role: 'student' };
  const entry = { action: 'added user', subject: 'user', subjectId: admin.id, after } as const;
  return db.transaction().execute((trx) => writeAuditEntry(trx, admin, entry));
}

/** Makes the seals of all that is left anew, as whoever has the code can. */
async function hashAnew(): Promise<void> {
  const left = db.selectFrom('audit_entries').select(['id', sealedTextExpression.as('text')]);
  const rows = await left.where('school_id', '=', admin.schoolId).orderBy('id').execute();
  const seals: string[] = [];
  let previous = '';
  for (const [index, { id, text }] of rows.entries()) {
    const hash = sealHash(previous, text);
    seals.push(`(${admin.schoolId}, ${index + 1}, ${id}, '${previous}', '${hash}')`);
    previous = hash;
  }
  await forge(
    db,
    `delete from audit_seals where chain = ${admin.schoolId}`,
    `insert into audit_seals (chain, position, entry_id, previous_hash, hash) values ${seals.join(', ')}`,
  );
}

async function remove(...gone: (number | undefined)[]): Promise<void> {
  const list = `(${gone.join(', ')})`;
  await forge(
    db,
    `delete from audit_emails where entry_id in ${list}`,
    `delete from audit_seals where entry_id in ${list}`,
    `delete from audit_entries where id in ${list}`,
  );
}

const change = (set: string, nth: number) => forge(db, `update audit_entries set ${set} where id = ${ids[nth]}`);

const TAMPERS: [what: string, tamper: () => Promise<void>][] = [
  ['the end was cut off', () => remove(...ids.slice(-3))],
  [
    'the end was cut off, and events came after it',
    async () => {
      await remove(...ids.slice(-3));
      for (let n = 0; n < 5; n += 1) await write(n);
      const lost = await noteHeads(db, file, await sealEntries(db));
      expect(lost.map(({ chain }) => chain)).toEqual([admin.schoolId]);
    },
  ],
  ['one was removed from the middle', () => remove(ids[3])],
  ['one was removed from the middle, and the rest hashed anew', () => remove(ids[3]).then(hashAnew)],
  ['everything was hashed anew after a change', () => change("action = 'signed out'", 2).then(hashAnew)],
  ['a row was changed', () => change('user_id = null', 4)],
  ['an address was deleted', () => forge(db, `delete from audit_emails where entry_id = ${ids[5]}`)],
  ['an address was changed', () => forge(db, `update audit_emails set email = 'a@b.c' where entry_id = ${ids[5]}`)],
  ['all of the school was deleted', () => remove(...ids)],
  [
    'an event was moved to where no school sees it',
    async () => {
      await change('school_id = null', 6);
      await forge(db, `delete from audit_seals where entry_id = ${ids[6]}`);
      await hashAnew();
    },
  ],
];

describe('of ten ways to change the activity by who has the database', () => {
  it.each(TAMPERS)('it is found that %s (B1294)', async (_, tamper) => {
    const untouched = await verifyEntries(db, await readHeads(file));
    expect(untouched.flatMap(({ broken }) => broken ?? [])).toEqual([]);
    await tamper();
    const chains = await verifyEntries(db, await readHeads(file));
    expect(chains.filter(({ broken }) => broken).map(({ schoolId }) => schoolId)).toEqual([admin.schoolId]);
    await repair();
  });
});

/** Ends the chain, so that the next one is alone. */
async function repair(): Promise<void> {
  await forge(db, 'delete from audit_emails', 'delete from audit_seals', 'delete from audit_entries');
}

it('the doctor compares the ends with those that were noted, and later ones are as good (B1294)', async () => {
  expect(await checkActivity(db, await readHeads(file))).toMatchObject({ level: 'ok' });
  await write(9);
  await sealEntries(db);
  expect(await checkActivity(db, await readHeads(file))).toMatchObject({ level: 'ok' });
  await remove(...ids.slice(-2));
  expect(await checkActivity(db, await readHeads(file))).toMatchObject({ level: 'FAULT', about: 'activity' });
  await repair();
});

it('the end of the chain is mailed to the administrators once in a week in which anything happened (B1294)', async () => {
  const mails = () =>
    db.selectFrom('mail_outbox').select('body_text').where('school_id', '=', admin.schoolId).execute();
  await mailHeads(db);
  expect(await mails()).toEqual([]);
  await change("created_at = now() - interval '8 days'", 0);
  await mailHeads(db);
  await mailHeads(db);
  const [head] = await readHeads(file);
  expect((await mails()).map(({ body_text }) => body_text)).toEqual([
    expect.stringContaining(`${admin.schoolId}:${head?.position}:${head?.hash}`),
  ]);
  await forge(
    db,
    `update audit_entries set created_at = now() - interval '9 days' where school_id = ${admin.schoolId}`,
  );
  await mailHeads(db);
  expect(await mails()).toHaveLength(1);
  await repair();
});
