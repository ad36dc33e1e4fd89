import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { ownerUrl } from '#tests/support/database-url.ts';
import { testDatabase } from '#tests/support/database.ts';
import { PostgresProxy } from '#tests/support/postgres-proxy.ts';
import { startScript } from '#tests/support/program.ts';

const { url } = await testDatabase();
const DATA_DIR = await mkdtemp(path.join(tmpdir(), 'guard-'));
afterAll(() => rm(DATA_DIR, { recursive: true }));
const WARNING = 'the activity is guarded less';

/** What a server prints until its background jobs have begun. */
async function outputAs(databaseUrl: string): Promise<string> {
  const proxy = await PostgresProxy.start(databaseUrl);
  onTestFinished(() => proxy.close());
  const env = {
    ...{ DATABASE_URL: proxy.url, DATA_DIR, PORT: '0' },
    SESSION_SECRET: 'a secret for tests only, 32 or more',
  };
  const server = startScript(path.resolve('scripts/start.mjs'), [], { env });
  // Its end waits for the answers to the statements under way, and the warning follows one of them.
  await expect.poll(() => proxy.statements.join(), { timeout: 120_000 }).toContain('pg_has_role');
  expect(await server.end('SIGTERM')).toBe(0);
  return server.output();
}

it('a server that owns the tables says once that the activity is guarded less, any other nothing (B461, B1452)', async () => {
  const told = await outputAs(ownerUrl(url));
  expect(told.split(WARNING)).toHaveLength(2);
  expect(told).toContain('flightline_owner, as which the product signs in to Postgres, may change its tables');
  expect(await outputAs(url)).not.toContain(WARNING);
});
