import { forgetHeads, headsFile } from '#app/domain/audit/chain-heads.server.ts';
import { DatabaseInUseError, inspectBackup, restoreBackup } from '#db/backup/load.ts';
import { databaseRoleOf } from '#db/product-role.ts';
import { StartupError } from '#db/startup-error.ts';
import { ensureDatabase } from '../launcher/database.ts';
import { defineCommand } from './command.ts';
import { restoreDataFiles } from './data-files.ts';
import { assertNotRunning } from './current-schema.ts';
import { count, reportRestored } from './words.ts';

export const command = defineCommand({
  summary: 'restores a backup, all of it or nothing',
  help: `Restores FILE into the database of DATABASE_URL, or the embedded one of DATA_DIR: the schema of the backup, its rows,
then the migrations of this version, all in one transaction. Whatever fails, the database is as it was before.
It refuses a database that is not empty, and one that a running Flightline uses.
With --replace the tables that are there move to a schema beside them, before_restore_ with the time, and stay until you
remove it: drop schema before_restore_… cascade. Files of DATA_DIR that exist are left as they are.`,
  operands: ['FILE'],
  options: { replace: { type: 'boolean', about: 'moves what is in the database aside first' } },
  run: async ({ operands: [file = ''], values, settings }) => {
    // The file is checked before anybody stops the product for it.
    await inspectBackup(file);
    const { url, ownerUrl } = await ensureDatabase(settings);
    await assertNotRunning(url);
    const options = { replace: values.replace ?? false, product: databaseRoleOf(url) };
    const restored = await restoreBackup(ownerUrl, file, options).catch(explainUsed);
    await forgetHeads(headsFile(settings.DATA_DIR));
    const { written, kept } = await restoreDataFiles(settings.DATA_DIR, file);
    console.log(
      `${count(written, 'file')} written to ${settings.DATA_DIR}${kept.length > 0 ? `; ${count(kept.length, 'file')} existed and stayed` : ''}.`,
    );
    return reportRestored(restored);
  },
});

function explainUsed(error: unknown): never {
  if (error instanceof DatabaseInUseError)
    throw new StartupError(
      'The database is not empty: nothing was changed. Give an empty one by DATABASE_URL, or move aside what is there with --replace.',
    );
  throw error;
}
