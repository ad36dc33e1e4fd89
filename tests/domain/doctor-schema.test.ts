import { sql } from 'kysely';
import { expect, it } from 'vitest';
import type { Trx } from '#db/connect.server.ts';
import { findSchemaParts } from '#db/doctor/schema-parts.ts';
import { checkSchemaParts } from '../../scripts/flightline/doctor/check-database.ts';
import { testDatabase } from '#tests/support/database.ts';

// A database of its own: other tests of the worker add triggers to the first.
await testDatabase();
const { db } = await testDatabase();

it('the doctor knows every constraint, unique index and trigger that the migrations make (B960)', async () => {
  const found = (await findSchemaParts(db)).map(({ name, create }) => [name, create]);
  const parts = JSON.stringify(Object.fromEntries(found), undefined, 2);
  await expect(`${parts}\n`).toMatchFileSnapshot('../../db/doctor/schema-parts.json');
  expect(await checkSchemaParts(db)).toEqual([]);
});

it('what was dropped is named with the statement that makes it again, which does (B960)', async () => {
  const index = (await findSchemaParts(db)).find(({ name }) => name.startsWith('index '));
  const drops = {
    'constraint flight_logs_end_hobbs_above_start of flight_logs':
      'alter table flight_logs drop constraint flight_logs_end_hobbs_above_start',
    'trigger append_only of audit_entries': 'drop trigger append_only on audit_entries',
    [`${index?.name}`]: `drop index ${index?.name.split(' ')[1]}`,
  };
  for (const [name, drop] of Object.entries(drops))
    await undone(async (trx) => {
      await sql.raw(drop).execute(trx);
      const [missing, ...others] = await checkSchemaParts(trx);
      expect([missing?.text, others]).toEqual([`${name} is missing`, []]);
      await sql.raw(missing?.mend?.split('the table: ')[1] ?? '').execute(trx);
      expect(await checkSchemaParts(trx)).toEqual([]);
    });
});

class Undone extends Error {}

async function undone(work: (trx: Trx) => Promise<void>): Promise<void> {
  const undo = async (trx: Trx) => {
    await work(trx);
    throw new Undone();
  };
  await expect(db.transaction().execute(undo)).rejects.toThrow(Undone);
}
