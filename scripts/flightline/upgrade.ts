import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { type BackupRecord, recordBackup } from '#app/domain/backups/backup-records.server.ts';
import { writeBackup } from '#db/backup/dump.ts';
import { inOneTransaction } from '#db/backup/session.ts';
import { findFault, findFaults } from '#db/doctor/find-faults.ts';
import { RULES } from '#db/doctor/rules.ts';
import {
  areAllPending,
  assertKnownSchema,
  FORMER_SCHEMA_TEXT,
  hasFormerSchema,
  migrateInTransaction,
  findPendingMigrations,
} from '#db/migrate.ts';
import { grantStatementFor, databaseRoleOf } from '#db/product-role.ts';
import { StartupError } from '#db/startup-error.ts';
import { type DatabaseAddresses, ensureDatabase, migrate, withDatabase } from '../launcher/database.ts';
import { nameByTime } from './backup.ts';
import { defineCommand } from './command.ts';
import { listDataFiles } from './data-files.ts';
import { record } from './record.ts';
import { describeFault, tellRemoved } from './words.ts';

export const command = defineCommand({
  summary: "backs up, migrates to this version's schema, checks, and backs out where that fails",
  help: `Run it after the new version is installed and built, before it is started; the old version may go on serving meanwhile.
1. It writes a backup to DATA_DIR/backups.
2. In one transaction it runs the migrations and lets the doctor look at every row.
3. If a migration fails, or the doctor finds a fault that was not there before, the transaction is rolled back: the database
   is as it was, nothing written meanwhile is lost, and the old version goes on. The backup is not needed for that.
The schema of this version serves the version before it too. To go back later, start the old version again; to go back to
the data of that moment, restore the backup with --replace by this version first.`,
  operands: [],
  options: { 'backup-folder': { type: 'string', about: 'where the backup goes, instead of DATA_DIR/backups' } },
  run: async ({ values, settings }) => {
    const addresses = await ensureDatabase(settings);
    // A role that has just been made for the product has no rights yet.
    const { ownerUrl: url } = addresses;
    const { pending, isFormer } = await withDatabase(url, async (db) => {
      await assertKnownSchema(db);
      return { pending: await findPendingMigrations(db), isFormer: await hasFormerSchema(db) };
    });
    const isEmpty = areAllPending(pending);
    if (isEmpty || pending.length === 0) {
      await migrate(addresses);
      return say(
        isEmpty
          ? 'The database was empty: its tables are made.'
          : "The schema is this version's already: nothing to do.",
      );
    }
    const made = await backUp(url, settings.DATA_DIR, values['backup-folder']);
    const before = await countFaults(url);
    const executed = await migrateOrBackOut(addresses, before, path.join(made.folder, made.file));
    await record(
      async () => url,
      (db) => recordBackup(db, made),
    );
    if (isFormer) console.log(FORMER_SCHEMA_TEXT);
    console.log(`Migrated: ${executed.join(', ')}. The doctor finds nothing new.`);
    return say(
      'Start the new version now. To go back: start the old one again; it runs on this schema too, though its /readyz calls it newer.',
    );
  },
});

function say(text: string): 0 {
  console.log(text);
  return 0;
}

async function backUp(url: string, dataDir: string, chosen: string | undefined): Promise<BackupRecord> {
  const folder = path.resolve(chosen ?? path.join(dataDir, 'backups'));
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = `before-upgrade-${nameByTime(new Date())}`;
  const whole = path.join(folder, file);
  const { createdAt, removed } = await writeBackup(url, whole, () => listDataFiles(dataDir));
  tellRemoved(removed);
  console.log(`Backup: ${whole}.`);
  return { madeAt: createdAt, folder, file, bytes: (await stat(whole)).size, copyFailure: null };
}

/** Counts the faults by rule. A rule that needs a newer schema is left out. */
async function countFaults(url: string): Promise<Map<string, number>> {
  return withDatabase(url, async (db) => {
    const counts = new Map<string, number>();
    for (const [name, rule] of Object.entries(RULES)) {
      try {
        counts.set(name, (await findFault(db, name, rule))?.rows ?? 0);
      } catch (error) {
        if (!isOfLaterSchema(error)) throw error;
      }
    }
    return counts;
  });
}

const UNDEFINED_NAMES = ['42703', '42883', '42P01'];

function isOfLaterSchema(error: unknown): boolean {
  return error instanceof Error && 'code' in error && UNDEFINED_NAMES.includes(String(error.code));
}

async function migrateOrBackOut(
  { url, ownerUrl }: DatabaseAddresses,
  before: Map<string, number>,
  file: string,
): Promise<string[]> {
  try {
    return await inOneTransaction(ownerUrl, async ({ client, db }) => {
      const executed = await migrateInTransaction(db);
      await client.query(grantStatementFor(databaseRoleOf(url)));
      const faults = await findFaults(db);
      const added = faults.filter(({ rule, rows }) => rows > (before.get(rule) ?? Infinity));
      if (added.length > 0) throw new StartupError(added.map(describeFault).join('\n'));
      // A new rule may have been broken for long.
      for (const fault of faults.filter(({ rule }) => !before.has(rule))) console.log(describeFault(fault));
      return executed;
    });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new StartupError(
      `The upgrade failed and was backed out: the database is as it was before, with what was written meanwhile. Keep the ` +
        `old version running.\n${why}\nThe backup made before it: ${file}`,
      { cause: error },
    );
  }
}
