import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { findFaults } from '#db/doctor/find-faults.ts';
import { migrateToLatest } from '#db/migrate.ts';
import type { Member } from '#app/domain/actor.ts';
import { findRoleThatCanAlterActivity } from '#app/domain/audit/activity-guard.server.ts';
import { removeOldEntries } from '#app/domain/audit/remove-old-entries.server.ts';
import { sealEntries } from '#app/domain/audit/seal-entries.server.ts';
import { verifyEntries } from '#app/domain/audit/verify-entries.server.ts';
import { writeAuditEntry } from '#app/domain/audit/write-audit-entry.server.ts';
import { db as product } from '#app/server/db.server.ts';
import { checkGuard } from '../../scripts/flightline/doctor/check-database.ts';
import { CHANGES, REFUSED, WAYS_ROUND } from '#tests/support/activity/ways-round.ts';
import { emptyTables, testDatabase } from '#tests/support/database.ts';
import { makeSchool, makeUser } from '#tests/support/school.ts';

const { db: owner } = await testDatabase();
let admin: Member;
beforeEach(async () => {
  await emptyTables(owner);
  admin = await makeUser(product, await makeSchool(product), 'administrator');
  await write();
  await sealEntries(product);
});

function write() {
  const entry = { action: 'exported activity', subject: 'export', after: { email: 'a@b.example' } } as const;
  return product.transaction().execute((trx) => writeAuditEntry(trx, admin, entry));
}

describe('the activity', () => {
  it('neither the owner of the tables can change it, nor the role that the product runs as by any way (B461, B1450)', async () => {
    for (const change of CHANGES)
      await expect(sql.raw(change).execute(owner), change).rejects.toThrow(/rows of audit_\w+ are only added/);
    for (const change of [...CHANGES, ...WAYS_ROUND])
      await expect(sql.raw(change).execute(product), change).rejects.toThrow(REFUSED);
    expect((await verifyEntries(owner)).filter(({ broken }) => broken)).toEqual([]);
  });

  it('that role owns nothing, and is no member of the owner (B1450)', async () => {
    const { rows } = await sql`
      select (select count(*)::integer from pg_class where relowner = current_user::regrole) as relations,
        (select count(*)::integer from pg_proc where proowner = current_user::regrole) as functions,
        pg_has_role('flightline_owner', 'member') as is_owner,
        has_database_privilege(current_database(), 'create') as creates`.execute(product);
    expect(rows).toEqual([{ relations: 0, functions: 0, is_owner: false, creates: false }]);
  });

  it('through the clean-up that role removes what is too old alone, and it is recorded (B1451)', async () => {
    const all = owner.selectFrom('audit_entries').select(['id', 'action']).orderBy('id');
    const events = all.where('school_id', '=', admin.schoolId);
    const before = await events.execute();
    await removeOldEntries(product);
    await sql`select remove_old_activity(${admin.schoolId}, 1000)`.execute(product);
    expect(await events.execute()).toEqual(before);
    await owner.transaction().execute(async (trx) => {
      await sql`set local session_replication_role = replica`.execute(trx);
      await sql`update audit_entries set created_at = now() - interval '3 years' where id <= ${before[0]?.id ?? 0}`.execute(
        trx,
      );
    });
    await removeOldEntries(product);
    const left = [...before.slice(1), { action: 'removed old activity' }];
    expect((await events.execute()).map(({ action }) => action)).toEqual(left.map(({ action }) => action));
  });

  it('a mark of removal on a school with users lets nothing go and hides no loss (B1451, B1456)', async () => {
    await sql`insert into removed_schools (school_id) values (${admin.schoolId})`.execute(product);
    await expect(sql`select remove_activity_of(${admin.schoolId}, 1000)`.execute(product)).rejects.toThrow('has users');
    // The mark hides nothing that is wrong, either.
    await owner.transaction().execute(async (trx) => {
      await sql`set local session_replication_role = replica`.execute(trx);
      await sql`delete from audit_entries where id = (select min(id) from audit_entries)`.execute(trx);
    });
    expect((await verifyEntries(owner)).filter(({ broken }) => broken)).toMatchObject([{ schoolId: admin.schoolId }]);
    expect((await findFaults(owner)).map(({ rule }) => rule)).toContain('activity_changed');
  });

  it('objects that the caller names like those of the product are not taken for them (B1451)', async () => {
    await product.connection().execute(async (session) => {
      await sql`create temp table schools (id integer, activity_kept_days integer)`.execute(session);
      await sql`insert into pg_temp.schools values (${admin.schoolId}, -1)`.execute(session);
      await sql`select remove_old_activity(${admin.schoolId}, 1000)`.execute(session);
      await sql`drop table pg_temp.schools`.execute(session);
    });
    const gone = owner.selectFrom('audit_entries').select('id').where('action', '=', 'removed old activity');
    expect(await gone.where('school_id', '=', admin.schoolId).execute()).toEqual([]);
  });

  it('a table of a later migration is usable by that role, and the schema is the same after db:migrate again (B1453)', async () => {
    const up = async () =>
      void (await sql`create table later (id integer generated always as identity)`.execute(owner));
    await up();
    const read = () => sql`select * from later`.execute(product);
    await expect(read()).rejects.toThrow('permission denied');
    await migrateToLatest(owner, { product: 'flightline_app' });
    await sql`insert into later default values`.execute(product);
    expect((await read()).rows).toHaveLength(1);
    await sql`drop table later`.execute(owner);
    expect(await migrateToLatest(product)).toEqual([]);
  });

  it('the doctor tells a product that may change the activity from one that may not (B1452)', async () => {
    expect(await findRoleThatCanAlterActivity(product)).toBeUndefined();
    expect(await checkGuard(product)).toMatchObject([{ level: 'ok' }]);
    expect(await findRoleThatCanAlterActivity(owner)).toBe('flightline_owner');
    expect(await checkGuard(owner)).toMatchObject([
      { level: 'note', text: expect.stringContaining('signs in as flightline_owner, which may change its tables') },
    ]);
  });
});
