import { copyFile, open, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { writeBackup } from '#db/backup/dump.ts';
import { encryptsBackups } from '#db/backup/encryption.ts';
import { BACKUP_COPY_MS } from '#db/deadlines.ts';
import { findExecutedMigrations } from '#db/migrate.ts';
import { StartupError, systemErrorText } from '#db/startup-error.ts';
import { writeWholeFile } from '#db/whole-file.ts';
import { recordBackup, recordCopyOutcome } from '#app/domain/backups/backup-records.server.ts';
import { ensureDatabase, withDatabase, withoutPassword } from '../launcher/database.ts';
import { defineCommand, UsageError } from './command.ts';
import { listDataFiles } from './data-files.ts';
import { record } from './record.ts';
import { count, describeRows, size, tellRemoved } from './words.ts';

export const command = defineCommand({
  summary: 'writes everything to one file, while the product runs',
  help: `Writes all rows of all tables, photos included, and the secret of DATA_DIR to FILE, a gzipped tar. Mails that
wait with a link are given up in it, and files of mails stay out: their links work.
It shows the database as it was at one moment: every change that was answered before it is in it. The product may go on
running. FILE gets its name once it is complete and on the disk; a backup that was killed leaves only a .partial file, which
the next one into the folder removes. Where FILE is a folder, the backup is named by the time. It holds
password hashes and the secret: keep it like those. With BACKUP_PASSPHRASE it is encrypted, as openssl does, and a name by
the time ends with .enc. With BACKUP_COPY_TO it is then copied to that folder,
with the same --keep, or by that program, which has six hours; a copy that fails exits with 1. The database records each backup, for the doctor, the metrics and the School page.`,
  operands: ['FILE'],
  options: {
    overwrite: { type: 'boolean', about: 'replaces FILE where it exists' },
    keep: { type: 'string', about: 'of the backups named by time in the folder FILE, keeps so many of the newest' },
  },
  run: async ({ operands: [target = ''], values, settings }) => {
    const keep = readKeep(values.keep);
    const folder = await isFolder(target);
    const isGone = !folder && !(await stat(target).catch(() => undefined));
    if (isGone && (keep !== undefined || target.endsWith('/'))) throw new StartupError(`There is no folder ${target}.`);
    if (keep !== undefined && !folder) throw new UsageError('--keep needs a folder: it counts the backups in it.');
    const file = path.resolve(folder ? path.join(target, nameByTime(new Date())) : target);
    if (!values.overwrite && (await stat(file).catch(() => undefined)))
      throw new StartupError(`${file} exists: give another name, or --overwrite.`);
    await assertFolder(path.dirname(file));
    const start = Date.now();
    const { url } = await ensureDatabase(settings);
    await assertTables(url);
    const { createdAt, rows, files, removed } = await writeBackup(url, file, () => listDataFiles(settings.DATA_DIR));
    tellRemoved(removed);
    const { size: bytes } = await stat(file);
    const seconds = ((Date.now() - start) / 1000).toFixed(1);
    console.log(`${describeRows(rows)}, and ${count(files, 'file')}: ${file}, ${size(bytes)}, in ${seconds} s.`);
    console.log(`Everything that was answered before ${createdAt.toISOString()} is in it.`);
    const made = { madeAt: createdAt, folder: path.dirname(file), file: path.basename(file), bytes };
    const place = settings.BACKUP_COPY_TO;
    const missing = await missingCopy(place);
    await record(
      async () => url,
      (db) => recordBackup(db, { ...made, copyFailure: missing }),
    );
    if (keep !== undefined) await removeOldBackups(target, keep, made.file);
    if (place === undefined) return 0;
    const failure = await copyTo(place, file, values.overwrite ?? false);
    await record(
      async () => url,
      (db) => recordCopyOutcome(db, createdAt, failure === undefined ? null : `${missing}: ${failure}`),
    );
    if (failure !== undefined)
      throw new StartupError(`The backup is whole, but was not copied to BACKUP_COPY_TO: ${failure}`);
    if (keep !== undefined && (await isFolder(place))) await removeOldBackups(place, keep, made.file);
    return 0;
  },
});

function readKeep(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (!/^[1-9]\d{0,4}$/.test(value)) throw new UsageError('--keep must be a number of backups, 1 or more.');
  return Number(value);
}

async function isFolder(target: string): Promise<boolean> {
  return (await stat(target).catch(() => undefined))?.isDirectory() ?? false;
}

async function assertFolder(folder: string): Promise<void> {
  if (!(await isFolder(folder))) throw new StartupError(`There is no folder ${folder}.`);
}

/** Refuses an empty database: its backup would push the right ones out. */
async function assertTables(url: string): Promise<void> {
  if ((await withDatabase(url, findExecutedMigrations)).length > 0) return;
  throw new StartupError(
    `The database at ${withoutPassword(url)} has no tables of Flightline: nothing was backed up. See DATABASE_URL and DATA_DIR.`,
  );
}

const NAME_BY_TIME = /^flightline-\d{8}T\d{6}(\d{3})?Z\.tar\.gz(\.enc)?$/;

/** Names of backups that `nameByTime` gave, now or in an earlier version, by their time. */
async function backupsByTime(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => NAME_BY_TIME.test(name)).toSorted();
}

/** Names a backup so that the order by name is the order by time. */
export function nameByTime(time: Date): string {
  const ending = encryptsBackups() ? 'tar.gz.enc' : 'tar.gz';
  return `flightline-${time.toISOString().replaceAll(/[-:.]/g, '')}.${ending}`;
}

/** What is recorded until there is a copy, so that a killed command is told of as well. */
async function missingCopy(place: string | undefined): Promise<string | null> {
  if (place === undefined) return null;
  return `no copy ${(await isFolder(place)) ? 'in' : 'by'} ${place}`;
}

/** Copies the backup to its second place. Returns why it failed, if it did. */
async function copyTo(place: string, file: string, overwrite: boolean): Promise<string | undefined> {
  const toFolder = await isFolder(place);
  const failure = toFolder ? await copyBackup(file, place, overwrite) : await copyWithProgram(place, file);
  if (failure === undefined) console.log(toFolder ? `Copied to ${place}.` : `Copied by ${place}.`);
  return failure;
}

/** Removes all but the newest. Names later than `made`, the one just made, are of a clock that was wrong, and go first. */
async function removeOldBackups(folder: string, keep: number, made: string): Promise<void> {
  const names = await backupsByTime(folder);
  const isLater = (name: string) => name > made;
  for (const name of [...names.filter(isLater), ...names.filter((each) => !isLater(each))].slice(0, -keep)) {
    await rm(path.join(folder, name));
    console.log(`Removed ${name}: ${count(keep, 'newer backup')} there.`);
  }
}

/** Returns the backup named by the time that is the newest there; names of a time to come are of a clock that was wrong. */
export async function findNewestBackup(folder: string): Promise<string | undefined> {
  const names = await backupsByTime(folder);
  const made = names.filter((name) => name <= nameByTime(new Date()));
  return made.at(-1) ?? names.at(-1);
}

/** Has a program of the operator's copy a backup, whose name is its argument. Returns why it failed, if it did. */
export async function copyWithProgram(program: string, file: string, limitMs = BACKUP_COPY_MS) {
  try {
    const copying = promisify(execFile)(program, [file], {
      timeout: limitMs,
      killSignal: 'SIGKILL',
      maxBuffer: Infinity,
    });
    // It has nothing to read.
    copying.child.stdin?.end();
    await copying;
    return undefined;
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error;
    if ('killed' in error && error.killed) return `${program} took too long, and was ended.`;
    if (error.code === 'EACCES') return `${program} is neither a folder nor a program that this user may run.`;
    if ('signal' in error && error.signal) return `${program} was ended by ${String(error.signal)}.`;
    if (typeof error.code !== 'number') return systemErrorText(error) ?? error.message;
    const said = 'stderr' in error ? String(error.stderr).trim().split('\n').at(-1) : '';
    return `${program} ended with ${error.code}: ${said || 'it did not say why'}`;
  }
}

/** Copies a backup to the folder of the second place, under its name once it is whole. Returns why it failed, if it did. */
export async function copyBackup(file: string, folder: string, overwrite: boolean): Promise<string | undefined> {
  const target = path.join(folder, path.basename(file));
  if (!overwrite && (await stat(target).catch(() => undefined))) return `${target} exists.`;
  try {
    const removed = await writeWholeFile(target, async (partial) => {
      await copyFile(file, partial, constants.COPYFILE_EXCL);
      const handle = await open(partial, 'r+');
      await handle.sync().finally(() => handle.close());
    });
    tellRemoved(removed);
    return undefined;
  } catch (error) {
    return systemErrorText(inPlace(error)) ?? (error instanceof Error ? error.message : String(error));
  }
}

/** The error of copyFile names the source first, while it is the copy that cannot be written. */
function inPlace(error: unknown): unknown {
  return error instanceof Error && 'dest' in error ? Object.assign(error, { path: error.dest }) : error;
}
