import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { onShutdown } from '#app/server/remix-serve/shutdown.server.ts';
import { inspectBackup, restoreBackup } from '#db/backup/load.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#db/embedded/launch.ts';
import { defineCommand, UsageError } from './command.ts';
import { sweepTemporaryFolders, temporaryFolder } from './leavings.ts';
import { reportRestored } from './report-restored.ts';

export const command = defineCommand({
  summary: 'proves that a backup can be restored, beside the product',
  help: `Restores FILE into a Postgres of its own in the temporary folder, compares the number of rows and the text of every row
with what was backed up, migrates it to this version and lets the doctor look at it. Then it removes everything again. The
product and its database are not touched. With --into it restores into that empty database instead, and leaves it there.`,
  operands: ['FILE'],
  options: {
    into: { type: 'string', about: 'postgres:// address of an empty database, where no Postgres is packaged' },
  },
  run: async ({ operands: [file = ''], values }) => {
    if (values.into !== undefined && !/^postgres(ql)?:\/\//.test(values.into))
      throw new UsageError('--into must be a postgres:// address.');
    // A damaged file is known without a database.
    await inspectBackup(file);
    if (values.into !== undefined) return verify(values.into, file);
    const throwaway = await startThrowawayPostgres();
    return verify(throwaway.url, file).finally(throwaway.remove);
  },
});

async function verify(url: string, file: string): Promise<0 | 1> {
  const restored = await restoreBackup(url, file, { compare: true });
  console.log('Every row reads back as it was written.');
  return reportRestored(restored);
}

/**
 * Settings that give up the promise that a power failure loses nothing: the copy is made quicker, and nobody needs it
 * afterwards.
 */
const QUICK = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', autovacuum: 'off' };

async function startThrowawayPostgres(): Promise<{ url: string; remove: () => Promise<void> }> {
  await sweepTemporaryFolders();
  const folder = await mkdtemp(temporaryFolder('verify'));
  // If root starts Postgres, it runs as another user.
  if (process.getuid?.() === 0) await chmod(folder, 0o755);
  const starting = startEmbeddedPostgres(folder, QUICK);
  let removing: Promise<void> | undefined;
  const remove = () => (removing ??= removeServer(folder, starting));
  onShutdown('postgres', remove);
  return { url: (await starting).url, remove };
}

async function removeServer(folder: string, starting: Promise<EmbeddedPostgres>): Promise<void> {
  const elsewhere = await readFile(path.join(folder, 'postgres-home'), 'utf8').catch(() => undefined);
  await starting.then((server) => server.stop()).catch(() => {});
  for (const each of [folder, elsewhere?.trim()])
    if (each) await rm(each, { recursive: true, force: true, maxRetries: 5 });
}
