import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connect, type Db } from '#db/connect.server.ts';
import type { Member } from '#app/domain/actor.ts';
import { deleteAircraft } from '#app/domain/aircraft/change-aircraft.server.ts';
import { isRecentLastFlight } from '#app/domain/flights/correction/correction-queries.server.ts';
import { findFilterChoices, findLogbookPerson } from '#app/domain/flights/logbook/people.server.ts';
import type { ImportKind } from '#app/domain/imports/records.ts';
import { findDependentsText } from '#app/domain/imports/undo/find-dependents.server.ts';
import { findDigitCount } from '#app/domain/meters/queries.server.ts';
import { inTransaction } from '#db/transaction.ts';
import { testDatabase } from '#tests/support/database.ts';
import { fillSchools } from '../../scripts/bench/support/large-school.ts';

/** From here on Postgres takes a table for one that is read whole only for a reason. */
const FLIGHTS = 20_000;

const { db, url } = await testDatabase();
const queries: { sql: string; parameters: readonly unknown[] }[] = [];
const watched = connect(url, { max: 1, log: ({ query }) => void queries.push(query) });
afterAll(() => watched.destroy());

const administrator: Member = {
  ...{ id: 1, username: 'u1', email: 'u1@school.example', schoolId: 1, timeZone: 'America/New_York' },
  role: 'administrator',
};

/** A school in which eight of two hundred people teach, and some people and aircraft have never flown. */
beforeAll(async () => {
  await fillSchools(db, FLIGHTS);
  await sql`insert into users (school_id, username, username_key, email, password_hash, role)
    select 1, 'new ' || n, 'new ' || n, n || '@new.example', '', 'student' from generate_series(1, 20) as n`.execute(
    db,
  );
  await sql`insert into aircraft (school_id, tail_number, make, model, year, deleted_at)
    select 1, 'X' || n, 'Cessna', '172S', 2004, case when n > 10 then now() end
    from generate_series(1, 20) as n`.execute(db);
  await sql`insert into imports (school_id, kind, file_name, file_hash, columns, formats, preview, state, applied_at)
    select 1, kind, kind, '', '{}', '{}', '{}', 'applied', now() from unnest(array['fleet', 'people']) as kind`.execute(
    db,
  );
  await sql`insert into import_rows (school_id, import_id, aircraft_id)
    select 1, 1, id from aircraft where tail_number like 'X%'`.execute(db);
  await sql`insert into import_rows (school_id, import_id, user_id)
    select 1, 2, id from users where username like 'new %'`.execute(db);
  await sql`analyze`.execute(db);
});

const undo = (school: Db, id: number, kind: ImportKind) =>
  inTransaction(school, (trx) => findDependentsText(trx, 1, id, kind));
const idOf = async (tailNumber: string) =>
  (await db.selectFrom('aircraft').select('id').where('tail_number', '=', tailNumber).executeTakeFirstOrThrow()).id;

it.each<[string, (school: Db) => Promise<unknown>]>([
  ['the choices of the filter', (school) => findFilterChoices(school, administrator)],
  ['the choice of somebody who never taught', (school) => findLogbookPerson(school, 1, 60)],
  [
    'the last flight of an aircraft and its pilot',
    (school) => isRecentLastFlight(school, { school_id: 1, aircraft_id: 1, id: FLIGHTS, created_at: new Date() }),
  ],
  ['the undoing of imported aircraft', (school) => undo(school, 1, 'fleet')],
  ['the undoing of imported people', (school) => undo(school, 2, 'people')],
  ['the digits of a meter', (school) => findDigitCount(school, 1, 1, 'hobbs')],
  ['the deletion of an aircraft', async (school) => deleteAircraft(school, administrator, await idOf('X1'))],
])('no flight is looked for in all flights, but by an index, for %s (B334)', async (_, work) => {
  queries.length = 0;
  await work(watched);
  const asked = queries.filter(({ sql: text }) => /\bflight_logs\b/.test(text) && /^\s*select/.test(text));
  expect(asked.length).toBeGreaterThan(0);
  for (const query of asked) expect(await findReadWhole(query)).toEqual([]);
});

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Loops': number;
  Plans?: PlanNode[];
}

/** Where it reads all flights for each of several rows; once for the whole statement is no matter. */
async function findReadWhole({ sql: text, parameters }: (typeof queries)[number]): Promise<PlanNode[]> {
  const { rows } = await watched.executeQuery<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>({
    ...sql`select`.compile(watched),
    sql: `explain (analyze, format json) ${text}`,
    parameters,
  });
  return rows.flatMap((row) => row['QUERY PLAN']).flatMap(({ Plan }) => readWhole(Plan));
}

function readWhole(node: PlanNode): PlanNode[] {
  const isWhole = node['Node Type'] === 'Seq Scan' && node['Relation Name'] === 'flight_logs';
  const own = isWhole && node['Actual Loops'] > 1 ? [node] : [];
  return [...own, ...(node.Plans ?? []).flatMap(readWhole)];
}
