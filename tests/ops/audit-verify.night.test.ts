import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, expect, it } from 'vitest';
import { sealEntries } from '#app/domain/audit/seal-entries.server.ts';
import { testDatabase } from '#tests/support/database.ts';
import { startCommand } from '#tests/support/program.ts';
import { makeSchool } from '#tests/support/school.ts';

const { db, url: DATABASE_URL } = await testDatabase();
// The heads that a server of this checkout has noted are of another database.
const DATA_DIR = await mkdtemp(path.join(tmpdir(), 'heads-'));
afterAll(() => rm(DATA_DIR, { recursive: true }));

async function verify(env: Record<string, string> = {}) {
  const program = startCommand('audit:verify', [], { env: { DATABASE_URL, DATA_DIR, ...env } });
  return { code: await program.ended(), output: program.output() };
}

it('audit:verify exits with 0 for what was recorded, with 1 for what was changed, or where it cannot ask (B464)', async () => {
  const schoolId = await makeSchool(db);
  const entry = { school_id: schoolId, action: 'signed in', subject: 'user' };
  await db.insertInto('audit_entries').values([entry, entry, entry]).execute();
  const all = await db.selectFrom('audit_entries').select('id').where('school_id', '=', schoolId).execute();
  const [head] = await sealEntries(db);
  const whole = await verify();
  expect(whole.output).toContain(
    `School ${schoolId}: ${all.length} entries proven, up to position ${all.length}, hash ${head?.hash}; 0 not yet sealed.`,
  );
  expect(whole.code).toBe(0);

  await db.transaction().execute(async (trx) => {
    await sql`set local session_replication_role = replica`.execute(trx);
    await sql`update audit_entries set reason = 'forged' where id in (2, 3)`.execute(trx);
  });
  const forged = await verify();
  expect(forged.output).toContain(`School ${schoolId}: broken at entry 2: it was changed.`);
  expect(forged.output).not.toMatch(/^\s+at /m);
  expect(forged.code).toBe(1);
  const nowhere = await verify({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nowhere' });
  expect(nowhere).toEqual({ code: 1, output: expect.stringContaining('cannot be reached') });
});
