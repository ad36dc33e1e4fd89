import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import type { NewRow } from '#db/tables.ts';
import type { Member } from '#app/domain/actor.ts';
import { testDatabase } from '#tests/support/database.ts';
import { makeFlight } from '#tests/support/flight.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';

const { db } = await testDatabase();

let author: Member;
let aircraft: number;
beforeEach(async () => {
  author = await makeUser(db, await makeSchool(db));
  aircraft = await makeAircraft(db, author.schoolId);
});

async function insertSquawk(columns: Partial<NewRow<'squawks'>> = {}): Promise<number> {
  const squawk = { school_id: author.schoolId, aircraft_id: aircraft, user_id: author.id, text: 'Left brake soft.' };
  const inserted = db.insertInto('squawks').values({ ...squawk, ...columns });
  return (await inserted.returning('id').executeTakeFirstOrThrow()).id;
}

const insertInspection = (columns: Partial<NewRow<'inspections'>>) =>
  db
    .insertInto('inspections')
    .values({ school_id: author.schoolId, aircraft_id: aircraft, name: '100 h', ...columns })
    .execute();

describe('the tables of squawks and inspections', () => {
  it('a squawk is of one aircraft and flight of its school (B610)', async () => {
    const another = await makeAircraft(db, author.schoolId);
    const flight = await makeFlight(db, author, another);
    await expect(insertSquawk({ flight_log_id: flight })).rejects.toThrow('squawks_flight_of_aircraft');
    await insertSquawk({ flight_log_id: flight, aircraft_id: another });
    const again = insertSquawk({ flight_log_id: flight, aircraft_id: another });
    await expect(again).rejects.toThrow('one_squawk_per_check_in');
    const elsewhere = await makeAircraft(db, await makeSchool(db));
    await expect(insertSquawk({ aircraft_id: elsewhere })).rejects.toThrow('foreign key');
  });

  it.each([
    [{ state: 'deferred' }, 'squawks_deferred_until_one_point'],
    [{ state: 'deferred', until_hobbs: '1', until_on: '2027-01-31' }, 'squawks_deferred_until_one_point'],
    [{ state: 'fixed', until_tach: '1' }, 'squawks_deferred_until_one_point'],
    [{ text: ' ' }, 'squawks_text_filled'],
  ] as const)('the database refuses a squawk with %j (B610)', async (columns, constraint) => {
    await expect(insertSquawk(columns)).rejects.toThrow(constraint);
  });

  it.each(['update squawk_events set remark = null', 'delete from squawk_events', 'truncate squawk_events'])(
    'the history of squawks is only added to: %s is refused (B606)',
    async (statement) => {
      const event = { school_id: author.schoolId, squawk_id: await insertSquawk(), user_id: author.id };
      await db
        .insertInto('squawk_events')
        .values({ ...event, state: 'open' })
        .execute();
      await expect(sql.raw(statement).execute(db)).rejects.toThrow('rows of squawk_events are only added');
    },
  );

  it.each([
    [{}, 'inspections_due_at_one_point'],
    [{ due_hobbs: '1', due_tach: '1' }, 'inspections_due_at_one_point'],
    [{ due_hobbs: '1', interval_days: 3 }, 'inspections_interval_fits'],
    [{ due_on: '2027-01-31', interval_hours: '100' }, 'inspections_interval_fits'],
    [{ due_on: '2027-01-31', interval_days: 3, interval_months: 1 }, 'inspections_one_interval'],
    [{ due_tach: '1', interval_hours: '0' }, 'inspections_interval_hours_positive'],
  ])('the database refuses an inspection with %j (B616)', async (columns, constraint) => {
    await expect(insertInspection(columns)).rejects.toThrow(constraint);
  });
});
