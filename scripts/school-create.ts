import { parseArgs } from 'node:util';
import { AppError } from '#app/domain/app-error.ts';
import { createSchoolSchema } from '#app/domain/school/schema.server.ts';
import { StartupError } from '#db/startup-error.ts';
import { askPassword } from './launcher/ask-password.ts';
import { allowMissingSecret } from './launcher/secret.ts';
import { ensureDatabase, migrate, withDatabase } from './launcher/database.ts';
import { loadEnvironment } from './launcher/environment.ts';
import { runCommand } from './launcher/run.ts';

const USAGE = 'npm run school:create -- [--name <school>] --username <name> --email <address> [--password <password>]';

await runCommand(async () => {
  const args = readArguments();
  const input = parseInput({ ...args, password: args.password ?? (await askPassword()) });
  const addresses = await ensureDatabase(loadEnvironment());
  allowMissingSecret();
  // The module is imported late, because it reads the settings, which may come from .env.
  const { createSchool } = await import('#app/domain/school/create-school.server.ts');
  await migrate(addresses);
  await withDatabase(addresses.url, async (db) => {
    await createSchool(db, input).catch((error: unknown) => {
      throw error instanceof AppError ? new StartupError(error.message) : error;
    });
  });
  console.log(`${input.username} can sign in as administrator of ${input.name ?? 'a school yet to be named'}.`);
});

/** Reads the options, which win over the environment that containers use. */
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

function parseInput(args: Record<string, unknown>) {
  const result = createSchoolSchema.safeParse(args);
  if (result.success) return result.data;
  const messages = result.error.issues.map((issue) => `--${issue.path.join('.')}: ${issue.message}`);
  throw new StartupError(`${messages.join('\n')}\n${USAGE}`);
}
