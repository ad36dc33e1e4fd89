import { sql } from 'kysely';
import { expect, it } from 'vitest';
import type { NewRow } from '#db/tables.ts';
import type { Member } from '#app/domain/actor.ts';
import { removeOldEntries } from '#app/domain/audit/remove-old-entries.server.ts';
import { sealEntries } from '#app/domain/audit/seal-entries.server.ts';
import { verifyEntries } from '#app/domain/audit/verify-entries.server.ts';
import { saveSchool } from '#app/domain/school/save-school.server.ts';
import { findFaults } from '#db/doctor/find-faults.ts';
import { testDatabase } from '#tests/support/database.ts';
import { insert } from '#tests/support/rows.ts';
import { makeSchool, makeUser } from '#tests/support/school.ts';

const { db } = await testDatabase();

let admin: Member;

async function verified() {
  return (await verifyEntries(db)).find(({ schoolId }) => schoolId === admin.schoolId);
}

/** A chain whose first entries are this many days old. */
async function chainOf(...days: number[]): Promise<void> {
  admin = await db.transaction().execute(async (trx) => {
    await sql`select set_config('flightline.unrecorded', 'on', true)`.execute(trx);
    return makeUser(trx, await makeSchool(trx), 'administrator');
  });
  const entry = { school_id: admin.schoolId, user_id: admin.id, action: 'signed in', subject: 'user' };
  for (const age of days) {
    await insert(db, 'audit_entries', { ...entry, created_at: new Date(Date.now() - age * 86_400_000) });
  }
  await sealEntries(db);
}
const keep = (days: number) =>
  db.updateTable('schools').set({ activity_kept_days: days }).where('id', '=', admin.schoolId).execute();
/** As an administrator does. */
const save = async (days: number) => {
  const address = { name: 'Cascade', address: '1 Field Road', phone: '555 0100' };
  await saveSchool(db, admin, { ...address, activityKeptDays: days });
};
/** Ten years by an act of the school, and 90 days by hand. */
const keepLong = async () => {
  await chainOf(800, 1);
  await save(3650);
  await keep(90);
};
const bring = ({ after, ...event }: Omit<NewRow<'audit_entries'>, 'after'> & { after: unknown }) =>
  insert(db, 'audit_entries', { school_id: admin.schoolId, ...event, after: JSON.stringify(after) });
const keptDays = async () => {
  const { rows } = await sql<{ days: number }>`select kept_days_of(${admin.schoolId}::integer) as days`.execute(db);
  return rows[0]?.days;
};
const actions = async () => {
  const entries = db.selectFrom('audit_entries').select(['action', 'after']).where('school_id', '=', admin.schoolId);
  return (await entries.orderBy('id').execute()).map(({ action, after }) => [action, after]);
};

it('what is older than the school keeps it is deleted, and the chain is proven from there on (B465)', async () => {
  await chainOf(800, 731, 729, 1);
  await removeOldEntries(db);
  const hash = expect.stringMatching(/^[\da-f]{64}$/);
  const removed = ['removed old activity', { entries: 2, position: 2, hash, activityKeptDays: 730 }];
  expect(await actions()).toEqual([['signed in', null], ['signed in', null], removed]);
  expect(await verified()).toMatchObject({ entries: 2, notYetSealed: 1, head: { position: 4 } });
  expect((await verified())?.broken).toBeUndefined();
  await sealEntries(db);
  await removeOldEntries(db);
  expect(await actions()).toHaveLength(3);
  await save(90);
  await removeOldEntries(db);
  expect((await actions()).map(([, after]) => after)).toMatchObject([
    null,
    { entries: 2 },
    { activityKeptDays: 90 },
    { entries: 1, position: 3, activityKeptDays: 90 },
  ]);
  await sealEntries(db);
  expect(await verified()).toMatchObject({ entries: 4, notYetSealed: 0 });
  expect((await verified())?.broken).toBeUndefined();
});

it('fewer days that were set by hand remove nothing, and the doctor names them (B1455)', async () => {
  await chainOf(800, 400, 1);
  await keep(90);
  await removeOldEntries(db);
  expect(await actions()).toMatchObject([
    ['signed in', null],
    ['signed in', null],
    ['removed old activity', { entries: 1, activityKeptDays: 730 }],
  ]);
  const faults = await findFaults(db);
  expect(faults.filter(({ rule }) => rule === 'activity_kept_shorter')).toMatchObject([
    { rows: 1, named: [expect.stringContaining('keeps its activity for 90 days, and its events say 730')] },
  ]);
  await save(90);
  await removeOldEntries(db);
  expect((await actions()).map(([action]) => action)).toEqual([
    ...['signed in', 'removed old activity', 'saved school settings', 'removed old activity'],
  ]);
  expect((await findFaults(db)).map(({ rule }) => rule)).not.toContain('activity_kept_shorter');
});

it('days of an event that only looks like an act of the school change nothing (B1444, B1455, B1524)', async () => {
  await keepLong();
  const school = admin.schoolId;
  const act = { action: 'saved school settings', subject: 'school', after: { activityKeptDays: 90 } };
  await bring({ ...act, outcome: 'refused' });
  await bring({ ...act, subject: 'user' });
  await bring({ ...act, subject_id: school + 1 });
  await bring({ ...act, after: ['activityKeptDays'] });
  for (const activityKeptDays of ['many', '90', [90], { days: 90 }, true, null, -1e300, 1e300, 89, 3651])
    await bring({ ...act, after: { activityKeptDays } });
  expect(await keptDays()).toBe(3650);
  // A file's events come before the event of its import.
  await bring(act);
  await bring({ ...act, action: 'imported school', subject_id: school, after: { keptIds: true } });
  expect(await keptDays()).toBe(730);
  await removeOldEntries(db);
  expect(await actions()).toContainEqual(['removed old activity', expect.objectContaining({ entries: 1 })]);
  expect((await findFaults(db)).map(({ rule }) => rule)).toContain('activity_kept_shorter');
});

it('an old entry sealed after a young one stays until that goes; what is of no school goes, too (B465)', async () => {
  await chainOf(1, 800);
  await removeOldEntries(db);
  expect(await actions()).toHaveLength(2);
  await chainOf(800, 1, 800);
  await removeOldEntries(db);
  expect((await actions()).map(([, after]) => after)).toMatchObject([null, null, { entries: 1, position: 1 }]);
  // Two years are those of what belongs to no school, too.
  const created_at = new Date(Date.now() - 731 * 86_400_000);
  const ofNobody = { school_id: null, user_id: null, action: 'failed to sign in', subject: 'user' };
  await insert(db, 'audit_entries', { ...ofNobody, created_at });
  await sealEntries(db);
  await removeOldEntries(db);
  const left = db.selectFrom('audit_entries').select('action').where('school_id', 'is', null);
  expect(await left.execute()).toEqual([{ action: 'removed old activity' }]);
});

it('processes that clean up at the same time delete and record once (B465)', async () => {
  await chainOf(800, 800, 1);
  await Promise.all([1, 2, 3].map(() => removeOldEntries(db)));
  expect(await actions()).toHaveLength(2);
  expect((await verified())?.broken).toBeUndefined();
});

it('nobody deletes what is not old yet, and no school keeps less than 90 days (B465)', async () => {
  await chainOf(800, 91, 89);
  await keep(90);
  await sql`delete from audit_entries where created_at < now() - interval '2160 hours'`.execute(db);
  await expect(db.deleteFrom('audit_entries').where('school_id', '=', admin.schoolId).execute()).rejects.toThrow(
    'rows of audit_entries are only added',
  );
  for (const days of [89, 3651]) await expect(keep(days)).rejects.toThrow('schools_activity_kept_days_known');
});
