import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, expect, it } from 'vitest';
import { connect } from '#db/connect.server.ts';
import { superuserUrl } from '#tests/support/database-url.ts';
import { testDatabase } from '#tests/support/database.ts';
import { startScript } from '#tests/support/program.ts';
import { freePort } from '#tests/support/server.ts';

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
  const PORT = String(await freePort());
  const env = { DATABASE_URL: databaseUrl, PORT, SESSION_SECRET: 'a secret for tests only, 32 or more' };
  const server = startScript(path.resolve('scripts/start.mjs'), [], { env });
  while (server.child.exitCode === null) {
    const answer = await fetch(`http://localhost:${PORT}/readyz`).catch(() => undefined);
    if (answer?.ok) break;
    await sleep(50);
  }
  // The warning comes in the time of one query; a moment more than the answer took.
  await sleep(1000);
  expect(await server.end('SIGTERM')).toBe(0);
  return server.output();
}

it('B461: a server whose database user may not take the role of the activity says so once, and any other nothing', async () => {
  await sql.raw(`create role ${PLAIN} login`).execute(superuser);
  await sql.raw(`grant all on all tables in schema public to ${PLAIN}`).execute(superuser);
  const plainUrl = new URL(url);
  plainUrl.username = PLAIN;
  expect((await outputAs(plainUrl.href)).split(WARNING)).toHaveLength(2);
  expect(await outputAs(url)).not.toContain(WARNING);
});
