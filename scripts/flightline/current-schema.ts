import type { Db } from '#db/connect.server.ts';
import { assertKnownSchema, executedMigrations, pendingMigrations } from '#db/migrate.ts';
import { StartupError } from '#db/startup-error.ts';

/** Throws a StartupError unless the schema is this version's: the queries of this version need it. */
export async function assertCurrentSchema(db: Db): Promise<void> {
  await assertKnownSchema(db);
  if ((await executedMigrations(db)).length === 0)
    throw new StartupError(
      'The database is empty: `npm run db:migrate` makes its schema, school:create a first school.',
    );
  const pending = await pendingMigrations(db);
  if (pending.length > 0)
    throw new StartupError(
      `The database is older than this version: it lacks ${pending.join(', ')}. Run \`npm run flightline -- upgrade\` first.`,
    );
}
