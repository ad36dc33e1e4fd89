import { sql } from 'kysely';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { ACTIVITY_ROLE } from '#db/activity-role.ts';
import { connect, type Trx } from '#db/connect.server.ts';
import type { Member } from '#app/domain/actor.ts';
import { canTakeActivityRole } from '#app/domain/audit/activity-role.server.ts';
import { sealEntries } from '#app/domain/audit/seal-entries.server.ts';
import { writeAuditEntry } from '#app/domain/audit/write-audit-entry.server.ts';
import { superuserUrl } from '#tests/support/database-url.ts';
import { testDatabase } from '#tests/support/database.ts';
import { makeSchool, makeUser } from '#tests/support/school.ts';

const { db, url } = await testDatabase();
let admin: Member;
beforeEach(async () => {
  admin = await makeUser(db, await makeSchool(db), 'administrator');
  await write();
  await sealEntries(db);
});

const write = () =>
  db.transaction().execute((trx) => writeAuditEntry(trx, admin, { action: 'exported activity', subject: 'export' }));

const CHANGES = [
  "update audit_entries set reason = 'forged'",
  'update audit_entries set user_id = null',
  'delete from audit_entries',
  'truncate audit_entries cascade',
  "update audit_seals set hash = 'forged'",
  'delete from audit_seals',
  'truncate audit_seals',
];

describe('the activity', () => {
  it.each(CHANGES)('the owner of the database cannot run %s (B461)', async (statement) => {
    await expect(sql.raw(statement).execute(db)).rejects.toThrow(/rows of audit_\w+ are only added/);
  });

  it.each([...CHANGES, "update audit_emails set email = 'forged'", 'delete from audit_emails', 'select * from users'])(
    'the role that writes the activity may not run %s (B461)',
    async (statement) => {
      const attempt = db.transaction().execute(async (trx) => {
        await sql.raw(`set local role ${ACTIVITY_ROLE}`).execute(trx);
        await sql.raw(statement).execute(trx);
      });
      await expect(attempt).rejects.toThrow('permission denied');
    },
  );

  it('entries and seals are inserted as the role that cannot change them, which the transaction then leaves (B461)', async () => {
    expect(await canTakeActivityRole(db)).toBe(true);
    await sql`create table written_as (name text)`.execute(db);
    await sql`grant insert on written_as to public`.execute(db);
    await sql`create function note_role() returns trigger language plpgsql as $$
      begin insert into written_as values (tg_table_name || ' ' || current_user); return new; end $$`.execute(db);
    for (const table of ['audit_entries', 'audit_emails', 'audit_seals'])
      await sql`create trigger note_role before insert on ${sql.table(table)}
        for each row execute function note_role()`.execute(db);
    const before = await currentUser(db);
    await db.transaction().execute(async (trx) => {
      await writeAuditEntry(trx, admin, { action: 'added user', subject: 'user', after: { email: 'a@b.example' } });
      expect(await currentUser(trx)).toBe(before);
    });
    await sealEntries(db);
    const { rows } = await sql<{ name: string }>`select name from written_as`.execute(db);
    expect(rows.map(({ name }) => name)).toEqual(
      ['audit_entries', 'audit_emails', 'audit_seals'].map((table) => `${table} ${ACTIVITY_ROLE}`),
    );
    await sql`drop function note_role cascade`.execute(db);
    await sql`drop table written_as`.execute(db);
  });

  it('where the database user may not take the role, it writes itself, and the triggers still stand (B461)', async () => {
    const superuser = connect(superuserUrl(url));
    onTestFinished(() => superuser.destroy());
    const name = `plain_${admin.id}`;
    await sql.raw(`create role ${name}`).execute(superuser);
    await sql.raw(`grant all on all tables in schema public to ${name}`).execute(superuser);
    await superuser.transaction().execute(async (trx) => {
      await sql.raw(`set local session authorization ${name}`).execute(trx);
      await writeAuditEntry(trx, admin, { action: 'exported flight logs', subject: 'export' });
    });
    const entries = db.selectFrom('audit_entries').select('action').where('school_id', '=', admin.schoolId);
    expect((await entries.execute()).map(({ action }) => action)).toContain('exported flight logs');
    const forging = superuser.transaction().execute(async (trx) => {
      await sql.raw(`set local session authorization ${name}`).execute(trx);
      await sql`delete from audit_entries`.execute(trx);
    });
    await expect(forging).rejects.toThrow('are only added');
    await sql.raw(`drop owned by ${name}`).execute(superuser);
    await sql.raw(`drop role ${name}`).execute(superuser);
  });
});

async function currentUser(target: typeof db | Trx): Promise<string | undefined> {
  return (await sql<{ name: string }>`select current_user::text as name`.execute(target)).rows[0]?.name;
}
