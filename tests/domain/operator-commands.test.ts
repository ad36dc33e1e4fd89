import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, expect, inject, it } from 'vitest';
import { findBackupStatus } from '#app/domain/backups/backup-records.server.ts';
import { writeBackup } from '#db/backup/dump.ts';
import { restoreBackup } from '#db/backup/load.ts';
import { connect } from '#db/connect.server.ts';
import { findExecutedMigrations } from '#db/migrate.ts';
import { copyTemplate, emptyDatabase, testDatabase } from '#tests/support/database.ts';
import { everyRow, liveIn } from '#tests/support/live-in.ts';
import { runHere } from '#tests/support/operator-command.ts';
import { migrateAsPreviousRelease } from '#tests/support/previous-release.ts';
import { makeSchool, makeUser } from '#tests/support/school.ts';
import { command as backup, findNewestBackup } from '../../scripts/flightline/backup.ts';
import type { Command } from '../../scripts/flightline/command.ts';
import { restoreDataFiles } from '../../scripts/flightline/data-files.ts';
import { checkServer } from '../../scripts/flightline/doctor/check-database.ts';
import { command as exportSchool } from '../../scripts/flightline/export.ts';
import { command as importFile } from '../../scripts/flightline/import.ts';
import { command as upgrade } from '../../scripts/flightline/upgrade.ts';
import { command as doctor } from '../../scripts/flightline/doctor.ts';
import { command as userList } from '../../scripts/flightline/user-list.ts';
import { nightly } from '#tests/support/takes-all.ts';
import { ownerUrl } from '#tests/support/database-url.ts';

const { db, url } = await testDatabase();

const folder = await mkdtemp(path.join(tmpdir(), 'commands-'));
afterAll(() => rm(folder, { recursive: true }));

/** A database of the release before this one, with its rows. */
const previous = await copyTemplate(undefined, 'template0');
afterAll(previous.drop);
const setUp = connect(ownerUrl(previous.url));
const former = await migrateAsPreviousRelease(setUp);
await liveIn(setUp);
const kept = Object.fromEntries(
  Object.entries(await everyRow(setUp)).map(([table, all]) => [table, all.map(withoutItsTurn)]),
);
await setUp.destroy();
const lived = () => emptyDatabase(new URL(previous.url).pathname.slice(1));

const run = (command: Command, args: string[], DATABASE_URL = url) =>
  runHere(command, args, { DATABASE_URL, DATA_DIR: folder });

it('of the backups in a folder the newest stay, as many as --keep says, and what has another name (B521, B989)', async () => {
  const backups = path.join(folder, 'nightly');
  await mkdir(backups);
  const old = ['20250101T000000Z', '20250102T000000Z', '20250103T000000000Z'].map((at) => `flightline-${at}.tar.gz`);
  for (const name of [...old, 'flightline-by-hand.tar.gz']) await writeFile(path.join(backups, name), '');
  const { code, output } = await run(backup, [backups, '--keep', '2']);
  expect(code).toBe(0);
  expect(output).toContain(`Removed ${old[0]}: 2 newer backups there.\nRemoved ${old[1]}`);
  const made = expect.stringMatching(/^flightline-2\d{7}T\d{9}Z\.tar\.gz$/);
  expect((await readdir(backups)).toSorted()).toEqual([old[2], made, 'flightline-by-hand.tar.gz']);
});

it('backups that a wrong clock dated ahead are removed first, and none is proved as the newest (B1647)', async () => {
  const backups = path.join(folder, 'ahead');
  await mkdir(backups);
  const ahead = ['29990101T000000000Z', '29990102T000000000Z'].map((at) => `flightline-${at}.tar.gz`);
  for (const name of ahead) await writeFile(path.join(backups, name), '');
  const made = expect.stringMatching(/^flightline-20\d{6}T\d{9}Z\.tar\.gz$/);
  expect(await findNewestBackup(backups)).toBe(ahead[1]);
  await run(backup, [backups, '--keep', '2']);
  expect([(await readdir(backups)).toSorted(), await findNewestBackup(backups)]).toEqual([[made, ahead[1]], made]);
  await run(backup, [backups, '--keep', '2']);
  expect(await readdir(backups)).toEqual([made, made]);
});

it('a file of a backup that leads out of the data folder is not restored (B521, B989)', async () => {
  const file = path.join(folder, 'crafted.tar.gz');
  const content = Buffer.from('hello');
  const names = ['mail/one.eml', 'session-secret/../../outside', '../outside', 'outside', 'session-secret'];
  // One that was tidied up meanwhile is left out.
  const gone = { name: 'mail/gone.eml', read: async () => undefined };
  const written = await writeBackup(url, file, async () => [
    gone,
    ...names.map((name) => ({ name, read: async () => content })),
  ]);
  expect(written.files).toBe(names.length);
  const dataDir = path.join(folder, 'inner', 'data');
  expect(await restoreDataFiles(dataDir, file)).toEqual({ written: 1, kept: [] });
  expect(await readdir(folder, { recursive: true })).not.toContainEqual(expect.stringMatching(/outside$/));
  // An earlier release put mails into backups, too: their links may still work.
  expect(await readdir(dataDir)).toEqual(['session-secret']);
  expect(await readFile(path.join(dataDir, 'session-secret'))).toEqual(content);
});

it('user:list names nobody who is deleted (B527, B989)', async () => {
  const schoolId = await makeSchool(db);
  const [here, gone] = [await makeUser(db, schoolId), await makeUser(db, schoolId)];
  await db.updateTable('users').set({ deleted_at: new Date() }).where('id', '=', gone.id).execute();
  const { code, output } = await run(userList, []);
  expect([code, output]).toEqual([0, expect.stringContaining(here.username)]);
  expect(output).not.toContain(gone.username);
  expect(output).toMatch(/\n1 user\.$/);
});

it('upgrade backs up, migrates and checks; what fails is backed out, rows are kept (B385, B389, B525, B1352)', async () => {
  const { db: before, url: address } = await lived();
  const backups = path.join(folder, 'before-upgrades');
  const upgradeIt = () => run(upgrade, ['--backup-folder', backups], address);
  // The migration cannot drop what this needs.
  await sql`create view ours as select * from doctor_people_twice`.execute(before);
  await expect(upgradeIt()).rejects.toThrow(
    /was backed out: the database is as it was before[^]*cannot drop view doctor_people_twice because other objects depend on it/,
  );
  expect(await findExecutedMigrations(before)).toEqual(former);
  await sql`drop view ours`.execute(before);

  const { code, output } = await upgradeIt();
  expect(output).toMatch(
    /The database is of version 0\.1\.0: its 49 migrations are now recorded as 001-schools to 013-changes, .*\nMigrated: 100-drop-doctor-views/,
  );
  expect(code).toBe(0);
  expect(await everyRow(before)).toMatchObject(kept);
  expect(await upgradeIt()).toEqual({ code: 0, output: "The schema is this version's already: nothing to do." });
  const [made = '', ...more] = await readdir(backups);
  expect(more).toHaveLength(1);
  // The one of the upgrade that was backed out has no row.
  expect((await findBackupStatus(before)).last).toMatchObject({ folder: backups, file: more[0] });
  expect(await before.selectFrom('backups').selectAll().execute()).toHaveLength(1);

  const restored = await emptyDatabase();
  await restoreBackup(ownerUrl(restored.url), path.join(backups, made));
  expect(await everyRow(restored.db)).toMatchObject(kept);
});

it('upgrade makes the tables of an empty database, and no backup of nothing (B1771)', async () => {
  const { db: empty, url: address } = await emptyDatabase();
  expect(await run(upgrade, ['--backup-folder', path.join(folder, 'none')], address)).toEqual({
    code: 0,
    output: 'The database was empty: its tables are made.',
  });
  expect(await readdir(folder)).not.toContain('none');
  expect((await findBackupStatus(empty)).last).toBeUndefined();
});

it('a file that an export cannot write, or an import not read, is told as what the system says of it (B1772)', async () => {
  await makeSchool(db, { name: 'Bay Flyers' });
  const refused = { code: 'ENOENT', path: expect.stringContaining('/nowhere/') };
  await expect(run(exportSchool, ['/nowhere/all.zip', '--school', 'Bay Flyers'])).rejects.toMatchObject(refused);
  await expect(run(importFile, ['fleet', '/nowhere/fleet.csv'])).rejects.toMatchObject(refused);
});

it('one DATABASE_URL is upgraded as before and told, and becomes two roles with every row (B1452, B1453, B1454)', async () => {
  const { db: before, url: address } = await lived();
  const one = ownerUrl(address);
  expect((await run(upgrade, [], one)).code).toBe(0);
  const told = await run(doctor, [], one);
  expect(told.output).toMatch(/guarded less: the product signs in as flightline_owner, which may change its tables/);
  expect(told.output).not.toContain('Postgres refuses');

  const alone = { DATABASE_URL: address, DATABASE_OWNER_URL: '', DATA_DIR: folder };
  await expect(runHere(doctor, [], alone)).rejects.toThrow(
    /Postgres refuses flightline_app .*: permission denied for table .* with DATABASE_OWNER_URL/,
  );
  await sql`delete from kysely_migration where name = '105-role-of-the-product'`.execute(before);
  await sql`grant select on all tables in schema public to flightline_app`.execute(before);
  await expect(runHere(upgrade, [], alone)).rejects.toThrow(
    /was backed out[^]*The tables belong to another role than the one of this address[^]*Set DATABASE_OWNER_URL/,
  );
  await sql`insert into kysely_migration values ('105-role-of-the-product', '')`.execute(before);

  expect((await run(upgrade, [], address)).output).toContain('nothing to do');
  const guarded = 'the product can add to the activity, and not change it';
  expect((await run(doctor, [], address)).output).toContain(guarded);
  expect(await everyRow(before)).toMatchObject(kept);
});

/** When a mail or an event is tried next moves to its job. */
function withoutItsTurn(row: unknown): object {
  return Object.fromEntries(Object.entries(row ?? {}).filter(([column]) => column !== 'next_attempt_at'));
}

nightly('a fault that was there before does not keep a database from the upgrade (B389, B525, B989)', async () => {
  const older = await emptyDatabase(inject('postgres').template);
  const pending = '100-drop-doctor-views';
  const admin = await makeUser(older.db, await makeSchool(older.db), 'administrator');
  await sql`delete from kysely_migration where name = ${pending}`.execute(older.db);
  await sql`update users set deleted_at = now() where id = ${admin.id}`.execute(older.db);
  const { code, output } = await run(upgrade, [], older.url);
  expect([code, output]).toEqual([0, expect.stringContaining(`Migrated: ${pending}. The doctor finds nothing new.`)]);
});

it('the doctor warns before the last connections of a database are taken (B528, B989)', async () => {
  const faultsWith = (used: number, allowed: number) =>
    db.transaction().execute(async (trx) => {
      await sql`create schema busy`.execute(trx);
      await sql`
        create view busy.pg_stat_activity as
          select 'client backend' as backend_type from generate_series(1, ${sql.lit(used)})`.execute(trx);
      await sql`
        create function busy.current_setting(name text) returns text language sql as
          $$ select case when name = 'max_connections' then ${sql.lit(String(allowed))} else pg_catalog.current_setting(name) end $$`.execute(
        trx,
      );
      await sql`set local search_path = busy, pg_catalog, public`.execute(trx);
      const findings = await checkServer(trx);
      await sql`set local search_path to default`.execute(trx);
      await sql`drop schema busy cascade`.execute(trx);
      return findings.filter(({ level }) => level === 'FAULT').map(({ text }) => text);
    });
  expect(await faultsWith(90, 100)).toEqual([]);
  expect(await faultsWith(91, 100)).toEqual(['91 of 100 connections are in use']);
});
