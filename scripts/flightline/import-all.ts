import { z } from 'zod';
import type { Db } from '#db/connect.server.ts';
import { StartupError } from '#db/startup-error.ts';
import { AppError } from '#app/domain/app-error.ts';
import type { LaunchSettings } from '../launcher/environment.ts';
import { allowMissingSecret } from '../launcher/secret.ts';
import { ensureDatabase, withDatabase } from '../launcher/database.ts';
import { UsageError } from './command.ts';
import { assertCurrentSchema } from './current-schema.ts';
import { describeRows } from './words.ts';

/** Imports the school of an export, and prints a link for its first administrator. */
export async function importAll(file: string, usernames: string | undefined, settings: LaunchSettings): Promise<0> {
  const others = readUsernames(usernames);
  const { url } = await ensureDatabase(settings);
  allowMissingSecret();
  return withDatabase(url, async (db) => {
    await assertCurrentSchema(db);
    return inDomainWords(importInto(db, file, others));
  });
}

/** Throws a UsageError for what is no JSON of texts. */
function readUsernames(text = '{}'): Map<string, string> {
  try {
    return new Map(Object.entries(z.record(z.string(), z.string()).parse(JSON.parse(text))));
  } catch {
    throw new UsageError(`--usernames: "${text}" is no JSON, such as {"anna":"anna.weber"}.`);
  }
}

async function importInto(db: Db, file: string, others: ReadonlyMap<string, string>): Promise<0> {
  // The modules are imported late, because they read the settings, and the database is known only now.
  const { importArchive } = await import('#app/domain/archive/import-school.server.ts');
  const { NamesTakenError } = await import('#app/domain/archive/taken-names.server.ts');
  const { makePasswordLinkFor } = await import('#app/domain/people/operator-passwords.server.ts');
  const start = Date.now();
  const { name, exportedAt, rows, keptIds, administrators } = await importArchive(db, file, others).catch(
    (error: unknown) => {
      throw error instanceof NamesTakenError ? new UsageError(error.message) : error;
    },
  );
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

/** Turns the domain's refusals into a command's sentences. */
function inDomainWords<Result>(work: Promise<Result>): Promise<Result> {
  return work.catch((error: unknown) => {
    throw error instanceof AppError ? new StartupError(`${error.message}.`.replace(/([.!?])\.$/, '$1')) : error;
  });
}
