import { findExecutedMigrations, findPendingMigrations, unknownSchemaText } from '#db/migrate.ts';
import { databaseTrouble, isDatabaseReadOnly } from '#db/database-trouble.ts';
import { DATABASE_RETRY_AFTER_SECONDS } from '#db/deadlines.ts';
import { embeddedTrouble } from '#db/embedded/trouble.ts';
import { withWaitingBudget } from '#db/waiting-budget.ts';
import { readinessDb, readinessWaitMs } from '#app/server/db.server.ts';
import { isShuttingDown } from '#app/server/remix-serve/shutdown.server.ts';
import { log } from '#app/server/log.server.ts';

/** Answers that the database answers, takes writes and has this build's schema, and the server is not about to end. */
export async function loader(): Promise<Response> {
  const reason = isShuttingDown()
    ? 'The server is shutting down.'
    : await withWaitingBudget(readinessWaitMs, findReason);
  return reason === undefined ? textResponse(200, 'ready') : textResponse(503, reason);
}

async function findReason(): Promise<string | undefined> {
  try {
    const unknown = unknownSchemaText(await findExecutedMigrations(readinessDb));
    const pending = await findPendingMigrations(readinessDb);
    if (unknown !== undefined) return unknown;
    if (pending.length > 0) return `Migrations to run: ${pending.join(', ')}`;
    return (await isDatabaseReadOnly(readinessDb)) ? 'The database is read-only.' : undefined;
  } catch (error) {
    log.warn({ err: error }, 'the database cannot be reached');
    const slow = databaseTrouble(error) === 'slow' ? 'The database took too long to answer.' : undefined;
    return embeddedTrouble() ?? slow ?? 'The database cannot be reached.';
  }
}

function textResponse(status: number, text: string): Response {
  const headers = new Headers({ 'cache-control': 'no-store' });
  if (status === 503) headers.set('retry-after', String(DATABASE_RETRY_AFTER_SECONDS));
  return new Response(`${text}\n`, { status, headers });
}
