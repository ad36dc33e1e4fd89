import { sql } from 'kysely';
import { type Db, PRODUCT_APPLICATION_NAME } from '#db/connect.server.ts';
import { assertKnownSchema, findExecutedMigrations, findPendingMigrations } from '#db/migrate.ts';
import { StartupError } from '#db/startup-error.ts';
import { withDatabase } from '../launcher/database.ts';

/** Throws a StartupError unless the schema is this version's: the queries of this version need it. */
export async function assertCurrentSchema(db: Db): Promise<void> {
  await assertKnownSchema(db);
  if ((await findExecutedMigrations(db)).length === 0)
    throw new StartupError(
      'The database is empty: `npm run db:migrate` makes its schema, school:create a first school.',
    );
  const pending = await findPendingMigrations(db);
  if (pending.length > 0)
    throw new StartupError(
      `The database is older than this version: it lacks ${pending.join(', ')}. Run \`npm run flightline -- upgrade\` first.`,
    );
}

/** Throws a StartupError while a served Flightline is connected: what it wrote meanwhile would be lost. */
export async function assertNotRunning(url: string): Promise<void> {
  const running = await withDatabase(url, async (db) => {
    const { rows } = await sql<{ connections: string }>`
      select count(*) as connections from pg_stat_activity
      where datname = current_database() and application_name = ${PRODUCT_APPLICATION_NAME}
        and pid <> pg_backend_pid()`.execute(db);
    return Number(rows[0]?.connections ?? 0);
  });
  if (running > 0)
    throw new StartupError(
      `Flightline runs on this database (connections: ${running}): stop it first, then try again.`,
    );
}
