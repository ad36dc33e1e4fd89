import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { connect } from '#db/connect.server.ts';
import { startEmbeddedPostgres } from '#db/embedded/launch.ts';
import { migrateToLatest } from '#db/migrate.ts';
import { databaseUrl, superuserUrl } from './database-url.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The run's server, and the migrated database that test databases are copied from. */
    postgres: { url: string; template: string };
  }
}

/** A crash of the machine may cost a test database; nothing else is lost, and every test runs quicker. */
const QUICK = {
  ...{ fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' },
  ...{ autovacuum: 'off', wal_level: 'minimal', max_wal_senders: '0' },
};

/** One real Postgres for the whole run, its schema migrated once. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (process.env.SEED !== undefined) console.log(`What this run draws: SEED=${process.env.SEED}`);
  const server = await startEmbeddedPostgres('.data/tests', QUICK);
  const template = `template_${process.pid}`;
  await onServer(superuserUrl(server.url), async (client) => {
    await sweep(client);
    // What tests need on top of the application: databases of their own, and rows without foreign keys.
    await client.query('alter role flightline_app createdb');
    await client.query('grant set on parameter session_replication_role to flightline_app');
  });
  await onServer(server.url, async (client) => void (await client.query(`create database ${template}`)));
  const db = connect(databaseUrl(server.url, template), {
    statementTimeoutMs: 0,
    lockTimeoutMs: 0,
    idleInTransactionMs: 0,
  });
  await migrateToLatest(db).finally(() => db.destroy());
  project.provide('postgres', { url: server.url, template });

  return async () => {
    await onServer(server.url, (client) => dropAll(client, (run) => run === process.pid));
    await server.stop();
  };
}

/** Removes what runs that were killed have left behind. */
async function sweep(client: pg.Client): Promise<void> {
  await dropAll(client, (run) => run === process.pid || !isAlive(run));
}

async function dropAll(client: pg.Client, ofRun: (run: number) => boolean): Promise<void> {
  const found = await client.query<{ datname: string }>(
    String.raw`select datname from pg_database where datname ~ '^(template|test)_\d+'`,
  );
  const doomed = found.rows.map((row) => row.datname).filter((name) => ofRun(Number(name.split('_')[1])));
  for (const name of doomed) await client.query(`drop database if exists ${name} with (force)`);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function onServer(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await work(client).finally(() => client.end());
}
