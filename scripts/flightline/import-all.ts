import path from 'node:path';
import type { Db } from '#db/connect.server.ts';
import { StartupError } from '#db/startup-error.ts';
import type { LaunchSettings } from '../launcher/environment.ts';
import { ensureCommandSecret } from '../launcher/command-secret.ts';
import { ensureDatabase, withDatabase } from '../launcher/database.ts';
import { defineCommand, UsageError } from './command.ts';
import { assertCurrentSchema } from './current-schema.ts';
import { inDomainWords } from './domain-words.ts';
import { describeRows } from './words.ts';

export const command = defineCommand({
  summary: 'brings in the zip of an export, into an installation without a school',
  help: `Brings everything of a school in again that \`export\` or its administrators took out: KIND is 'all', FILE the zip. The
installation must have no school yet. The whole file is proven first, then all of it comes in, or nothing. Nobody has a
password afterwards: it prints a link with which an administrator chooses one, and lets the others in.
Exit codes: 0 the school is in; 1 it is not, and nothing was changed.`,
  operands: ['KIND', 'FILE'],
  options: {},
  run: async ({ operands: [kind = '', file = ''], settings }) => {
    if (kind !== 'all') throw new UsageError(`KIND must be 'all', not '${kind}'.`);
    return importAll(path.resolve(file), settings);
  },
});

/** The school of an export, and a link for its first administrator. */
export async function importAll(file: string, settings: LaunchSettings): Promise<0> {
  const url = await ensureDatabase(settings);
  ensureCommandSecret();
  return withDatabase(url, async (db) => {
    await assertCurrentSchema(db);
    return inDomainWords(importInto(db, file));
  });
}

async function importInto(db: Db, file: string): Promise<0> {
  // Imported late: they read the settings, of which the database is known only now.
  const { importArchive } = await import('#app/domain/archive/import-school.server.ts');
  const { makePasswordLinkFor } = await import('#app/domain/people/operator/passwords.server.ts');
  const start = Date.now();
  const { name, exportedAt, rows, keptIds, administrators } = await importArchive(db, file);
  const seconds = ((Date.now() - start) / 1000).toFixed(1);
  console.log(`${name} is here, as it stood at ${exportedAt.toISOString()}: ${describeRows(rows)}, in ${seconds} s.`);
  if (!keptIds) console.log('Ids were given here before, so its rows have new ones, and its events were sealed anew.');
  const [administrator] = administrators;
  if (administrator === undefined) throw new StartupError('It has no administrator. `user:list` shows who is there.');
  const link = await makePasswordLinkFor(db, administrator);
  console.log(
    `Nobody has a password yet. ${administrator} chooses one at this address, once, until ${link.expires.toISOString()}, and sends links to the others:\n\n${link.url}\n`,
  );
  return 0;
}
