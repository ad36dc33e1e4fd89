import { type Migration, Migrator, sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { sealEntries } from '#app/domain/audit/seal-entries.server.ts';
import { verifyEntries } from '#app/domain/audit/verify-entries.server.ts';
import { fingerprint } from '#app/domain/idempotency.server.ts';
import { runLinkOperation } from '#app/domain/run-operation.server.ts';
import { connect, type Db } from '#db/connect.server.ts';
import { loadMigrations, migrateToLatest, pendingMigrations } from '#db/migrate.ts';
import { LONG_TIMEOUTS, emptyDatabase, testDatabase } from '#tests/support/database.ts';
import { describeSchema } from '#tests/support/describe-schema.ts';

const { db: latest } = await testDatabase();
const latestSchema = await describeSchema(latest);
const migrations = await loadMigrations();

/** The migrations of the last release under the former names, with the files that hold them today. */
const RELEASED: Record<string, Migration | undefined> = {
  '001-schools-and-people': migrations['001-schools-and-people'],
  '002-fleet': migrations['002-fleet'],
  '003-flights': migrations['003-flights'],
  '004-scans': migrations['004-scans'],
  '005-invitations-and-mail': migrations['005-invitations-and-mail'],
  '006-memory': migrations['006-idempotency-audit-drafts'],
  '007-password-links': migrations['007-password-links'],
  '009-reasons': migrations['009-close-and-void-reasons'],
  '010-what-was-read': migrations['010-scan-crops-and-digits'],
};
const LAST_RELEASED = '010-what-was-read';
const ADDED_SINCE = Object.keys(migrations).slice(Object.keys(RELEASED).length);

describe('A database that an earlier release migrated under the former names', () => {
  it.each(['006-memory', '007-password-links', '009-reasons', LAST_RELEASED])(
    'migrates from %s to the schema of a new database',
    async (last) => {
      const { db } = await databaseOfRelease(last);
      await migrateToLatest(db);
      expect(await recordedNames(db)).toEqual(Object.keys(migrations));
      expect(await describeSchema(db)).toEqual(latestSchema);
    },
  );

  it('a database migrated under former names runs only the migrations added since, and a second time none', async () => {
    const { db } = await databaseOfRelease();
    expect(await migrateToLatest(db)).toEqual(ADDED_SINCE);
    expect(await migrateToLatest(db)).toEqual([]);
  });

  it('a database migrated under former names keeps the time at which each migration ran', async () => {
    const { db } = await databaseOfRelease();
    const before = await recordedTimes(db);
    await migrateToLatest(db);
    expect((await recordedTimes(db)).slice(0, before.length)).toEqual(before);
  });

  it('a database migrated under former names keeps its idempotency keys, audit entries and drafts', async () => {
    const { db } = await databaseOfRelease();
    await insertRows(db);
    const audit = await rowsOf(db, 'audit_entries');
    const drafts = await rowsOf(db, 'drafts');
    const keys = await rowsOf(db, 'given_answers');
    expect([audit.length, drafts.length, keys.length]).toEqual([1, 1, 2]);

    await migrateToLatest(db);

    expect(await rowsOf(db, 'audit_entries')).toMatchObject(audit);
    expect(await rowsOf(db, 'drafts')).toMatchObject(drafts);
    expect(await rowsOf(db, 'idempotency_keys')).toEqual(
      keys.map(({ body_hash, answer, ...rest }) => ({ ...rest, request_hash: body_hash, response: answer })),
    );
  });

  it('B468: emails that an earlier release recorded are moved out of the events, which are sealed without them', async () => {
    const { db } = await databaseOfRelease();
    await sql`insert into schools (name) values ('Cascade Flight School')`.execute(db);
    const email = 'gone@school.example';
    for (const [before, after] of [
      [null, { username: 'gone', email }],
      [{ username: 'gone', email }, null],
      [null, { name: 'Cascade' }],
    ])
      await sql`insert into audit_entries (school_id, action, subject, before, after)
        values (1, 'added user', 'user', ${before && JSON.stringify(before)}::jsonb, ${after && JSON.stringify(after)}::jsonb)`.execute(
        db,
      );

    await migrateToLatest(db);
    await sealEntries(db);

    expect(JSON.stringify(await rowsOf(db, 'audit_entries'))).not.toContain(email);
    expect(await rowsOf(db, 'audit_emails')).toMatchObject([
      { entry_id: 1, email },
      { entry_id: 2, email },
    ]);
    expect(await verifyEntries(db)).toMatchObject([{ schoolId: 1, entries: 3, notYetSealed: 0 }]);
    await sql`delete from audit_emails`.execute(db);
    expect((await verifyEntries(db))[0]?.broken).toBeUndefined();
  });

  it('C58: a request sent again after the rename of migrations gets the response stored before it', async () => {
    const { db } = await databaseOfRelease();
    await insertRows(db);
    await migrateToLatest(db);
    const request = { scope: 'user:1', key: 'k1', operation: 'add aircraft', input: { tailNumber: 'N512FL' } };
    const work = () => Promise.reject(new Error('ran a second time'));
    await expect(runLinkOperation(db, request, work)).resolves.toEqual({ id: 7 });
    await expect(runLinkOperation(db, { ...request, input: {} }, work)).rejects.toMatchObject({ code: 'mismatch' });
  });

  it('of a database migrated under former names only the added migrations are reported as pending, without writing', async () => {
    const { db } = await databaseOfRelease();
    const recorded = await recordedNames(db);
    expect(await pendingMigrations(db)).toEqual(ADDED_SINCE);
    expect(await recordedNames(db)).toEqual(recorded);
    await migrateToLatest(db);
    expect(await pendingMigrations(db)).toEqual([]);
  });

  it('a database migrated under former names migrates once when several processes start at the same moment', async () => {
    const { url } = await databaseOfRelease();
    const processes = [1, 2, 3].map(() => connect(url, { ...LONG_TIMEOUTS, max: 2 }));
    const ran = await Promise.all(processes.map((db) => migrateToLatest(db)));
    await Promise.all(processes.map((db) => db.destroy()));
    expect(ran.flat()).toEqual(ADDED_SINCE);
  });

  it('a migration waits for a process of the earlier release that is still migrating', async () => {
    const { db } = await databaseOfRelease('009-reasons');
    let migrating: Promise<string[]> | undefined;
    await db.transaction().execute(async (trx) => {
      await RELEASED[LAST_RELEASED]?.up(trx);
      await sql`insert into kysely_migration values (${LAST_RELEASED}, ${new Date().toISOString()})`.execute(trx);
      migrating = migrateToLatest(db);
      await expect.poll(() => waitsForMigrationTable(db), { timeout: 120_000 }).toBe(true);
    });
    expect(await migrating).toEqual(ADDED_SINCE);
  });
});

async function databaseOfRelease(last = LAST_RELEASED) {
  const database = await emptyDatabase();
  const released = Object.fromEntries(
    Object.entries(RELEASED).flatMap(([name, migration]) => (migration && name <= last ? [[name, migration]] : [])),
  );
  const migrator = new Migrator({ db: database.db, provider: { getMigrations: async () => released } });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
  return database;
}

async function insertRows(db: Db): Promise<void> {
  const requestHash = fingerprint(JSON.stringify({ tailNumber: 'N512FL' }));
  const statements = [
    sql`insert into schools (name) values ('Cascade Flight School')`,
    sql`insert into users (school_id, username, username_key, email, password_hash, role)
      values (1, 'Anna', 'anna', 'anna@school.example', 'x', 'student')`,
    sql`insert into given_answers (scope, key, operation, body_hash, answer)
      values ('user:1', 'k1', 'add aircraft', ${requestHash}, '{"id": 7}'), ('user:1', 'k2', 'add aircraft', 'x', null)`,
    sql`insert into audit_entries (school_id, user_id, action, subject, after) values (1, 1, 'added aircraft', 'aircraft', '{}')`,
    sql`insert into drafts (user_id, form, body) values (1, 'check-out', '{"startHobbs": "1234.50"}')`,
  ];
  for (const statement of statements) await statement.execute(db);
}

async function rowsOf(db: Db, table: string): Promise<Record<string, unknown>[]> {
  return (await sql<Record<string, unknown>>`select * from ${sql.table(table)} order by 1, 2`.execute(db)).rows;
}

async function recordedNames(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return rows.map(({ name }) => name);
}

async function recordedTimes(db: Db): Promise<string[]> {
  const { rows } = await sql<{ timestamp: string }>`select timestamp from kysely_migration order by name`.execute(db);
  return rows.map(({ timestamp }) => timestamp);
}

async function waitsForMigrationTable(db: Db): Promise<boolean> {
  const { rows } = await sql`
    select 1 from pg_locks where relation = 'kysely_migration'::regclass and not granted`.execute(db);
  return rows.length > 0;
}
