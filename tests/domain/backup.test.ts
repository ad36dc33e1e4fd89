import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { readArchive, writeArchive } from '#db/backup/archive.ts';
import { writeBackup } from '#db/backup/dump.ts';
import { encryptBackupsWith } from '#db/backup/encryption.ts';
import { DatabaseInUseError, inspectBackup, restoreBackup } from '#db/backup/load.ts';
import type { Db } from '#db/connect.server.ts';
import { loadMigrations, migrateToLatest, findPendingMigrations } from '#db/migrate.ts';
import { seed } from '#db/seed.ts';
import { sealEntries } from '#app/domain/audit/seal-entries.server.ts';
import { verifyEntries } from '#app/domain/audit/verify-entries.server.ts';
import { describeSchema } from '#tests/support/describe-schema.ts';
import { emptyDatabase, testDatabase } from '#tests/support/database.ts';
import { everyRow, liveIn, upgraded } from '#tests/support/live-in.ts';
import { migrateAsPreviousRelease } from '#tests/support/previous-release.ts';
import { nightly } from '#tests/support/takes-all.ts';
import { ownerUrl } from '#tests/support/database-url.ts';
import { APPLICATION_ROLE } from '#db/embedded/application-role.ts';

const names = Object.keys(await loadMigrations());
const { db, url } = await testDatabase();
const photo = randomBytes(500_000);

let folder: string;
let backup: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'backup-'));
  backup = path.join(folder, 'school.tar.gz');
  await seed(db);
  await db.insertInto('photos').values({ school_id: 1, user_id: 1, content: photo, width: 8, height: 6 }).execute();
  await sql`update flight_logs set notes = ${'Tab\t, line\n, \\N, NULL, "quotes", Zoë ✈'} where id = 1`.execute(db);
  await sql`insert into audit_entries (school_id, action, subject) values (1, 'signed in', 'user')`.execute(db);
  await sealEntries(db);
  // An id that was given away and is in no row.
  await sql`select nextval('aircraft_id_seq')`.execute(db);
  await writeBackup(url, backup, async () => []);
});
afterAll(() => rm(folder, { recursive: true }));

/** Of every row, the hash of its text: quick to compare, whatever is in it. */
async function hashesOf(database: Db, table: string): Promise<unknown[]> {
  const { rows } = await sql<{ hash: string }>`
    select md5(rows::text) as hash from ${sql.table(table)} as rows order by 1`.execute(database);
  return rows.map(({ hash }) => hash);
}

async function rowsOf(database: Db, table: string): Promise<unknown[]> {
  return (await sql`select * from ${sql.table(table)} order by 1, 2`.execute(database)).rows;
}

async function tablesOf(database: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public' and tablename !~ '^kysely' order by 1`.execute(
    database,
  );
  return rows.map(({ name }) => name);
}

describe('A backup', () => {
  it('a backup restored into an empty database has every row of every table, and the same schema (B521)', async () => {
    const { db: other, url: target } = await emptyDatabase();
    const restored = await restoreBackup(ownerUrl(target), backup, { product: APPLICATION_ROLE, compare: true });
    for (const table of await tablesOf(db))
      expect([table, await hashesOf(other, table)]).toEqual([table, await hashesOf(db, table)]);
    expect(await describeSchema(other)).toEqual(await describeSchema(db));
    expect(await findPendingMigrations(other)).toEqual([]);
    expect(restored.faults.map(({ rule }) => rule)).toEqual(['photos_of_nothing']);
    expect(await verifyEntries(other)).toMatchObject([{ head: (await verifyEntries(db))[0]?.head, notYetSealed: 0 }]);
    const { rows } = await sql<{ server_version: string }>`show server_version`.execute(db);
    expect((await inspectBackup(backup)).header.server).toBe(rows[0]?.server_version);
  });

  nightly('in a restored database ids go on where they were, and events can still not be changed (B521)', async () => {
    const { db: other, url: target } = await emptyDatabase();
    await restoreBackup(ownerUrl(target), backup, { product: APPLICATION_ROLE });
    const next = sql<{ id: number }>`insert into aircraft (school_id, tail_number, make, model, year)
      values (1, 'N1', 'Cessna', '172', 2004) returning id`;
    expect((await next.execute(other)).rows).toEqual((await next.execute(db)).rows);
    await sql`delete from aircraft where tail_number = 'N1'`.execute(db);
    await expect(sql`delete from audit_entries`.execute(other)).rejects.toThrow('only added');
    await expect(
      sql`insert into fuel_records (school_id, flight_log_id) values (1, 4711)`.execute(other),
    ).rejects.toThrow('foreign key');
  });

  nightly(
    'a backup of the release before this one is restored with its schema, and migrated then (B385, B521)',
    async () => {
      const { db: earlier, url: source } = await emptyDatabase();
      const former = await migrateAsPreviousRelease(earlier);
      await liveIn(earlier);
      const file = path.join(folder, 'earlier.tar.gz');
      await writeBackup(ownerUrl(source), file, async () => []);
      // That release, too, is to restore it: what it knows is what it recorded.
      expect((await inspectBackup(file)).header.migrations).toEqual(former);
      const { db: other, url: target } = await emptyDatabase();
      const { migrated } = await restoreBackup(ownerUrl(target), file, { product: APPLICATION_ROLE, compare: true });
      expect(migrated).toEqual(names.filter((name) => name >= '100'));
      expect(await everyRow(other)).toMatchObject(upgraded(await everyRow(earlier)));
      expect(await migrateToLatest(other)).toEqual([]);
      expect(await describeSchema(other)).toEqual(await describeSchema(db));
    },
  );

  nightly('a backup of an older version is refused with the version to restore it with (B385)', async () => {
    const { db: older, url: source } = await emptyDatabase();
    await migrateAsPreviousRelease(older, '016-second-factor-setups');
    const file = path.join(folder, 'older.tar.gz');
    await writeBackup(ownerUrl(source), file, async () => []);
    const { db: other, url: target } = await emptyDatabase();
    await expect(restoreBackup(ownerUrl(target), file, { product: APPLICATION_ROLE })).rejects.toThrow(
      `${file} cannot be restored by this version. The schema is older than version 0.1.0 of Flightline`,
    );
    expect(await tablesOf(other)).toEqual([]);
  });

  nightly('a database with a schema and no rows counts as empty (B521)', async () => {
    const { db: other, url: target } = await emptyDatabase();
    await migrateToLatest(other);
    expect((await restoreBackup(ownerUrl(target), backup, { product: APPLICATION_ROLE })).aside).toBeUndefined();
    expect(await rowsOf(other, 'users')).toEqual(await rowsOf(db, 'users'));
    expect(await describeSchema(other)).toEqual(await describeSchema(db));
  });

  it('a database with rows is refused, and keeps them (B522)', async () => {
    const { db: other, url: target } = await emptyDatabase(inject('postgres').template);
    await sql`insert into schools (name) values ('Bay Flyers')`.execute(other);
    await expect(restoreBackup(ownerUrl(target), backup, { product: APPLICATION_ROLE })).rejects.toThrow(
      DatabaseInUseError,
    );
    expect(await rowsOf(other, 'schools')).toMatchObject([{ name: 'Bay Flyers' }]);
  });

  it('the rows of a database that is replaced are in a schema aside, whole (B522)', async () => {
    const { db: other, url: target } = await emptyDatabase(inject('postgres').template);
    await sql`insert into schools (name) values ('Bay Flyers')`.execute(other);
    const { aside } = await restoreBackup(ownerUrl(target), backup, { product: APPLICATION_ROLE, replace: true });
    expect(await rowsOf(other, 'schools')).toEqual(await rowsOf(db, 'schools'));
    expect(await rowsOf(other, `${aside}.schools`)).toMatchObject([{ name: 'Bay Flyers' }]);
  });

  nightly('a restore that fails on its last row leaves the database as it was, replaced or not (B522)', async () => {
    const spoilt = path.join(folder, 'spoilt.tar.gz');
    await writeArchive(spoilt, async (add) => {
      const { members: _members, ...rest } = await readArchive(backup, async (name, content) => {
        const isUsers = name.startsWith('tables/users/');
        await add(name, isUsers ? Buffer.concat([content, Buffer.from('not a row\n')]) : content);
      });
      return rest;
    });
    const { db: other, url: target } = await emptyDatabase();
    await expect(restoreBackup(ownerUrl(target), spoilt, { product: APPLICATION_ROLE })).rejects.toThrow('users');
    expect(await tablesOf(other)).toEqual([]);
    await migrateToLatest(other);
    await sql`insert into schools (name) values ('Bay Flyers')`.execute(other);
    const before = await describeSchema(other);
    await expect(restoreBackup(ownerUrl(target), spoilt, { product: APPLICATION_ROLE, replace: true })).rejects.toThrow(
      'users',
    );
    expect(await rowsOf(other, 'schools')).toMatchObject([{ name: 'Bay Flyers' }]);
    expect(await describeSchema(other)).toEqual(before);
  });

  it.each([
    ['cut short', (bytes: Buffer) => bytes.subarray(0, bytes.length - 200)],
    // Neither gzip nor tar would notice.
    [
      'packed anew with another name in it',
      (bytes: Buffer) =>
        gzipSync(Buffer.from(gunzipSync(bytes).toString('latin1').replace('admin\t', 'nimda\t'), 'latin1')),
    ],
  ])('a backup that is %s is refused in a sentence, before anything is changed (B522)', async (_how, spoil) => {
    const file = path.join(folder, 'damaged.tar.gz');
    await writeFile(file, spoil(await readFile(backup)));
    await expect(restoreBackup('postgres://127.0.0.1:1/nowhere', file)).rejects.toThrow(
      /^\S+ is no backup of Flightline, or a damaged one: .+\.$/,
    );
  });

  nightly('a backup of a newer version is refused in a sentence that says so (B522)', async () => {
    const { db: newer, url: source } = await emptyDatabase();
    await migrateToLatest(newer);
    await sql`insert into kysely_migration values ('999-future', '2030-01-01T00:00:00Z')`.execute(newer);
    const file = path.join(folder, 'newer.tar.gz');
    await writeBackup(ownerUrl(source), file, async () => []);
    const { db: other, url: target } = await emptyDatabase();
    await expect(restoreBackup(ownerUrl(target), file, { product: APPLICATION_ROLE })).rejects.toThrow(
      'newer than this version of Flightline: it has 999-future',
    );
    expect(await tablesOf(other)).toEqual([]);
  });

  it('a backup has its name only when it is complete, and none of its parts is left when it fails (B523)', async () => {
    const file = path.join(folder, 'failing.tar.gz');
    await expect(writeBackup(url, file, () => Promise.reject(new Error('no disk')))).rejects.toThrow('no disk');
    expect((await readdir(folder)).filter((name) => name.startsWith('failing'))).toEqual([]);
  });
});

describe('an encrypted backup', () => {
  const passphrase = 'six gulls over the wide marsh';
  afterEach(() => encryptBackupsWith(undefined));

  it('is restored with its passphrase alone, and openssl opens it (B1295)', async () => {
    const file = path.join(folder, 'school.tar.gz.enc');
    encryptBackupsWith(passphrase);
    await writeBackup(url, file, async () => []);
    const { db: other, url: target } = await emptyDatabase();
    await restoreBackup(ownerUrl(target), file, { product: APPLICATION_ROLE, compare: true });
    expect(await hashesOf(other, 'users')).toEqual(await hashesOf(db, 'users'));
    const openssl = ['enc', '-d', '-aes-256-cbc', '-pbkdf2', '-iter', '600000', '-pass', `pass:${passphrase}`];
    const opened = execFileSync('openssl', [...openssl, '-in', file], { maxBuffer: 2 ** 28 });
    expect(gunzipSync(opened).subarray(0, 11).toString()).toBe('header.json');
    encryptBackupsWith('another passphrase altogether');
    await expect(inspectBackup(file)).rejects.toThrow('encrypted with another passphrase');
    encryptBackupsWith(undefined);
    await expect(inspectBackup(file)).rejects.toThrow(/is encrypted: set BACKUP_PASSPHRASE/);
    expect((await inspectBackup(backup)).header.format).toBeGreaterThan(0);
    expect((await readFile(file)).includes('header.json')).toBe(false);
  });
});

it('no backup has the link of a mail that waits, which is given up in it (B1296)', async () => {
  const link = 'http://localhost:3000/reset-password?token=whoever-has-this-gets-in';
  const letter = { school_id: 1, to_name: 'Ada', to_address: 'ada@b.example', subject: 'Your link' };
  const bodies = [link, 'Nothing to hide'].map((body) => ({ ...letter, body_text: body, body_html: body }));
  const added = await db.insertInto('mail_outbox').values(bodies).returning('id').execute();
  const file = path.join(folder, 'without-links.tar.gz');
  await writeBackup(url, file, async () => []);
  expect(gunzipSync(await readFile(file)).includes('whoever-has-this')).toBe(false);
  const { db: other, url: target } = await emptyDatabase();
  await restoreBackup(ownerUrl(target), file, { product: APPLICATION_ROLE, compare: true });
  const mails = other.selectFrom('mail_outbox').select(['body_text', 'last_error']).orderBy('id');
  const ids = added.map(({ id }) => id);
  expect(await mails.where('id', 'in', ids).execute()).toEqual([
    { body_text: '', last_error: expect.stringContaining('Send it again') },
    { body_text: 'Nothing to hide', last_error: null },
  ]);
  const moved = await emptyDatabase();
  await writeBackup(url, path.join(folder, 'moved.tar.gz'), async () => [], { keepsLinks: true });
  await restoreBackup(ownerUrl(moved.url), path.join(folder, 'moved.tar.gz'), { compare: true });
  expect(await hashesOf(moved.db, 'mail_outbox')).toEqual(await hashesOf(db, 'mail_outbox'));
  await db.deleteFrom('mail_outbox').where('id', 'in', ids).execute();
});
