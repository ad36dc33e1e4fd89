import { sql } from 'kysely';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { connect } from '#db/connect.server.ts';
import { MIN_ROWS_FOR_POSTGRES_ANALYZE } from '#app/limits.ts';
import type { Member } from '#app/domain/actor.ts';
import { NO_OPTIONS } from '#app/domain/imports/options.server.ts';
import { requireImport } from '#app/domain/imports/queries.server.ts';
import { requestApply, requestUndo } from '#app/domain/imports/request-import.server.ts';
import { runRequestedWork } from '#app/domain/imports/run-import.server.ts';
import { testDatabase } from '#tests/support/database.ts';
import { upload } from '#tests/support/imports/files.ts';
import { nightly } from '#tests/support/takes-all.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';

const { db, url } = await testDatabase();
/** Plans and counts are a connection's own. */
const work = connect(url, { max: 1 });
afterAll(() => work.destroy());

let admin: Member;
beforeEach(async () => {
  const schoolId = await makeSchool(db);
  admin = await makeUser(db, schoolId, 'administrator', `ada${schoolId}`);
  await makeAircraft(db, schoolId, { tail_number: 'N1' });
});

const FEW = 20;
const MANY = MIN_ROWS_FOR_POSTGRES_ANALYZE;

/** Flights of an hour, a day apart. */
function linesOf(first: number, flights: number): string[] {
  return Array.from({ length: flights }, (_, at) => {
    const n = first + at;
    const day = new Date(Date.UTC(2015, 0, 1 + n)).toISOString().slice(0, 10);
    return `N1,${admin.username},,${day}T10:00:00Z,${day}T11:00:00Z,${n}.0,${n + 1}.0,${n}.0,${n + 1}.0,1.5,`;
  });
}

/** A scan of all for each of them would be a thousand times as many. */
const MOST = 200 * MANY;

it('a large import after a small one reads each row only a few times (B935)', async () => {
  await importOnOneConnection(linesOf(0, FEW));
  const before = await rowsRead();
  await importOnOneConnection(linesOf(FEW, MANY));
  expect((await rowsRead()) - before).toBeLessThan(MOST);
});

nightly('the same large file again and its undo read each row only a few times (B935)', async () => {
  await importOnOneConnection(linesOf(0, FEW));

  const large = await importOnOneConnection(linesOf(FEW, MANY));
  expect(large).toMatchObject({ state: 'applied', preview: { added: MANY } });

  let before = await rowsRead();
  const again = await importOnOneConnection(linesOf(FEW, MANY));
  expect(again).toMatchObject({ state: 'applied', preview: { added: 0, present: MANY } });
  expect((await rowsRead()) - before).toBeLessThan(MOST);

  before = await rowsRead();
  await requestUndo(db, { member: admin }, large.id);
  expect(await run(large.id)).toMatchObject({ state: 'undone' });
  expect((await rowsRead()) - before).toBeLessThan(MOST);
});

async function importOnOneConnection(lines: string[]) {
  const { id } = await upload(db, admin, 'flights', lines);
  await requestApply(db, { member: admin }, id, NO_OPTIONS);
  return run(id);
}

async function run(id: number) {
  await runRequestedWork({ work, progress: db }, { id, schoolId: admin.schoolId });
  return requireImport(db, admin.schoolId, id);
}

async function rowsRead(): Promise<number> {
  await sql`select pg_stat_force_next_flush()`.execute(work);
  const { rows } = await sql<{ read: number }>`
    select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::float8 as read from pg_stat_user_tables`.execute(work);
  return rows[0]?.read ?? NaN;
}
