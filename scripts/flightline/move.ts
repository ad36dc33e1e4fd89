import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { writeBackup } from '#db/backup/dump.ts';
import { DatabaseInUseError, restoreBackup } from '#db/backup/load.ts';
import { databaseRoleOf } from '#db/product-role.ts';
import { StartupError } from '#db/startup-error.ts';
import { sweepTemporaryFolders, temporaryFolderPrefix } from '#db/whole-file.ts';
import { ensureDatabase, withDatabase, withoutPassword } from '../launcher/database.ts';
import { defineCommand, UsageError } from './command.ts';
import { reportRestored, tellRemoved } from './words.ts';
import { assertNotRunning } from './current-schema.ts';

export const command = defineCommand({
  summary: 'copies everything to the empty database URL, and compares it',
  help: `Copies the database that the settings lead to, as a rule the embedded one, to the empty database URL
(postgres://user:password@host/name), reads every row back there and compares it, and prints what to set so that Flightline
uses it. Stop Flightline first: what was written after the copy would be missing. The old database stays as it is. With
--owner the tables belong to another role there than the one that Flightline uses.`,
  operands: ['URL'],
  options: { owner: { type: 'string', about: 'postgres:// address of the same database for the owner of its tables' } },
  run: async ({ operands: [url = ''], values, settings }) => {
    const target = values.owner ?? url;
    for (const [name, address] of Object.entries({ URL: url, '--owner': target }))
      if (!/^postgres(ql)?:\/\//.test(address)) throw new UsageError(`${name} must be a postgres:// address.`);
    const { url: source } = await ensureDatabase(settings);
    if (url === source) throw new UsageError('URL is the database that is used already.');
    await assertNotRunning(source);
    await withDatabase(target, async () => {});
    tellRemoved(await sweepTemporaryFolders());
    const folder = await mkdtemp(temporaryFolderPrefix('move'));
    try {
      const file = path.join(folder, 'backup.tar.gz');
      await writeBackup(source, file, async () => [], { keepsLinks: true });
      const restored = await restoreBackup(target, file, { compare: true, product: databaseRoleOf(url) }).catch(
        explainUsed,
      );
      console.log(`Every row reads back from ${withoutPassword(target)} as it was written.`);
      const code = reportRestored(restored);
      const owner = values.owner === undefined ? '' : `  DATABASE_OWNER_URL=${values.owner}\n`;
      console.log(`\nNow set in .env, or wherever the settings of the server are:\n\n  DATABASE_URL=${url}\n${owner}`);
      console.log(`DATA_DIR stays ${settings.DATA_DIR}. The old database was not changed.`);
      return code;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
});

function explainUsed(error: unknown): never {
  if (error instanceof DatabaseInUseError)
    throw new StartupError('The database of URL is not empty: nothing was copied. Create a new one, and give that.');
  throw error;
}
