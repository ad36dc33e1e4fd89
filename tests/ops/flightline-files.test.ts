import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, open, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readArchive } from '#db/backup/archive.ts';
import { systemErrorText } from '#db/startup-error.ts';
import { sweepTemporaryFolders, temporaryFolderPrefix, writeWholeFile } from '#db/whole-file.ts';
import { emptyDatabase, testDatabase } from '#tests/support/database.ts';
import { start, startCommand } from '#tests/support/program.ts';
import { makePeople, makeSchool } from '#tests/support/school.ts';
import { checkDisks } from '../../scripts/flightline/doctor/check-machine.ts';
import { nightly } from '#tests/support/takes-all.ts';

const { db, url: DATABASE_URL } = await testDatabase();

const flightline = (...args: string[]) => flightlineOf(DATABASE_URL, ...args);

async function flightlineOf(url: string, ...args: string[]) {
  const program = startCommand('flightline', args, { env: { DATABASE_URL: url } });
  return { code: await program.ended(), output: program.output() };
}

const errorOf = (work: Promise<unknown>) => work.then(() => undefined).catch((error: unknown) => error);
const refused = (code: string, at?: string) =>
  Object.assign(new Error(`${code}: refused`), { code, syscall: 'open', ...(at !== undefined && { path: at }) });

it('what the system refuses of a file is said in words, by the name that was given (B959)', async () => {
  const full = await open('/dev/full', 'w');
  onTestFinished(() => full.close());
  expect(systemErrorText(await errorOf(full.write('x')))).toBe('No space is left on the disk.');
  expect(systemErrorText(await errorOf(readFile('/nowhere/at-all')))).toBe('There is no /nowhere/at-all.');
  expect(systemErrorText(await errorOf(once(connect('/nowhere/.s.PGSQL.5432'), 'connect')))).toBe(undefined);
  const partial = '/nowhere/school.zip.4711-46d19f59-00ff.partial';
  expect(systemErrorText(refused('ENOENT', partial))).toBe('There is no folder /nowhere.');
  expect(systemErrorText(refused('EACCES', '/root/b.tar.gz.46d19f59.partial'))).toBe(
    'This user may not read or write /root/b.tar.gz.',
  );
  expect(systemErrorText(refused('EROFS', '/mnt/b'))).toBe('/mnt/b is on a disk that takes no writes.');
  for (const folder of ['/dev/null', '/dev/null/data'])
    expect(systemErrorText(await errorOf(mkdir(folder, { recursive: true })))).toBe(
      `${folder} can be no folder: it, or what it is in, is a file.`,
    );
  expect(systemErrorText(refused('EISDIR'))).toBeUndefined();
  expect(systemErrorText(new Error('ENOSPC'))).toBeUndefined();
});

/** A folder of the test's own. */
async function ownFolder(name: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), `${name}-`));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

it('what killed commands have left of a file is removed by the next one, and nothing else is (B1351, B1536)', async () => {
  const folder = await ownFolder('flightline-test');
  const { pid: ended } = spawnSync(process.execPath, ['--version']);
  const hoursAgo = new Date(Date.now() - 2 * 60 * 60_000);
  const place = async (name: string, written = new Date()) => {
    await writeFile(path.join(folder, name), '');
    await utimes(path.join(folder, name), written, written);
    return name;
  };
  await writeWholeFile(path.join(folder, 'own'), async (partial) => {
    const own = path.basename(partial);
    const of = (pid: number, name: string) => own.replace('own', name).replace(`.${process.pid}-`, `.${pid}-`);
    const film = await place(of(ended, 'film'));
    const running = await place(of(process.pid, 'flightline-20260103T000000000Z.tar.gz'), hoursAgo);
    const recent = await place('flightline-20260102T000000Z.tar.gz.46d19f59.partial');
    const elsewhere = await place('flightline-20260102T000000Z.tar.gz.4711-00000000-46d1.partial');
    await place(of(ended, 'flightline-20260104T000000000Z.tar.gz'));
    await place('flightline-20260101T000000Z.tar.gz.enc.46d19f59.partial', hoursAgo);
    await place('flightline-20260101T000000Z.tar.gz.4711-00000000-46d1.partial', hoursAgo);
    const older = await place('flightline-20260101T000000Z.tar.gz', hoursAgo);
    const written = 'flightline-20260105T000000000Z.tar.gz';
    await writeWholeFile(path.join(folder, written), (file) => writeFile(file, ''));
    expect(await readdir(folder)).toEqual([film, older, recent, elsewhere, running, written].toSorted());
    await writeFile(partial, '');
  });
});

it('the temporary folder of a command that runs stays, and that of one that was killed goes (B1351)', async () => {
  const ended = spawnSync(process.execPath, ['--version']).pid;
  const own = await mkdtemp(temporaryFolderPrefix('verify'));
  const left = await mkdtemp(own.replace(`-${process.pid}-`, `-${ended}-`));
  onTestFinished(() => rm(own, { recursive: true }));
  await sweepTemporaryFolders();
  expect([existsSync(own), existsSync(left)]).toEqual([true, false]);
});

nightly(
  'a backup, a user and a school that there are not are refused in words, before anything is asked (B959)',
  async () => {
    const nowhere = '/nowhere/flightline.tar.gz';
    await makePeople(db, await makeSchool(db));
    await expect(readArchive(nowhere)).rejects.toThrow(/^There is no \/nowhere\/flightline\.tar\.gz\.$/);
    for (const [words, text] of [
      [['restore', nowhere], `There is no ${nowhere}.`],
      [['user:password', 'nobody'], 'User not found.'],
      [['user:list', '--school', 'Nowhere'], "There is no school 'Nowhere'."],
    ] as const)
      expect(await flightline(...words)).toEqual({ code: 1, output: `\n${text}\n` });
  },
);

nightly('the doctor names a DATA_DIR that cannot be written, and one that cannot be made (B959)', async () => {
  const found = async (DATA_DIR: string) => (await checkDisks({ DATA_DIR }))[0];
  const inFile = '/proc/self/status/data';
  expect(await found(inFile)).toMatchObject({ level: 'FAULT', text: `${inFile} cannot be made` });
  expect(await found('/proc/self')).toMatchObject({ level: 'FAULT', text: '/proc/self cannot be written' });
  const folder = await ownFolder('doctor');
  expect(await found(path.join(folder, 'data'))).toMatchObject({ level: 'note' });
  expect((await found(folder))?.text).not.toContain('cannot');
});

it('from any folder `flightline` takes a file from there, and settings from its installation (B1410)', async () => {
  const cwd = await ownFolder('elsewhere');
  await makePeople(db, await makeSchool(db));
  const command = start(path.resolve('scripts/bin.mjs'), ['backup', 'own.tar.gz'], { cwd, env: { DATABASE_URL } });
  expect([await command.ended(), command.output()]).toEqual([0, expect.stringContaining(`${cwd}/own.tar.gz`)]);
  expect(await readdir(cwd)).toEqual(['own.tar.gz']);
});

it('settings that this user may not read are named in a sentence (B966)', async () => {
  const cwd = await ownFolder('settings');
  // As unreadable to root, too.
  await mkdir(path.join(cwd, '.env'));
  const program = start('node', [path.resolve('build/launcher/flightline.js'), 'db:status'], { cwd });
  const code = await program.ended();
  expect({ code, output: program.output() }).toEqual({
    code: 1,
    output: `\n${cwd}/.env cannot be read by this user. Run it as the user who runs Flightline: runuser -u flightline -- npm run …\n`,
  });
});

it('a .env of Windows is read as it is typed; one that is no text, or mistypes a name, is refused in words (B1701)', async () => {
  const cwd = await ownFolder('typed');
  const file = path.join(cwd, '.env');
  const statusWith = async (content: string | Buffer) => {
    await writeFile(file, content);
    const program = start('node', [path.resolve('build/launcher/flightline.js'), 'db:status'], { cwd });
    return [await program.ended(), program.output()];
  };
  const typed = `\ufeffDATABASE_URL="${DATABASE_URL}"\r\nNODE_OPTIONS=\r\n`;
  expect(await statusWith(typed)).toEqual([0, expect.stringContaining('(of DATABASE_URL)')]);
  expect(await statusWith(Buffer.from(typed, 'utf16le'))).toEqual([1, `\n${file} is no UTF-8 text: save it as one.\n`]);
  expect(await statusWith(`DATABSE_URL=${DATABASE_URL}`)).toEqual([
    1,
    `\n${file} says DATABSE_URL, which is no setting: write DATABASE_URL.\n`,
  ]);
});

nightly('a database without tables is not backed up, and nobody takes the file for a backup (B966)', async () => {
  const folder = await ownFolder('nothing');
  const { url } = await emptyDatabase();
  const empty = (...args: string[]) => flightlineOf(url, ...args);
  const backup = await empty('backup', folder, '--keep', '1');
  expect(backup.output).toMatch(/^\nThe database at \S+ has no tables of Flightline: nothing was backed up\./);
  expect([backup.code, await readdir(folder)]).toEqual([1, []]);
  const doctor = await empty('doctor', '--quiet');
  expect(doctor.output).toContain('FAULT   schema: is not there: the database is empty');
  expect(await empty('backup:verify', 'x.tar.gz', '--into', 'nonsense')).toMatchObject({
    code: 2,
    output: '\n--into must be a postgres:// address.\n',
  });
});
