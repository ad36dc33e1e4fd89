import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { parseArgs } from 'node:util';
import { AppError } from '#app/domain/app-error.ts';
import { createSchool } from '#app/domain/school/create-school.server.ts';
import { createSchoolSchema } from '#app/domain/school/schema.server.ts';
import { StartupError } from '#db/startup-error.ts';
import { migrateToLatest } from '#db/migrate.ts';
import { provideDatabase, withDatabase } from './launcher/database.ts';
import { loadEnvironment } from './launcher/environment.ts';
import { runCommand } from './launcher/run.ts';

const USAGE = 'npm run school:create -- [--name <school>] --username <name> --email <address> [--password <password>]';

/** `npm run school:create`: a school and its first administrator; without --name an administrator without a school. */
await runCommand(async () => {
  const given = readArguments();
  const founding = checked({ ...given, password: given.password ?? (await askPassword()) });
  const url = await provideDatabase(loadEnvironment());
  await withDatabase(url, async (db) => {
    await migrateToLatest(db);
    await createSchool(db, founding).catch((error: unknown) => {
      throw error instanceof AppError ? new StartupError(error.message) : error;
    });
  });
  console.log(`${founding.username} can sign in as administrator of ${founding.name ?? 'a school yet to be named'}.`);
});

/** Containers pass the same by environment: SCHOOL_NAME, ADMIN_USERNAME, ADMIN_EMAIL, ADMIN_PASSWORD. */
function readArguments() {
  const { SCHOOL_NAME, ADMIN_USERNAME, ADMIN_EMAIL, ADMIN_PASSWORD } = process.env;
  const environment = { name: SCHOOL_NAME, username: ADMIN_USERNAME, email: ADMIN_EMAIL, password: ADMIN_PASSWORD };
  try {
    const text = { type: 'string' } as const;
    const { values } = parseArgs({ options: { name: text, username: text, email: text, password: text } });
    return { ...environment, ...values };
  } catch (error) {
    throw new StartupError(`${error instanceof Error ? error.message : error}\n${USAGE}`);
  }
}

function checked(given: Record<string, unknown>) {
  const result = createSchoolSchema.safeParse(given);
  if (result.success) return result.data;
  const complaints = result.error.issues.map((issue) => `--${issue.path.join('.')}: ${issue.message}`);
  throw new StartupError(`${complaints.join('\n')}\n${USAGE}`);
}

/** Asks without showing what is typed. */
async function askPassword(): Promise<string> {
  process.stderr.write('Password: ');
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = process.stdin.isTTY === true;
  const asking = createInterface({ input: process.stdin, output: nowhere, terminal });
  // Without a terminal the input may end before a line does.
  const ended = new Promise<string>((resolve) => asking.once('close', () => resolve('')));
  asking.once('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  const password = await Promise.race([asking.question(''), ended]);
  asking.close();
  process.stderr.write('\n');
  return password;
}
