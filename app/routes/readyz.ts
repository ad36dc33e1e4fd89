import { pendingMigrations } from '#db/migrate.ts';
import { db } from '#app/server/db.server.ts';
import { log } from '#app/server/log.server.ts';

/** 200 when people can be served: the database answers and its schema is the one this build expects. */
export async function loader(): Promise<Response> {
  try {
    const pending = await pendingMigrations(db);
    return pending.length === 0 ? say(200, 'ready') : say(503, `Migrations to run: ${pending.join(', ')}`);
  } catch (error) {
    log.warn({ err: error }, 'the database cannot be reached');
    return say(503, 'The database cannot be reached.');
  }
}

function say(status: number, words: string): Response {
  return new Response(`${words}\n`, { status, headers: { 'cache-control': 'no-store' } });
}
