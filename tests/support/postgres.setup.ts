import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { connect, NO_TIME_OUTS } from '#db/connect.server.ts';
import { APPLICATION_ROLE } from '#db/embedded/application-role.ts';
import { startEmbeddedPostgres } from '#db/embedded/launch.ts';
import { migrateToLatest } from '#db/migrate.ts';
import { databaseUrl, superuserUrl } from './database-url.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The run's server as application and as owner, the migrated database that test databases are copied from, and their prefix. */
    postgres: { url: string; ownerUrl: string; template: string; prefix: string };
  }
}

/** A crash of the machine may cost a test database; nothing else is lost, and every test runs quicker. */
const QUICK = {
  ...{ fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' },
  ...{ autovacuum: 'off', wal_level: 'minimal', max_wal_senders: '0' },
};

/**
 * One real Postgres for the whole run. Its schema is migrated once, and again when db/migrations has changed; with
 * KEEP_POSTGRES=yes the server goes on after the run, for the next one.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (process.env.SEED !== undefined) console.log(`What is drawn can be drawn again: SEED=${process.env.SEED}`);
  const server = await startEmbeddedPostgres('.data/tests', QUICK);
  const template = `migrated_${hashOfMigrations()}`;
  await onServer(superuserUrl(server.url), async (client) => {
    await sweep(client, template);
    // What tests need on top of the owner: databases of their own, rows without foreign keys, and the application's connections.
    await client.query('alter role flightline_owner createdb');
    await client.query('grant set on parameter session_replication_role to flightline_owner');
    await client.query('grant pg_read_all_stats, pg_signal_backend to flightline_owner');
  });
  await onServer(server.ownerUrl, (client) => migrateTemplate(client, server.ownerUrl, template));
  const prefix = `test_${process.pid}_`;
  project.provide('postgres', { url: server.url, ownerUrl: server.ownerUrl, template, prefix });

  return async () => {
    await onServer(server.ownerUrl, (client) => dropAll(client, ({ run }) => run === process.pid));
    if (process.env.KEEP_POSTGRES !== 'yes') await server.stop();
    await rm(dataOf({ prefix }), { recursive: true, force: true });
  };
}

/** The folder for the data of all apps that this run serves. */
export const dataOf = ({ prefix }: { prefix: string }) => `.data/tests/${prefix}data`;

function hashOfMigrations(): string {
  const hash = createHash('sha256');
  for (const name of readdirSync('db/migrations').sort())
    hash.update(name).update(readFileSync(`db/migrations/${name}`));
  return hash.digest('hex').slice(0, 16);
}

/** Takes its name once it is whole: a run that is killed leaves no half of a schema. */
async function migrateTemplate(client: pg.Client, url: string, template: string): Promise<void> {
  const isThere = async () =>
    (await client.query('select from pg_database where datname = $1', [template])).rowCount === 1;
  if (await isThere()) return;
  const unfinished = `template_${process.pid}`;
  await client.query(`create database ${unfinished}`);
  const db = connect(databaseUrl(url, unfinished), NO_TIME_OUTS);
  await migrateToLatest(db, { product: APPLICATION_ROLE }).finally(() => db.destroy());
  await client.query(`alter database ${unfinished} rename to ${template}`).catch(async (error: unknown) => {
    // Another run was quicker.
    if (!(await isThere())) throw error;
  });
}

/** Removes what killed runs and former migrations have left behind. */
async function sweep(client: pg.Client, template: string): Promise<void> {
  await dropAll(client, ({ name, run }) =>
    run === undefined ? name !== template : run === process.pid || !isAlive(run),
  );
}

async function dropAll(
  client: pg.Client,
  isDoomed: (database: { name: string; run: number | undefined }) => boolean,
): Promise<void> {
  const found = await client.query<{ name: string; run: number | undefined }>(
    String.raw`select datname as name, substring(datname from '^(?:template|test)_(\d+)')::integer as run
      from pg_database where datname ~ '^(template|test)_\d+|^migrated_'`,
  );
  const doomed = found.rows.map(({ name, run }) => ({ name, run: run ?? undefined })).filter(isDoomed);
  for (const { name } of doomed) await client.query(`drop database if exists ${name} with (force)`);
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
