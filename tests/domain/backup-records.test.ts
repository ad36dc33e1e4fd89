import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { findBackupStatus } from '#app/domain/backups/backup-records.server.ts';
import { backupText } from '#app/domain/backups/backup-text.server.ts';
import { loader } from '#app/routes/school-settings/route.tsx';
import { collectGauges } from '#app/server/observability/metrics-listener.server.ts';
import { createMetrics } from '#app/server/observability/metrics.server.ts';
import { alarmsAfter, parseMetrics } from '#tests/support/alarms.ts';
import { emptyDatabase, testDatabase } from '#tests/support/database.ts';
import { ended } from '#tests/support/ended.ts';
import { runHere } from '#tests/support/operator-command.ts';
import { call, cookieOf, getRequest } from '#tests/support/requests.ts';
import { makeSchool, makeUser } from '#tests/support/school.ts';
import { command as backup, copyWithProgram } from '../../scripts/flightline/backup.ts';
import { command as verify } from '../../scripts/flightline/backup-verify.ts';
import { checkBackups } from '../../scripts/flightline/doctor/check-backups.ts';
import { command as restore } from '../../scripts/flightline/restore.ts';
import { ownerUrl } from '#tests/support/database-url.ts';
import { nightly } from '#tests/support/takes-all.ts';

const { db, url: DATABASE_URL } = await testDatabase();
const folder = await mkdtemp(path.join(tmpdir(), 'backup-records-'));
const settings = { DATABASE_URL, DATA_DIR: folder };
beforeAll(() => makeSchool(db));
afterAll(() => rm(folder, { recursive: true }));

const fileOf = async () => path.join(folder, (await findBackupStatus(db)).last?.file ?? '');

it('the database knows when its last backup was made, its size and its file, and which one came before (B1352)', async () => {
  expect(await findBackupStatus(db)).toMatchObject({ last: undefined, verified: undefined });
  const { output } = await runHere(backup, [folder], settings);
  const { last, ageSeconds } = await findBackupStatus(db);
  expect(last?.folder).toBe(folder);
  expect(output).toContain(last?.file);
  expect(output).toContain(`before ${last?.madeAt.toISOString()} is in it`);
  expect(last?.bytes).toBeGreaterThan(1000);
  expect(ageSeconds).toBeLessThan(3600);
  await runHere(backup, [path.join(folder, 'by-hand.tar.gz')], settings);
  expect((await findBackupStatus(db)).last?.file).toBe('by-hand.tar.gz');
});

nightly(
  'a verified backup is recorded by its moment, under whatever name, where the database can be asked (B1352)',
  async () => {
    await runHere(backup, [folder], settings);
    const moved = path.join(folder, 'moved.tar.gz');
    await rename(await fileOf(), moved);
    const into = async () => ['--into', ownerUrl((await emptyDatabase()).url)];
    const alone = await runHere(verify, [moved, ...(await into())], { DATA_DIR: path.join(folder, 'none') });
    expect(alone).toMatchObject({ code: 0, output: expect.not.stringContaining('Not recorded') });
    const away = { ...settings, DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none' };
    expect(await runHere(verify, [moved, ...(await into())], away)).toMatchObject(
      ended(0, 'Not recorded in the database'),
    );
    expect((await findBackupStatus(db)).verified).toBeUndefined();
    expect(await runHere(verify, [moved, ...(await into())], settings)).toMatchObject({ code: 0 });
    expect((await findBackupStatus(db)).verified?.ageSeconds).toBeLessThan(3600);
  },
);

it('of a folder the newest backup by time is verified, and one without any is refused in words (B1352)', async () => {
  await runHere(backup, [folder], settings);
  const { url } = await emptyDatabase();
  const { output } = await runHere(verify, [folder, '--into', ownerUrl(url)], settings);
  expect(output).toContain(`The newest backup there: ${path.basename(await fileOf())}.`);
  expect(output).toMatch(/^Restored \d+ rows? of \d+ tables, /m);
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

nightly(
  'a restored database knows the backups before its own, so that its age tells of none since (B1352)',
  async () => {
    await runHere(backup, [folder], settings);
    const before = await findBackupStatus(db);
    const file = path.join(folder, 'restored.tar.gz');
    await runHere(backup, [file], settings);
    const restored = await emptyDatabase();
    const into = { DATABASE_URL: restored.url, DATA_DIR: path.join(folder, 'new') };
    expect(await runHere(restore, [file], into)).toMatchObject({ code: 0 });
    expect((await findBackupStatus(restored.db)).last).toEqual(before.last);
  },
);

async function scrape() {
  const metrics = createMetrics();
  await collectGauges(metrics);
  return parseMetrics(await metrics.registry.metrics());
}

/** The last backup as if it had been made so long ago. */
const makeOlder = (interval: string) =>
  sql`update backups set made_at = made_at - ${interval}::interval where id = (select max(id) from backups)`.execute(
    db,
  );
const forget = () => db.deleteFrom('backups').execute();
const PUBLIC = { APP_URL: 'https://flights.example.org' };

it('the doctor finds a backup that is overdue, dated ahead or gone, and notes one that nobody verified (B1353)', async () => {
  await forget();
  await runHere(backup, [folder], settings);
  const found = () => checkBackups(db, PUBLIC);
  expect(await found()).toMatchObject({ level: 'note', mend: expect.stringContaining(`backup:verify ${folder}`) });
  await runHere(verify, [folder, '--into', ownerUrl((await emptyDatabase()).url)], settings);
  expect(await found()).toMatchObject({ level: 'ok', text: expect.stringContaining(folder) });
  await sql`update backups set verified_at = verified_at - interval '9 days'`.execute(db);
  expect(await found()).toMatchObject({ level: 'FAULT', text: expect.stringContaining('verified for over a week') });
  expect(await checkBackups(db, {})).toMatchObject({ level: 'note' });
  const file = await fileOf();
  await rename(file, `${file}.away`);
  expect(await found()).toMatchObject({ level: 'FAULT', text: expect.stringContaining('not there any more') });
  await rename(`${file}.away`, file);
  await makeOlder('47 hours');
  expect(await found()).toMatchObject({ level: 'FAULT', text: expect.stringContaining('verified for over a week') });
  await makeOlder('2 hours');
  expect(await found()).toMatchObject({ level: 'FAULT', text: expect.stringContaining('2 days off') });
  await makeOlder('-10 days');
  expect(await found()).toMatchObject({ level: 'FAULT', text: expect.stringContaining('8 days off') });
});

it('a backup that was never made is a note, and a fault where others reach the installation for two days (B1353)', async () => {
  await forget();
  const levels = async () =>
    [await checkBackups(db, {}), await checkBackups(db, PUBLIC)].map(({ level, mend }) => [level, mend?.slice(0, 40)]);
  const make = expect.stringContaining('npm run flightline -- backup FOLDER');
  expect(await levels()).toEqual([
    ['note', make],
    ['note', make],
  ]);
  await sql`update schools set created_at = created_at - interval '3 days'`.execute(db);
  expect(await levels()).toEqual([
    ['note', make],
    ['FAULT', make],
  ]);
});

it('the age of the last backup, or of an installation without any, raises the alert after two days (B1353)', async () => {
  const alarms = async () => {
    const samples = await scrape();
    const names = samples.flatMap(({ name }) => /^flightline_backup_(\w+)/.exec(name)?.[1] ?? []);
    return { names, alarms: alarmsAfter([samples]).filter((name) => name.includes('Backup')) };
  };
  await forget();
  await sql`update schools set created_at = now()`.execute(db);
  expect(await alarms()).toEqual({ names: ['age_seconds'], alarms: [] });
  await sql`update schools set created_at = now() - interval '3 days'`.execute(db);
  expect((await alarms()).alarms).toEqual(['FlightlineBackupOverdue']);
  await runHere(backup, [folder], settings);
  expect(await alarms()).toEqual({
    names: ['age_seconds', 'bytes', 'copy_failed', 'verified_age_seconds'],
    alarms: [],
  });
  await makeOlder('49 hours');
  expect((await alarms()).alarms).toEqual(['FlightlineBackupOverdue']);
});

it('a backup that nobody could verify since the Sunday before is told by doctor, alert and School page (B1535)', async () => {
  await forget();
  await runHere(backup, [folder], settings);
  const told = async () => [
    (await checkBackups(db, PUBLIC)).level,
    ...alarmsAfter([await scrape()]).filter((name) => name.includes('Backup')),
    /None was verified.*/.exec(backupText(await findBackupStatus(db), 'UTC'))?.[0],
  ];
  expect(await told()).toEqual(['note', undefined]);
  const late = ['FAULT', 'FlightlineBackupNotVerified', expect.stringContaining('for over a week: tell whoever')];
  // The first of all was made, and its proof failed, nine days ago; the one of today stands.
  await makeOlder('9 days');
  await runHere(backup, [folder], settings);
  expect(await told()).toEqual(late);
  await runHere(verify, [folder, '--into', ownerUrl((await emptyDatabase()).url)], settings);
  expect(await told()).toEqual(['ok', undefined]);
  await sql`update backups set verified_at = verified_at - interval '9 days'`.execute(db);
  expect(await told()).toEqual(late);
});

it('administrators read when the last backup was made and verified, by the days of their school (B1353)', async () => {
  await forget();
  const schoolId = await makeSchool(db, { time_zone: 'America/Los_Angeles' });
  const shown = async (role: 'administrator' | 'student') => {
    const cookie = await cookieOf(db, await makeUser(db, schoolId, role));
    return loader(call(getRequest('/school-settings', cookie)));
  };
  expect(await shown('student')).not.toHaveProperty('backup');
  expect(await shown('administrator')).toMatchObject({
    backup: 'No backup yet. On the server, `npm run flightline -- backup FOLDER` makes one.',
  });
  await runHere(backup, [folder], settings);
  expect(await shown('administrator')).toMatchObject({
    backup: expect.stringMatching(/^Last backup: \S+ \d\d:\d\d, not verified yet\.$/),
  });
  const words = (made: string, at: string, now: string, ageSeconds = 0) => {
    const last = { madeAt: new Date(made), folder: '/b', file: 'f', bytes: 1, copyFailure: null };
    const verified = { at: new Date(at), ageSeconds: 0 };
    return backupText({ last, ageSeconds, verified, unprovenSeconds: 0 }, 'America/Los_Angeles', new Date(now));
  };
  const [sunday, friday] = ['2026-11-22T13:00:00Z', '2026-11-27T11:10:00Z'];
  expect(words(friday, sunday, '2026-11-27T20:00:00Z')).toBe('Last backup: today 03:10, verified Sunday.');
  expect(words(friday, friday, '2026-11-28T08:00:00Z')).toBe('Last backup: yesterday 03:10, verified yesterday.');
  expect(words(friday, sunday, '2026-12-10T20:00:00Z', 1_000_000)).toBe(
    'Last backup: 27 Nov 2026 03:10, verified 22 Nov 2026. None was made for two days: tell whoever looks after the server.',
  );
});

it('each backup is copied whole, with the same --keep, and doctor notes one disk for both (B1355, B1648)', async () => {
  const [here, there] = [await mkdtemp(path.join(folder, 'here-')), await mkdtemp(path.join(folder, 'there-'))];
  const copying = { ...settings, BACKUP_COPY_TO: there };
  for (let n = 0; n < 3; n += 1) await runHere(backup, [here, '--keep', '2'], copying);
  const names = (await readdir(here)).toSorted();
  expect([names.length, (await readdir(there)).toSorted()]).toEqual([2, names]);
  for (const name of names)
    expect((await readFile(path.join(there, name))).equals(await readFile(path.join(here, name)))).toBe(true);
  expect((await findBackupStatus(db)).last?.copyFailure).toBeNull();
  expect(await checkBackups(db, copying)).toMatchObject({ text: expect.stringMatching(/its copy are on one disk$/) });
});

it('a copy that fails is said, and then told by doctor, alert and School page until one is made (B1355)', async () => {
  await forget();
  const here = await mkdtemp(path.join(folder, 'here-'));
  const copyTo = (BACKUP_COPY_TO: string) => runHere(backup, [here], { ...settings, BACKUP_COPY_TO });
  await expect(copyTo('/nowhere')).rejects.toThrow(
    'The backup is whole, but was not copied to BACKUP_COPY_TO: There is no /nowhere.',
  );
  expect(await readdir(here)).toHaveLength(1);
  await expect(copyTo('/proc')).rejects.toThrow(/was not copied to BACKUP_COPY_TO: .*\/proc/);
  await expect(copyTo(here)).rejects.toThrow(/was not copied to BACKUP_COPY_TO: \S+ exists\.$/);
  expect(await checkBackups(db, {})).toMatchObject({ level: 'FAULT', text: expect.stringContaining('no copy in') });
  expect(alarmsAfter([await scrape()])).toContain('FlightlineBackupNotCopied');
  expect(backupText(await findBackupStatus(db), 'UTC')).toContain('Its copy to the second place failed.');
  await copyTo(await mkdtemp(path.join(folder, 'there-')));
  expect(await checkBackups(db, {})).not.toMatchObject({ level: 'FAULT' });
  expect(alarmsAfter([await scrape()])).not.toContain('FlightlineBackupNotCopied');
});

it('a program of the operator copies each backup; where it does not, command and doctor say why (B1355, B1648)', async () => {
  const [here, there] = [await mkdtemp(path.join(folder, 'here-')), await mkdtemp(path.join(folder, 'there-'))];
  const program = path.join(there, 'copy');
  const copyWith = async (script: string, mode = 0o700) => {
    await writeFile(program, `#!/bin/sh\n${script}\n`);
    await chmod(program, mode);
    return runHere(backup, [here], { ...settings, BACKUP_COPY_TO: program });
  };
  await copyWith(`cp "$1" '${there}/away.tar.gz'`);
  const [name = ''] = await readdir(here);
  expect(await readFile(path.join(there, 'away.tar.gz'))).toEqual(await readFile(path.join(here, name)));
  expect((await findBackupStatus(db)).last?.copyFailure).toBeNull();
  await expect(copyWith('echo first >&2; echo The bucket is full. >&2; exit 3')).rejects.toThrow(
    `not copied to BACKUP_COPY_TO: ${program} ended with 3: The bucket is full.`,
  );
  expect((await checkBackups(db, {})).text).toContain(
    `: no copy by ${program}: ${program} ended with 3: The bucket is full.`,
  );
  await expect(copyWith('exit 0', 0o600)).rejects.toThrow(`${program} is neither a folder nor a program`);
  await expect(copyWith('kill -9 $$')).rejects.toThrow(`BACKUP_COPY_TO: ${program} was ended by SIGKILL.`);
  // It waits for what is typed, and says more than is kept.
  await copyWith('cat; head -c 2000000 /dev/zero');
  await writeFile(program, '#!/bin/sh\nexec sleep 86400\n');
  await chmod(program, 0o700);
  expect(await copyWithProgram(program, name, 1)).toBe(`${program} took too long, and was ended.`);
});

/** A disk of 3 MB, with room for `left` bytes, where the user of the embedded Postgres can go, too. */
async function smallDisk(left: number): Promise<string> {
  const disk = await mkdtemp(path.join(tmpdir(), 'disk-'));
  execFileSync('/bin/mount', ['-t', 'tmpfs', '-o', 'size=3m,mode=777', 'tmpfs', disk]);
  onTestFinished(() => {
    execFileSync('/bin/umount', ['--lazy', disk]);
    return rm(disk, { recursive: true });
  });
  await writeFile(path.join(disk, 'other'), Buffer.alloc(3 * 2 ** 20 - left));
  return disk;
}
const mounts = process.getuid?.() === 0 && process.platform === 'linux';
const big = () =>
  sql`insert into photos (school_id, user_id, content, width, height)
    select school_id, id, ${randomBytes(300_000)}, 8, 6 from users where school_id is not null limit 1`.execute(db);

it.runIf(mounts)(
  'a full disk fails the backup, its copy and its proof in words, with what helps there (B1356)',
  async () => {
    await makeUser(db, await makeSchool(db));
    await big();
    const disk = await smallDisk(100_000);
    const full = 'No space is left on the disk.';
    await expect(runHere(backup, [disk], settings)).rejects.toThrow(/ENOSPC/);
    const copying = { ...settings, BACKUP_COPY_TO: disk };
    await expect(runHere(backup, [folder], copying)).rejects.toThrow(`not copied to BACKUP_COPY_TO: ${full}`);
    expect(await readdir(disk)).toEqual(['other']);
    vi.stubEnv('TMPDIR', disk);
    onTestFinished(() => void vi.unstubAllEnvs());
    await expect(runHere(verify, [await fileOf()], settings)).rejects.toThrow(
      `The disk of ${disk} is full: the copy of the database needs room there. Make room, or set TMPDIR to a folder on another disk.`,
    );
  },
);

it('what fails records no backup and no proof, so that the age of the last one tells (B1356)', async () => {
  await runHere(backup, [folder], settings);
  const before = await findBackupStatus(db);
  const damaged = path.join(folder, 'damaged.tar.gz');
  const whole = await readFile(await fileOf());
  await writeFile(damaged, whole.subarray(0, whole.length / 2));
  const failing: [typeof backup, string, string][] = [
    [backup, '/nowhere/school.tar.gz', 'There is no folder /nowhere.'],
    [backup, `${folder}/gone/`, `There is no folder ${folder}/gone/.`],
    [backup, await fileOf(), 'exists: give another name'],
    [backup, '/proc/school.tar.gz', '/proc/school.tar.gz'],
    [verify, '/nowhere/school.tar.gz', 'There is no /nowhere/school.tar.gz.'],
    [verify, damaged, 'damaged'],
  ];
  for (const [command, file, words] of failing) await expect(runHere(command, [file], settings)).rejects.toThrow(words);
  const gone = path.join(folder, 'gone');
  await expect(runHere(backup, [gone, '--keep', '14'], settings)).rejects.toThrow(`There is no folder ${gone}.`);
  const away = { ...settings, DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none' };
  await expect(runHere(backup, [folder], away)).rejects.toThrow('cannot be reached');
  const after = await findBackupStatus(db);
  expect([after.last, after.verified?.at]).toEqual([before.last, before.verified?.at]);
});
