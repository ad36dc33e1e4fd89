import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { findFaults } from '#db/doctor/find-faults.ts';
import type { Member } from '#app/domain/actor.ts';
import { acceptInvitation } from '#app/domain/invitations/accept-invitation.server.ts';
import { recordExport } from '#app/domain/audit/record-export.server.ts';
import { sealEntries } from '#app/domain/audit/seal-entries.server.ts';
import { verifyEntries } from '#app/domain/audit/verify-entries.server.ts';
import { askForSchoolRemoval, callOffSchoolRemoval } from '#app/domain/school/school-removal.server.ts';
import { removeDueSchools, removeSchool } from '#app/domain/school/remove-schools.server.ts';
import { findSessionUser } from '#app/server/session/session.server.ts';
import { EXPORT_BEFORE_REMOVAL_HOURS, SCHOOL_REMOVAL_DAYS } from '#app/limits.ts';
import { insertAccessToken } from '#tests/support/access-tokens.ts';
import { makeFullSchool } from '#tests/support/archive/full-school.ts';
import { emptyTables, testDatabase } from '#tests/support/database.ts';
import { makeInvitation } from '#tests/support/invitation.ts';
import { insertPasskey } from '#tests/support/passkey-rows.ts';
import { cookieOf, getRequest } from '#tests/support/requests.ts';
import { insert } from '#tests/support/rows.ts';
import { makeSchool, makeUser } from '#tests/support/school.ts';
import { makeMarkedSchool } from '#tests/support/second-school/second-school.ts';
import { storedRows } from '#tests/support/stored-rows.ts';
import { nightly } from '#tests/support/takes-all.ts';

const { db } = await testDatabase();
const NAME = 'Cascade Flight School';

let admin: Member;
beforeEach(async () => {
  await emptyTables(db);
  admin = await makeFullSchool(db);
  await db.updateTable('schools').set({ name: NAME }).where('id', '=', admin.schoolId).execute();
});

const exportNow = () => recordExport(db, admin, 'exported everything', {});
const ask = (schoolName = NAME) => askForSchoolRemoval(db, admin, { schoolName });
const dueAt = async () =>
  (await db.selectFrom('schools').select('removal_due_at as due').where('id', '=', admin.schoolId).executeTakeFirst())
    ?.due;
const past = { removal_due_at: new Date(Date.now() - 1000) };
const makeDue = () => db.updateTable('schools').set(past).where('id', '=', admin.schoolId).execute();
const mails = () =>
  db
    .selectFrom('mail_outbox')
    .where('subject', 'not like', '% exported everything')
    .select(['to_address', 'subject'])
    .where('school_id', '=', admin.schoolId)
    .orderBy('id')
    .execute();

describe('an administrator asks for the deletion of the school', () => {
  it('only by the name of the school within a day after an export of everything by an administrator (B850)', async () => {
    await expect(ask()).rejects.toMatchObject({ code: 'conflict' });
    const other = await makeUser(db, admin.schoolId, 'administrator');
    await recordExport(db, other, 'exported everything', {});
    await age('exported everything', EXPORT_BEFORE_REMOVAL_HOURS * 60 + 1);
    await expect(ask()).rejects.toMatchObject({ code: 'conflict' });
    expect(await dueAt()).toBeNull();
    await recordExport(db, other, 'exported flight logs', {});
    await expect(ask()).rejects.toMatchObject({ code: 'conflict' });
    await recordExport(db, other, 'exported everything', {});
    await expect(ask('Cascade')).rejects.toMatchObject({ code: 'invalid', fields: { schoolName: expect.anything() } });
    const pilot = await makeUser(db, admin.schoolId, 'instructor');
    await expect(askForSchoolRemoval(db, pilot, { schoolName: NAME })).rejects.toMatchObject({ code: 'forbidden' });
    expect(await dueAt()).toBeNull();
    await ask();
    const days = ((await dueAt())?.getTime() ?? 0) - Date.now();
    expect(days / 86_400_000).toBeCloseTo(SCHOOL_REMOVAL_DAYS, 1);
  });

  it('every administrator gets a mail, and any of them calls it off, which all learn, too (B851)', async () => {
    const other = await makeUser(db, admin.schoolId, 'administrator');
    await makeUser(db, admin.schoolId, 'student');
    await exportNow();
    await ask();
    const toBoth = (subject: string) => [admin, other].map(({ email }) => ({ to_address: email, subject }));
    expect(await mails()).toEqual(toBoth(`${NAME} is to be deleted`));
    await callOffSchoolRemoval(db, other);
    expect(await dueAt()).toBeNull();
    expect((await mails()).slice(2)).toEqual(toBoth(`${NAME} is kept`));
    await expect(callOffSchoolRemoval(db, admin)).rejects.toMatchObject({ code: 'conflict' });
    const pilot = await makeUser(db, admin.schoolId, 'student');
    await expect(callOffSchoolRemoval(db, pilot)).rejects.toMatchObject({ code: 'forbidden' });
  });
});

describe('when the days are over', () => {
  it('nothing is removed before, nor after it was called off (B852)', async () => {
    await exportNow();
    await ask();
    const before = await storedRows(db);
    await removeDueSchools(db);
    expect(await storedRows(db)).toEqual(before);
    await makeDue();
    await callOffSchoolRemoval(db, admin);
    await removeDueSchools(db);
    expect((await storedRows(db)).flight_logs).toEqual(before.flight_logs);
  });

  it('everything of the school goes but the hashes of its events; another school keeps every row (B852)', async () => {
    const {
      school: [other = 0],
    } = await makeMarkedSchool(db);
    await insertPasskey(db, admin, { name: 'Key' });
    await insertAccessToken(db, admin, { name: 'Books' });
    const cookie = await cookieOf(db, admin);
    await insert(db, 'idempotency_keys', {
      scope: `user:${admin.id}`,
      key: 'k',
      operation: 'o',
      request_hash: 'h',
      response: '{}',
    });
    await exportNow();
    await ask();
    await makeDue();
    await sealEntries(db);
    const seals = (await storedRows(db)).audit_seals;
    const before = await rowsOfOther(other);
    await removeDueSchools(db);
    const after = await storedRows(db);
    expect(after.audit_seals).toEqual(expect.arrayContaining(seals ?? []));
    expect(await rowsOfOther(other)).toEqual(before);
    const words = /cascade|admin@|N512|ann@school|zoe@|misread|=1\+1|user:1"/i;
    for (const [table, rows] of Object.entries(after))
      for (const row of rows) expect({ table, row: words.exec(row)?.[0] }).toEqual({ table, row: undefined });
    expect(after.schools?.length).toBe(1);
    expect(await findSessionUser(db, getRequest('/', cookie))).toBeUndefined();
    const [removed] = await db.selectFrom('removed_schools').selectAll().execute();
    expect(removed).toMatchObject({ school_id: admin.schoolId, ended_at: expect.any(Date) });
  });

  it('an invitation lets nobody in from its first step on, so that it comes to its end (B1660)', async () => {
    const { token } = await makeInvitation(db, admin);
    await makeDue();
    const removal = removeSchool(db, admin.schoolId);
    await removal.next();
    const joining = acceptInvitation(db, token, { username: 'late', password: 'gull over marsh 9' });
    await expect(joining).rejects.toMatchObject({ code: 'notFound' });
    for await (const _ of removal);
    expect((await storedRows(db)).schools).toEqual([]);
  });

  nightly(
    'stopped after any step, the doctor finds nothing, nobody signs in, and the next start goes on (B853)',
    async () => {
      const cookie = await cookieOf(db, admin);
      await exportNow();
      await ask();
      await makeDue();
      let steps = 0;
      for (; ; steps += 1) {
        const walk = removeSchool(db, admin.schoolId);
        const isDone = (await walk.next()).done || (await walk.next()).done;
        await walk.return();
        expect(await findFaults(db)).toEqual([]);
        expect(await findSessionUser(db, getRequest('/', cookie))).toBeUndefined();
        if (isDone) break;
      }
      expect(steps).toBeGreaterThan(10);
      await removeDueSchools(db);
      expect((await storedRows(db)).schools).toEqual([]);
      await sealEntries(db);
      expect((await verifyEntries(db)).filter(({ broken }) => broken)).toEqual([]);
      expect(await findFaults(db)).toEqual([]);
    },
  );

  it('a school that cannot be removed is told, and holds up no other; what is left proves itself (B853, B984)', async () => {
    const other = await makeSchool(db);
    await db.updateTable('schools').set(past).execute();
    await sql`create function refuse_removal() returns trigger language plpgsql as $$
      begin raise exception 'a broken disk'; end $$`.execute(db);
    await sql`create trigger refuse_removal before delete on squawks for each row execute function refuse_removal()`.execute(
      db,
    );
    await expect(removeDueSchools(db)).rejects.toThrow('a school could not be removed');
    await sql`drop function refuse_removal cascade`.execute(db);
    const { rows } = await sql`select school_id from removed_schools where ended_at is not null`.execute(db);
    expect(rows).toEqual([{ school_id: other }]);
    await removeDueSchools(db);
    expect((await storedRows(db)).schools).toEqual([]);
    // A hash of a removed school that was changed shows.
    await db.transaction().execute(async (trx) => {
      await sql`set local session_replication_role = replica`.execute(trx);
      await sql`update audit_seals set hash = 'forged' where chain = ${admin.schoolId} and position = 2`.execute(trx);
    });
    expect((await verifyEntries(db)).filter(({ broken }) => broken).length).toBe(1);
    expect((await findFaults(db)).map(({ rule }) => rule)).toEqual(['activity_changed']);
  });
});

async function age(action: string, minutes: number): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`set local session_replication_role = replica`.execute(trx);
    await sql`update audit_entries set created_at = created_at - make_interval(mins => ${minutes}) where action = ${action}`.execute(
      trx,
    );
  });
}

async function rowsOfOther(school: number): Promise<Record<string, string[]>> {
  const isOfOther = (row: string) => row.includes('OTHERSCHOOL') || row.includes(`"school_id": ${school},`);
  const tables = Object.entries(await storedRows(db)).map(([table, rows]) => [table, rows.filter(isOfOther)]);
  return Object.fromEntries(tables);
}
