import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, inject } from 'vitest';
import { connect, type Db } from '#db/connect.server.ts';
import { databaseUrl } from './database-url.ts';

export interface TestDatabase {
  db: Db;
  url: string;
}

let ownTaken = false;

/**
 * A migrated, empty database, dropped after the file. Call it at the top of a test file or of a `describe`, with
 * `await`. The first one of a file is also the database of `#app/db.server.ts`.
 */
export async function testDatabase(): Promise<TestDatabase> {
  const { url, drop } = await copyTemplate(ownTaken ? undefined : process.env.DATABASE_URL);
  ownTaken = true;
  const db = connect(url);
  afterAll(async () => {
    await db.destroy();
    await drop();
  });
  return { db, url };
}

/** The same for who lives longer than a file: drops it only when told. */
export async function copyTemplate(wanted?: string): Promise<{ url: string; drop(): Promise<void> }> {
  const server = inject('postgres');
  const run = server.template.slice('template_'.length);
  const url = wanted ?? databaseUrl(server.url, `test_${run}_${randomUUID().replaceAll('-', '')}`);
  const name = pg.escapeIdentifier(new URL(url).pathname.slice(1));
  await order(server.url, `create database ${name} template ${server.template}`);
  return { url, drop: () => order(server.url, `drop database if exists ${name} with (force)`) };
}

async function order(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}
