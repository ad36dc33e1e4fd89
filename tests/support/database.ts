import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, expect, inject, onTestFinished } from 'vitest';
import { connect, type Db } from '#db/connect.server.ts';
import { databaseUrl, ownerUrl } from './database-url.ts';

export interface TestDatabase {
  /** What tests themselves use: connections of the owner of the tables. */
  db: Db;
  /** The address for the application's role, which the app of `#app/db.server.ts` signs in as. */
  url: string;
}

/** What the tests themselves ask of a database may take its time. */
export const LONG_TIMEOUTS = {
  ...{ poolWaitMs: 120_000, statementTimeoutMs: 120_000, lockTimeoutMs: 120_000 },
  // A busy machine may leave a test alone for longer between two statements.
  idleInTransactionMs: 0,
};

/** The database of `#app/db.server.ts`: files that share a worker share it, one after the other. */
let appDatabase: TestDatabase | undefined;
let filePath: string | undefined;

/**
 * A migrated, empty database. Call it at the top of a test file or of a `describe`, with `await`. The first one of a
 * file is also the database of `#app/db.server.ts`; further ones are dropped after the file.
 */
export async function testDatabase(): Promise<TestDatabase> {
  const { testPath } = expect.getState();
  if (filePath !== testPath) {
    filePath = testPath;
    return emptyAppDatabase();
  }
  const copy = await copyTemplate();
  const { db, close } = opened(copy);
  afterAll(close);
  return { db, url: copy.url };
}

async function emptyAppDatabase(): Promise<TestDatabase> {
  if (appDatabase) {
    await emptyTables(appDatabase.db);
  } else {
    const { url } = await copyTemplate(process.env.DATABASE_URL);
    appDatabase = { db: connect(ownerUrl(url), LONG_TIMEOUTS), url };
  }
  return appDatabase;
}

/** Empties every table; ids start at 1 again. Deletes, which is quicker than truncating where there are few rows. */
export async function emptyTables(db: Db): Promise<void> {
  await sql`
    do $$
    declare
      stored record;
    begin
      -- What the test file before left under way may have taken its ids already.
      while exists (select from pg_stat_activity where datname = current_database()
          and pid <> pg_backend_pid() and backend_type = 'client backend' and xact_start is not null) loop
        perform pg_sleep(0.01), pg_stat_clear_snapshot();
      end loop;
      -- Without foreign keys, and without the triggers that keep the activity append-only.
      perform set_config('session_replication_role', 'replica', true);
      for stored in
        select tablename as name, pg_relation_size(format('%I', tablename)::regclass) as size
        from pg_tables where schemaname = 'public' and tablename not like 'kysely%'
      loop
        if stored.size > 500000 then execute format('truncate %I cascade', stored.name);
        elsif stored.size > 0 then execute format('delete from %I', stored.name);
        end if;
      end loop;
      perform setval(format('%I', sequencename)::regclass, start_value, false)
        from pg_sequences where schemaname = 'public' and last_value is not null;
    end $$`.execute(db);
}

/** A database that no migration has seen, or a copy of another, dropped after the test that asks for it. */
export async function emptyDatabase(template = 'template0'): Promise<TestDatabase> {
  const copy = await copyTemplate(undefined, template);
  const { db, close } = opened(copy);
  onTestFinished(close);
  return { db, url: copy.url };
}

interface Copy {
  url: string;
  drop(): Promise<void>;
}

/** A migrated, empty database that the caller drops. */
export async function copyTemplate(wanted?: string, template = inject('postgres').template): Promise<Copy> {
  const server = inject('postgres');
  const url = wanted ?? databaseUrl(server.url, server.prefix + randomUUID().replaceAll('-', ''));
  const name = pg.escapeIdentifier(new URL(url).pathname.slice(1));
  // Copying files costs half of writing every page to the log.
  await order(server.ownerUrl, `create database ${name} template ${template} strategy file_copy`);
  return { url, drop: () => order(server.ownerUrl, `drop database if exists ${name} with (force)`) };
}

function opened({ url, drop }: Copy) {
  const db = connect(ownerUrl(url), LONG_TIMEOUTS);
  const close = async () => {
    await db.destroy();
    await drop();
  };
  return { db, close };
}

async function order(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}
