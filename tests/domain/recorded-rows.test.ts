import { sql } from 'kysely';
import { beforeEach, describe, expect, inject, it } from 'vitest';
import { z } from 'zod';
import type { Member } from '#app/domain/actor.ts';
import { compareRowsWithActivity } from '#app/domain/audit/check-record.server.ts';
import { findActivityPage } from '#app/domain/audit/queries.server.ts';
import { cancelCheckOut } from '#app/domain/flights/cancel-check-out.server.ts';
import { cleanUp } from '#app/background/recurring-jobs.server.ts';
import { completeFlight } from '#app/domain/flights/end-flight.server.ts';
import { correctFlight } from '#app/domain/flights/correction/correct-flight.server.ts';
import { startFlight } from '#app/domain/flights/start-flight.server.ts';
import { changeUser } from '#app/domain/people/change-user.server.ts';
import { connect, type Db } from '#db/connect.server.ts';
import { findFaults } from '#db/doctor/find-faults.ts';
import { acceptDifferingRows } from '#db/doctor/repairs.ts';
import { RECORD_RULES, RECORDED_KINDS } from '#db/doctor/rules/record.ts';
import { loadMigrations, migrateToLatest } from '#db/migrate.ts';
import { superuserUrl } from '#tests/support/database-url.ts';
import { emptyDatabase, emptyTables, testDatabase } from '#tests/support/database.ts';
import { documentAt } from '#tests/support/documents.ts';
import { makeAircraft, makeScene, makeSchool } from '#tests/support/school.ts';
import { cookieOf } from '#tests/support/requests.ts';
import { takesAll } from '#tests/support/takes-all.ts';

const { db, url } = await testDatabase();

let schoolId: number;
let admin: Member;
let pilot: Member;
let aircraftId: number;
beforeEach(async () => {
  await emptyTables(db);
  ({ schoolId, admin, pilot, aircraftId } = await makeScene(db));
});

const checkOut = () => startFlight(db, pilot, { aircraftId, startHobbsTime: '100.0', startTachTime: '90.0' });
const checkIn = async () => {
  const { id } = await checkOut();
  await completeFlight(db, pilot, id, { endHobbsTime: '101.2', endTachTime: '91.0' });
  return id;
};

async function eventsAbout(subject: string, action = 'recorded rows', inside: Db = db) {
  const events = inside.selectFrom('audit_entries').select(['subject_id', 'after', 'reason']);
  return events.where('subject', '=', subject).where('action', '=', action).orderBy('id').execute();
}

async function differences(inside: Db = db): Promise<string[]> {
  const faults = await findFaults(inside);
  return faults.filter(({ rule }) => rule in RECORD_RULES).flatMap(({ named }) => named);
}

const INSERT = (count: number, created = 'now()') => `
  insert into flight_logs (school_id, aircraft_id, user_id, start_hobbs, start_tach, created_at, voided_at, voided_by, void_reason)
  select ${schoolId}, ${aircraftId}, ${pilot.id}, n, n, ${created}, ${created}, ${pilot.id}, 'Fog' from generate_series(1, ${count}) n`;

const unrecorded = (statement: string) =>
  db.transaction().execute(async (trx) => {
    await sql`select set_config('flightline.unrecorded', 'on', true)`.execute(trx);
    await sql.raw(statement).execute(trx);
  });

describe('what rows say, in the activity', () => {
  it('a check-out and a check-in are an event each, with readings, times and pilot (B1370)', async () => {
    const id = await checkIn();
    const start = { aircraft_id: aircraftId, user_id: pilot.id, start_hobbs: 100, start_tach: 90 };
    const [out, back, ...more] = await eventsAbout('flight_logs');
    expect(more).toEqual([]);
    expect(out).toMatchObject({ subject_id: id, after: start });
    expect(out?.after).not.toHaveProperty('end_hobbs');
    expect(back).toMatchObject({
      subject_id: id,
      after: { ...start, end_hobbs: 101.2, end_tach: 91, completed_by: pilot.id },
    });
  });

  it('rows are as their newest events say after all that the product does, and other changes are no event (B1370)', async () => {
    const id = await checkIn();
    await correctFlight(db, admin, id, { endHobbsTime: '101.3', reason: 'Misread' });
    await cancelCheckOut(db, pilot, (await checkOut()).id, { reason: 'Fog' });
    await changeUser(db, admin, pilot.id, { role: 'instructor' });
    const before = await eventsAbout('flight_logs');
    await sql`update flight_logs set reminded_at = now()`.execute(db);
    expect(await eventsAbout('flight_logs')).toEqual(before);
    expect(before).toHaveLength(5);
    expect((await eventsAbout('users')).at(-1)).toMatchObject({ subject_id: pilot.id, after: { role: 'instructor' } });
    expect(await differences()).toEqual([]);
  });

  it('rows that one statement writes are an event for each thousand, and are compared one by one (B1370)', async () => {
    await sql.raw(INSERT(1500)).execute(db);
    const events = await eventsAbout('flight_logs');
    expect(events.map(({ subject_id, after }) => [subject_id, Object.keys(after ?? {}).length])).toEqual([
      [null, 1000],
      [null, 500],
    ]);
    expect(await differences()).toEqual([]);
    await sql`delete from flight_logs where start_hobbs <= 700`.execute(db);
    expect(await differences()).toEqual([]);
    await unrecorded('update flight_logs set start_hobbs = 9999 where start_hobbs = 1500');
    expect(await differences()).toEqual([expect.stringContaining('start_hobbs is 9999')]);
  });

  it('a change by hand is an event that says the program and the role, and the row differs from its record (B1371)', async () => {
    const id = await checkIn();
    const hand = connect(superuserUrl(url), { applicationName: 'psql' });
    await sql`update flight_logs set end_hobbs = end_hobbs + 0.5 where id = ${id}`.execute(hand);
    await hand.destroy();
    const [event] = await eventsAbout('flight_logs', 'changed by hand');
    expect(event).toMatchObject({
      subject_id: id,
      after: { end_hobbs: 101.7 },
      reason: expect.stringMatching(/^by psql, as /),
    });
    expect(await differences()).toEqual([
      expect.stringMatching(`^flight ${id} of school ${schoolId}: end_hobbs is 101.7, event \\d+ of .* says 101.2$`),
    ]);
    const { rows: events } = await findActivityPage(db, { schoolId, timeZone: 'UTC' }, {});
    expect(events.map(({ action }) => action)).toEqual(['changed by hand']);
  });

  it('events of another school hide and accuse no row, and are named where they came from (B1490)', async () => {
    const [id, gone] = [await checkIn(), await checkIn()];
    const sound = await checkIn();
    const other = await makeSchool(db);
    await unrecorded(`update flight_logs set end_hobbs = 101.3 where id = ${id}`);
    await unrecorded(`delete from flight_logs where id = ${gone}`);
    await sql`
      insert into audit_entries (school_id, action, subject, subject_id, after)
      select ${other}::integer, 'recorded rows', 'flight_logs', ${gone}::integer, null::jsonb
      union all select ${other}, 'recorded rows', 'flight_logs', ${sound}::integer, '{"end_hobbs": 7}'
      union all select ${other}, 'recorded rows', 'flight_logs', null, jsonb_object_agg(id, recorded(flight_logs))
        from flight_logs where id <> ${sound}`.execute(db);
    expect((await differences()).map((text) => text.replace(/, event .*/, ''))).toEqual([
      `flight ${id} of school ${schoolId}: end_hobbs is 101.3`,
      `flight ${gone} of school ${schoolId}: is gone`,
      `flight ${id} of school ${other}: is gone`,
      `flight ${sound} of school ${other}: is gone`,
    ]);
  });

  it('what was recorded of somebody before they had a school speaks of them in it (B1490)', async () => {
    const id = await insertUser(db, null);
    await sql`update users set school_id = ${schoolId} where id = ${id}`.execute(db);
    expect(await differences()).toEqual([]);
    await unrecorded(`update users set role = 'student' where id = ${id}`);
    expect(await differences()).toEqual([expect.stringContaining(`user ${id} of school ${schoolId}: role is student`)]);
  });

  it('rows that are accepted as they stand differ no longer, and the activity says so (B1371)', async () => {
    const id = await checkIn();
    await unrecorded(`update flight_logs set end_hobbs = 102 where id = ${id}`);
    await unrecorded(`update users set role = 'administrator' where id = ${pilot.id}`);
    expect(await differences()).toHaveLength(2);
    expect(await acceptDifferingRows(db)).toBe(2);
    expect(await differences()).toEqual([]);
    expect(await acceptDifferingRows(db)).toBe(0);
    expect((await eventsAbout('users', 'accepted rows'))[0]?.after).toEqual({ [pilot.id]: { role: 'administrator' } });
  });

  it('a row whose events are too old to be kept is nothing to compare with, and a younger one is (B1371)', async () => {
    await unrecorded(INSERT(1, "now() - interval '3 years'"));
    expect(await differences()).toHaveLength(1);
    await sql`insert into audit_entries (school_id, action, subject) values (${schoolId}, 'removed old activity', 'activity')`.execute(
      db,
    );
    expect(await differences()).toEqual([]);
    await unrecorded(INSERT(1));
    expect(await differences()).toHaveLength(1);
  });

  it('what was there before the upgrade is recorded by it (B1372)', async () => {
    const earlier = await databaseBefore('104');
    const school = await makeSchool(earlier);
    const user = await insertUser(earlier, school);
    await makeAircraft(earlier, school);
    await migrateToLatest(earlier);
    expect(await eventsAbout('users', 'recorded rows', earlier)).toMatchObject([
      { subject_id: user, after: { role: 'administrator' } },
    ]);
    expect(await eventsAbout('aircraft', 'recorded rows', earlier)).toHaveLength(1);
    expect(await differences(earlier)).toEqual([]);
  });

  it('the upgrade records sign-in data and texts as they are, and a flight that differed goes on doing so (B1522)', async () => {
    const earlier = await databaseBefore('107');
    const school = await makeSchool(earlier);
    const user = await insertUser(earlier, school);
    const aircraft = await makeAircraft(earlier, school);
    await sql`
      insert into flight_logs (school_id, aircraft_id, user_id, start_hobbs, start_tach, notes, voided_at, voided_by, void_reason)
      select ${school}::integer, ${aircraft}::integer, ${user}::integer, n, n, 'Note ' || n, now(), ${user}, 'Fog'
      from generate_series(1, 3) n`.execute(earlier);
    await earlier.transaction().execute(async (trx) => {
      await sql`select set_config('flightline.unrecorded', 'on', true)`.execute(trx);
      await sql`update flight_logs set start_hobbs = 7 where start_hobbs = 2`.execute(trx);
    });
    await migrateToLatest(earlier);
    const differing = [expect.stringMatching(/^flight 2 of school 1: start_hobbs is 7, event \d+ of .* says 2$/)];
    expect(await differences(earlier)).toEqual(differing);
    const [account, ...more] = await eventsAbout('accounts', 'recorded rows', earlier);
    expect(more).toEqual([]);
    expect(account).toMatchObject({ subject_id: user, reason: 'as it stood at an upgrade' });
    await sql`set flightline.unrecorded = 'on'; update flight_logs set notes = 'Other' where start_hobbs = 1`.execute(
      earlier,
    );
    expect(await differences(earlier)).toEqual([
      expect.stringMatching(/^flight 1 of school 1: notes is another/),
      ...differing,
    ]);
  });

  it('of an address and a password there is a digest, which leads to nothing once they are gone (B1521)', async () => {
    const emailOf = async () => {
      const [event] = (await eventsAbout('accounts')).filter(({ subject_id }) => subject_id === pilot.id).slice(-1);
      return z.object({ username: DIGEST, email: DIGEST, password: DIGEST }).strict().parse(event?.after).email;
    };
    const couldBe = async (digest: string) => {
      const { rows } = await sql<{ is: boolean }>`
        select record_digest('email', record_salt, ${pilot.email}) = ${digest} as is from users where id = ${pilot.id}`.execute(
        db,
      );
      return rows[0]?.is;
    };
    const digest = await emailOf();
    expect(await couldBe(digest)).toBe(true);
    await db.updateTable('users').set({ email: 'other@x.example' }).where('id', '=', pilot.id).execute();
    expect(await emailOf()).not.toBe(digest);
    expect(await couldBe(digest)).toBe(false);
    await sql`update users set deleted_at = now(), password_hash = null where id = ${pilot.id}`.execute(db);
    expect((await eventsAbout('accounts')).at(-1)).toMatchObject({ subject_id: pilot.id, after: null });
    expect(await differences()).toEqual([]);
  });

  it('whatever an event of a file says of rows, it ends neither the doctor, nor the check, nor --accept (B1523)', async () => {
    const id = await checkIn();
    const [small, large] = [false, true].map((isLarge) =>
      ODD_EVENTS.filter((event) => event.length > 10_000 === isLarge),
    );
    // By day all of them at once, and large ones of one kind.
    for (const events of takesAll ? ODD_EVENTS.map((event) => [event]) : [small, large]) {
      const kinds = takesAll || events === small ? RECORDED_KINDS : ['flight_logs'];
      await sql`
        insert into audit_entries (school_id, action, subject, subject_id, after)
        select school, action, kind, row, after from unnest(${events}::jsonb[]) as after cross join lateral (
        select school, action, kind, row
        from unnest(array[${schoolId}::integer, null]) as school, unnest(array['recorded rows', 'accepted rows']) as action,
          unnest(${kinds}::text[]) as kind, unnest(array[null, -1, ${id}::integer, 999999]) as row
        union all select school, action, 'school', ${schoolId}
        from unnest(array[${schoolId}::integer, null]) as school,
          unnest(array['imported school', 'removed old activity', 'saved school settings', 'created school']) as action
        ) as told`.execute(db);
      const named = (await findFaults(db)).flatMap((fault) => fault.named);
      expect(Math.max(0, ...named.map((text) => text.length))).toBeLessThan(1200);
      await sql`update schools set record_checked_at = null`.execute(db);
      await compareRowsWithActivity(db);
      await acceptDifferingRows(db);
      expect(await differences()).toEqual([]);
    }
    await unrecorded(`update flight_logs set end_hobbs = 102 where id = ${id}`);
    expect(await differences()).toEqual([expect.stringContaining('end_hobbs is 102')]);
  });
});

const DIGEST = z.string().regex(/^[\da-f]{32}$/);

/** What a file of a school may bring as what an event says. */
const ODD_EVENTS = [
  ...['null', '7', '"text"', '[]', '[{"end_hobbs": 1}]', '{}', '{"": {}}', '{"x": {}}', '{"1e3": null}', '{"1": 7}'],
  ...['{"1": []}', '{"1": {"end_hobbs": []}}', '{"99999999999999999999": {}}', '{"2147483648": {}}', '{"-1": {}}'],
  ...['{"01": {}}', '{"keptIds": false}', '{"keptIds": "false", "position": {}}', '{"position": 1e400, "hash": []}'],
  ...['{"activityKeptDays": {}}', '{"activityKeptDays": 1e400}', '["activityKeptDays"]', '"activityKeptDays"'],
  JSON.stringify({ 1: { notes: 'x'.repeat(1_000_000), [`${'k'.repeat(1000)}`]: 'v' } }),
  JSON.stringify(Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`field${n}`, n]))),
];

/** A database as it was before a migration. */
async function databaseBefore(migration: string): Promise<Db> {
  const { db: earlier } = await emptyDatabase();
  const all = await loadMigrations();
  const former = Object.fromEntries(Object.entries(all).filter(([name]) => name < migration));
  await migrateToLatest(earlier, { load: async () => former });
  return earlier;
}

async function insertUser(inside: Db, school: number | null): Promise<number> {
  const name = { username: 'ann', username_key: 'ann', email: 'ann@x.example' };
  const user = inside
    .insertInto('users')
    .values({ ...name, school_id: school, role: 'administrator', password_hash: 'x' });
  return (await user.returning('id').executeTakeFirstOrThrow()).id;
}

describe('the daily check', () => {
  const line = async () => {
    const { $ } = await documentAt('/activity', await cookieOf(db, admin));
    return $('p').text();
  };

  it('is a line of the activity: how many flights were checked, and what differs (B1373)', async () => {
    const id = await checkIn();
    expect(await line()).not.toContain('Checked');
    await compareRowsWithActivity(db);
    expect(await line()).toContain('Checked against its record today: 1 flight, no difference');
    await unrecorded(`update flight_logs set end_hobbs = 102 where id = ${id}`);
    await compareRowsWithActivity(db);
    expect(await line()).toContain('no difference');
    await sql`update schools set record_checked_at = now() - interval '1 day'`.execute(db);
    await compareRowsWithActivity(db);
    expect(await line()).toContain('today: 1 flight, 1 difference.');
  });

  it('is counted by connections that may take their time, whatever a page may wait (B1373)', async () => {
    await checkIn();
    const { db: empty } = await emptyDatabase(inject('postgres').template);
    await cleanUp(db, empty);
    expect(await line()).toContain('Checked against its record today: 0 flights, no difference');
  });
});
