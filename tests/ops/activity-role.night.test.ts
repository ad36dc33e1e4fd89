import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { connect } from '#db/connect.server.ts';
import { superuserUrl } from '#tests/support/database-url.ts';
import { testDatabase } from '#tests/support/database.ts';
import { PostgresProxy } from '#tests/support/postgres-proxy.ts';
import { startScript } from '#tests/support/program.ts';

const { url } = await testDatabase();
const superuser = connect(superuserUrl(url));
const PLAIN = `plain_${process.pid}`;
const WARNING = 'it may not create roles';

afterAll(async () => {
  await sql.raw(`drop owned by ${PLAIN}`).execute(superuser);
  await sql.raw(`drop role ${PLAIN}`).execute(superuser);
  await superuser.destroy();
});

/** What a server prints until its background jobs have begun. */
async function outputAs(databaseUrl: string): Promise<string> {
  const proxy = await PostgresProxy.start(databaseUrl);
  onTestFinished(() => proxy.close());
  const env = { DATABASE_URL: proxy.url, PORT: '0', SESSION_SECRET: 'a secret for tests only, 32 or more' };
  const server = startScript(path.resolve('scripts/start.mjs'), [], { env });
  // Its end waits for the answers to the statements under way, and the warning follows one of them.
  await expect.poll(() => proxy.statements.join(), { timeout: 120_000 }).toContain('pg_has_role');
  expect(await server.end('SIGTERM')).toBe(0);
  return server.output();
}

it('a server whose database user may not take the role of the activity says so once, and any other nothing (B461)', async () => {
  await sql.raw(`create role ${PLAIN} login`).execute(superuser);
  await sql.raw(`grant all on all tables in schema public to ${PLAIN}`).execute(superuser);
  const plainUrl = new URL(url);
  plainUrl.username = PLAIN;
  expect((await outputAs(plainUrl.href)).split(WARNING)).toHaveLength(2);
  expect(await outputAs(url)).not.toContain(WARNING);
});
