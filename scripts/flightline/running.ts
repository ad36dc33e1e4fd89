import { sql } from 'kysely';
import { PRODUCT_CONNECTION } from '#db/connect.server.ts';
import { StartupError } from '#db/startup-error.ts';
import { withDatabase } from '../launcher/database.ts';

/** Throws a StartupError while a served Flightline is connected: what it wrote meanwhile would be lost. */
export async function assertNotRunning(url: string): Promise<void> {
  const running = await withDatabase(url, async (db) => {
    const { rows } = await sql<{ connections: string }>`
      select count(*) as connections from pg_stat_activity
      where datname = current_database() and application_name = ${PRODUCT_CONNECTION}
        and pid <> pg_backend_pid()`.execute(db);
    return Number(rows[0]?.connections ?? 0);
  });
  if (running > 0)
    throw new StartupError(
      `Flightline runs on this database (connections: ${running}): stop it first, then try again.`,
    );
}
