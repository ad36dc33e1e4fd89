import { sql } from 'kysely';
import { expect, it } from 'vitest';
import type { Db } from '#db/connect.server.ts';
import { emptyDatabase, testDatabase } from '#tests/support/database.ts';
import { makeFlight } from '#tests/support/flight.ts';
import { migrateAsPreviousRelease } from '#tests/support/previous-release.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';

const { db: today } = await testDatabase();

interface Column {
  name: string;
  table: string;
  type: string;
  nullable: boolean;
  hasDefault: boolean;
}

it('migrations only add to tables of the previous release, and nothing that its inserts would have to fill (B526)', async () => {
  const { db: before } = await emptyDatabase();
  await migrateAsPreviousRelease(before);
  const [then, now] = [await columnsOf(before), await columnsOf(today)];
  for (const column of then) {
    const kept = now.find(({ name }) => name === column.name);
    expect(kept, `${column.name} is gone: drop it one release later`).toBeDefined();
    expect([column.name, kept?.type]).toEqual([column.name, column.type]);
    expect(kept?.nullable || !column.nullable, `${column.name} must still take null`).toBe(true);
    expect(kept?.hasDefault || !column.hasDefault, `${column.name} must keep its default`).toBe(true);
  }
  const tables = new Set(then.map(({ table }) => table));
  const names = new Set(then.map(({ name }) => name));
  const added = now.filter(({ table, name }) => tables.has(table) && !names.has(name));
  for (const { name, nullable, hasDefault } of added)
    expect(nullable || hasDefault, `${name} needs a default: the previous release does not fill it`).toBe(true);
});

it('missing parts of aircraft and flags from the previous release are filled in, and the rest is kept (B526, B589)', async () => {
  const schoolId = await makeSchool(today);
  const aircraftId = await makeAircraft(today, schoolId);
  const meters = today.selectFrom('meter_segments').select(['meter_type', 'reason']);
  expect(await meters.where('aircraft_id', '=', aircraftId).orderBy('id').execute()).toEqual([
    { meter_type: 'hobbs', reason: 'new aircraft' },
    { meter_type: 'tachometer', reason: 'new aircraft' },
  ]);
  const pilot = await makeUser(today, schoolId, 'student');
  const flags = [
    { meter: 'tachometer', kind: 'below', last: '95.0' },
    { meter: 'hobbs', at: 'end', kind: 'long', last: '100.0', reading: '120.0' },
  ];
  const readings = { start_hobbs: '100.0', start_tach: '90.0', reading_flags: JSON.stringify(flags) };
  const id = await makeFlight(today, pilot, aircraftId, readings);
  const { reading_flags } = await today
    .selectFrom('flight_logs')
    .select('reading_flags')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  expect(reading_flags).toEqual([{ ...flags[0], at: 'start', reading: '90.0' }, flags[1]]);
});

/** Identity and generated columns fill themselves. */
async function columnsOf(db: Db): Promise<Column[]> {
  const { rows } = await sql<Column>`
    select table_name || '.' || column_name as name, table_name as table, coalesce(domain_name, data_type) as type,
      is_nullable = 'YES' as nullable,
      column_default is not null or is_identity = 'YES' or is_generated = 'ALWAYS' as "hasDefault"
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(db);
  return rows;
}
