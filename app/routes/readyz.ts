import { pendingMigrations } from '#db/migrate.ts';
import { db } from '#app/server/db.server.ts';
import { log } from '#app/server/log.server.ts';

/** Readiness: the database answers and has this build's schema. */
export async function loader(): Promise<Response> {
  try {
    const pending = await pendingMigrations(db);
    return pending.length === 0
      ? textResponse(200, 'ready')
      : textResponse(503, `Migrations to run: ${pending.join(', ')}`);
  } catch (error) {
    log.warn({ err: error }, 'the database cannot be reached');
    return textResponse(503, 'The database cannot be reached.');
  }
}

function textResponse(status: number, text: string): Response {
  return new Response(`${text}\n`, { status, headers: { 'cache-control': 'no-store' } });
}
