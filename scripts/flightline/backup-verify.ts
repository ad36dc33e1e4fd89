import { chmod, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { recordVerification } from '#app/domain/backups/backup-records.server.ts';
import { onShutdown } from '#app/server/remix-serve/shutdown.server.ts';
import { inspectBackup, type RestoredBackup, restoreBackup } from '#db/backup/load.ts';
import { isDiskFull } from '#db/database-trouble.ts';
import { throwInWords } from '#db/embedded/full-disk.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#db/embedded/launch.ts';
import { StartupError } from '#db/startup-error.ts';
import { postgresFoldersOf, sweepTemporaryFolders, temporaryFolderPrefix } from '#db/whole-file.ts';
import { ensureDatabase } from '../launcher/database.ts';
import type { LaunchSettings } from '../launcher/environment.ts';
import { findNewestBackup } from './backup.ts';
import { defineCommand, UsageError } from './command.ts';
import { record } from './record.ts';
import { reportRestored, tellRemoved } from './words.ts';

export const command = defineCommand({
  summary: 'proves that a backup can be restored, beside the product',
  help: `Restores FILE into a Postgres of its own in the temporary folder, compares the number of rows and the text of every row
with what was backed up, migrates it to this version and lets the doctor look at it. Then it removes everything again. Where
FILE is a folder, it takes the newest backup in it that is named by the time. It needs no database of the product: where it
reaches that one, it records there that the backup was verified. With --into it restores into that empty database instead,
and leaves it there.`,
  operands: ['FILE'],
  options: {
    into: { type: 'string', about: 'postgres:// address of an empty database, where no Postgres is packaged' },
  },
  run: async ({ operands: [target = ''], values, settings }) => {
    if (values.into !== undefined && !/^postgres(ql)?:\/\//.test(values.into))
      throw new UsageError('--into must be a postgres:// address.');
    const file = await findFile(target);
    // A damaged file is known without a database.
    await inspectBackup(file);
    const verified = await (values.into === undefined ? verifyAside(file) : verify(values.into, file));
    if (await hasDatabase(settings))
      await record(
        async () => (await ensureDatabase(settings)).url,
        (db) => recordVerification(db, new Date(verified.header.createdAt)),
      );
    return reportRestored(verified);
  },
});

/** The newest backup of a folder, or the file itself. */
async function findFile(target: string): Promise<string> {
  if (!(await stat(target).catch(() => undefined))?.isDirectory()) return target;
  const newest = await findNewestBackup(target);
  if (newest === undefined) throw new StartupError(`There is no backup in ${target} that is named by the time.`);
  console.log(`The newest backup there: ${newest}.`);
  return path.join(target, newest);
}

async function verify(url: string, file: string): Promise<RestoredBackup> {
  const restored = await restoreBackup(url, file, { compare: true });
  console.log('Every row reads back as it was written.');
  return restored;
}

async function verifyAside(file: string): Promise<RestoredBackup> {
  try {
    const throwaway = await startThrowawayPostgres();
    return await verify(throwaway.url, file).finally(throwaway.remove);
  } catch (error) {
    // The database's own advice is about DATA_DIR.
    return throwInWords(error instanceof StartupError && isDiskFull(error.cause) ? error.cause : error, tmpdir(), ROOM);
  }
}

const ROOM = 'the copy of the database needs room there. Make room, or set TMPDIR to a folder on another disk.';

/** False where an embedded database would have to be made first. */
async function hasDatabase({ DATABASE_URL, DATA_DIR }: LaunchSettings): Promise<boolean> {
  if (DATABASE_URL !== undefined) return true;
  const places = ['postgres', 'postgres-home'].map((name) => stat(path.join(DATA_DIR, name)).catch(() => undefined));
  return (await Promise.all(places)).some((place) => place !== undefined);
}

/**
 * Settings that give up the promise that a power failure loses nothing: the copy is made quicker, and nobody needs it
 * afterwards.
 */
const QUICK = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', autovacuum: 'off' };

async function startThrowawayPostgres(): Promise<{ url: string; remove: () => Promise<void> }> {
  tellRemoved(await sweepTemporaryFolders());
  const folder = await mkdtemp(temporaryFolderPrefix('verify'));
  // If root starts Postgres, it runs as another user.
  if (process.getuid?.() === 0) await chmod(folder, 0o755);
  const starting = startEmbeddedPostgres(folder, QUICK);
  let removing: Promise<void> | undefined;
  const remove = () => (removing ??= removeServer(folder, starting));
  onShutdown('postgres', remove);
  return { url: (await starting).ownerUrl, remove };
}

async function removeServer(folder: string, starting: Promise<EmbeddedPostgres>): Promise<void> {
  const places = await postgresFoldersOf(folder);
  await starting.then((server) => server.stop()).catch(() => {});
  for (const place of places) await rm(place, { recursive: true, force: true, maxRetries: 5 });
}
