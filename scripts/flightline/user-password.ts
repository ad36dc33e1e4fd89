import { AppError } from '#app/domain/app-error.ts';
import type { Db } from '#db/connect.server.ts';
import { StartupError } from '#db/startup-error.ts';
import { askPassword } from '../launcher/ask-password.ts';
import { allowMissingSecret } from '../launcher/secret.ts';
import { ensureDatabase, withDatabase } from '../launcher/database.ts';
import { type Call, defineCommand, UsageError } from './command.ts';
import { assertCurrentSchema } from './current-schema.ts';

const options = {
  password: { type: 'string', about: 'the new password; without it, the command asks' },
  link: { type: 'boolean', about: 'prints a link to choose a password instead, which works once' },
  'remove-second-factor': { type: 'boolean', about: 'removes a lost second factor, and leaves the password' },
} as const;

type Values = Call<typeof options>['values'];

export const command = defineCommand({
  summary: 'sets a password, or prints a link to choose one',
  help: `Lets the user NAME in again, the only administrator too: it asks for a new password, or reads it from what is piped in.
All sessions of the user end, failed sign-ins are forgotten, and the activity of the school records it. The product may run.
Give only one of the options.`,
  operands: ['NAME'],
  options,
  run: async ({ operands: [username = ''], values, settings }) => {
    if (Object.keys(values).length > 1)
      throw new UsageError('Give only one of --password, --link, --remove-second-factor.');
    const { url } = await ensureDatabase(settings);
    allowMissingSecret();
    return withDatabase(url, async (db) => {
      await assertCurrentSchema(db);
      return letIn(db, username, values).catch((error: unknown) => {
        throw error instanceof AppError ? new StartupError(`${error.message}.`.replace(/([.!?])\.$/, '$1')) : error;
      });
    });
  },
});

async function letIn(db: Db, username: string, values: Values): Promise<0> {
  // The module is imported late, because it reads the settings, and the database is known only now.
  const people = await import('#app/domain/people/operator-passwords.server.ts');
  if (values.link) {
    const { url, expires } = await people.makePasswordLinkFor(db, username);
    console.log(
      `${username} chooses a new password at this address, once, until ${expires.toISOString()}:\n\n${url}\n`,
    );
  } else if (values['remove-second-factor']) {
    const removed = await people.removeSecondFactorOf(db, username);
    if (!removed) throw new StartupError(`${username} has no second factor.`);
    console.log(`${username} signs in with the password alone now, and was signed out everywhere.`);
  } else {
    await people.requireUserNamed(db, username);
    const user = await people.setPasswordOf(db, username, values.password ?? (await askPassword()));
    console.log(`${user.username} can sign in with the new password, and was signed out everywhere.`);
  }
  return 0;
}
