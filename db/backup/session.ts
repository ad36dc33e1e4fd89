import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import { COMMAND_APPLICATION_NAME, connectClient, type Db } from '../connect.server.ts';
import { StartupError } from '../startup-error.ts';
import type { Database } from '../tables.ts';

/** One connection with an open transaction, both bare for COPY and as Kysely. */
export interface CopySession {
  client: pg.Client;
  db: Db;
}

/** These settings make values read the same whatever the server's are, and leave no time-out but the one for locks. */
const TEXT_FORM = `
  set local datestyle = 'ISO, YMD'; set local intervalstyle = 'postgres'; set local timezone = 'UTC';
  set local extra_float_digits = 1; set local bytea_output = 'hex'; set local client_encoding = 'UTF8';
  set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0; set local lock_timeout = '20s'`;

/** Reads one moment of the database, while others write. */
export function inSnapshot<Result>(url: string, work: (session: CopySession) => Promise<Result>): Promise<Result> {
  return inSession(url, 'begin isolation level repeatable read read only', work);
}

/** All of the work is there afterwards, or nothing of it. */
export function inOneTransaction<Result>(
  url: string,
  work: (session: CopySession) => Promise<Result>,
): Promise<Result> {
  return inSession(url, 'begin', work);
}

async function inSession<Result>(
  url: string,
  begin: string,
  work: (session: CopySession) => Promise<Result>,
): Promise<Result> {
  const client = await connectClient(url, COMMAND_APPLICATION_NAME).catch(explainUnreachable);
  try {
    await client.query(begin);
    await client.query(TEXT_FORM);
    const result = await work({ client, db: kyselyOn(client) });
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  } finally {
    await client.end().catch(() => {});
  }
}

function explainUnreachable(cause: unknown): never {
  const errors: unknown[] = cause instanceof AggregateError ? cause.errors : [cause];
  const messages = errors.map((error) => (error instanceof Error ? error.message : String(error)));
  throw new StartupError(`The database cannot be reached: ${messages.join(', ')}.`, { cause });
}

/** Makes a Kysely that uses this connection alone, inside its transaction. */
function kyselyOn(client: pg.Client): Db {
  const query = client.query.bind(client);
  const pool = { connect: async () => ({ query, release: () => {} }), end: async () => {} };
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
}
