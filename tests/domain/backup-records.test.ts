import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findLastBackup } from '#app/domain/backups/backup-records.server.ts';
import { emptyDatabase, testDatabase } from '#tests/support/database.ts';
import { runHere } from '#tests/support/operator-command.ts';
import { makeSchool } from '#tests/support/school.ts';
import { command as backup } from '../../scripts/flightline/backup.ts';
import { command as verify } from '../../scripts/flightline/backup-verify.ts';
import { command as restore } from '../../scripts/flightline/restore.ts';

const { db, url: DATABASE_URL } = await testDatabase();
const folder = await mkdtemp(path.join(tmpdir(), 'backup-records-'));
const settings = { DATABASE_URL, DATA_DIR: folder };
beforeAll(() => makeSchool(db));
afterAll(() => rm(folder, { recursive: true }));

const fileOf = async () => path.join(folder, (await findLastBackup(db)).last?.file ?? '');

it('the database knows when its last backup was made, its size and its file, and which one came before (B1352)', async () => {
  expect(await findLastBackup(db)).toMatchObject({ last: undefined, verified: undefined });
  const { output } = await runHere(backup, [folder], settings);
  const { last, ageSeconds } = await findLastBackup(db);
  expect(last?.folder).toBe(folder);
  expect(output).toContain(last?.file);
  expect(output).toContain(`before ${last?.madeAt.toISOString()} is in it`);
  expect(last?.bytes).toBeGreaterThan(1000);
  expect(ageSeconds).toBeLessThan(3600);
  await runHere(backup, [path.join(folder, 'by-hand.tar.gz')], settings);
  expect((await findLastBackup(db)).last?.file).toBe('by-hand.tar.gz');
});

it('a verified backup is recorded by its moment, under whatever name, where the database can be asked (B1352)', async () => {
  await runHere(backup, [folder], settings);
  const moved = path.join(folder, 'moved.tar.gz');
  await rename(await fileOf(), moved);
  const into = async () => ['--into', (await emptyDatabase()).url];
  const alone = await runHere(verify, [moved, ...(await into())], { DATA_DIR: path.join(folder, 'none') });
  expect(alone).toMatchObject({ code: 0, output: expect.not.stringContaining('Not recorded') });
  const away = { ...settings, DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none' };
  expect(await runHere(verify, [moved, ...(await into())], away)).toMatchObject({
    code: 0,
    output: expect.stringContaining('Not recorded in the database'),
  });
  expect((await findLastBackup(db)).verified).toBeUndefined();
  expect(await runHere(verify, [moved, ...(await into())], settings)).toMatchObject({ code: 0 });
  expect((await findLastBackup(db)).verified?.ageSeconds).toBeLessThan(3600);
});

it('of a folder the newest backup by time is verified, and one without any is refused in words (B1352)', async () => {
  await runHere(backup, [folder], settings);
  const { url } = await emptyDatabase();
  const { output } = await runHere(verify, [folder, '--into', url], settings);
  expect(output).toContain(`The newest backup there: ${path.basename(await fileOf())}.`);
  const none = await mkdtemp(path.join(folder, 'none-'));
  await expect(runHere(verify, [none], settings)).rejects.toThrow(`There is no backup in ${none}`);
});

it('a backup that the database does not record is made all the same, and says so (B1352)', async () => {
  await sql`alter table backups rename to former_backups`.execute(db);
  const { code, output } = await runHere(backup, [folder], settings).finally(() =>
    sql`alter table former_backups rename to backups`.execute(db),
  );
  expect([code, output]).toEqual([0, expect.stringContaining('Not recorded in the database')]);
});

it('a restored database knows the backups before its own, so that its age tells of none since (B1352)', async () => {
  await runHere(backup, [folder], settings);
  const before = await findLastBackup(db);
  const file = path.join(folder, 'restored.tar.gz');
  await runHere(backup, [file], settings);
  const restored = await emptyDatabase();
  const into = { DATABASE_URL: restored.url, DATA_DIR: path.join(folder, 'new') };
  expect(await runHere(restore, [file], into)).toMatchObject({ code: 0 });
  expect((await findLastBackup(restored.db)).last).toEqual(before.last);
});
