import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { testDatabase } from '#tests/support/database.ts';

// The constraints of Postgres alone: nothing here runs the application.
const { db } = await testDatabase();

type Columns = Record<string, unknown>;

let made = 0;
let school: number;
let pilot: number;
let aircraft: number;
let elsewhere: { school: number; user: number; aircraft: number; flight: number };

beforeEach(async () => {
  ({ school, user: pilot, aircraft } = await newSchool());
  const foreign = await newSchool();
  const theirs = { school_id: foreign.school, aircraft_id: foreign.aircraft, user_id: foreign.user };
  elsewhere = { ...foreign, flight: await insert('flight_logs', flight(theirs)) };
});

it('a pilot and an aircraft have one open flight, beside any that are completed or voided', async () => {
  const closed = await insert('flight_logs', flight(ended()));
  for (const columns of [ended(), voided(), voided(), {}]) await insert('flight_logs', flight(columns));
  const [user_id, aircraft_id] = [await insert('users', person(school)), await insert('aircraft', plane(school))];
  await refused(insert('flight_logs', flight({ aircraft_id })), 'one_open_flight_per_pilot');
  await refused(insert('flight_logs', flight({ user_id })), 'one_open_flight_per_aircraft');
  const reopening = sql`update flight_logs set completed_at = null, end_hobbs = null, end_tach = null where id = ${closed}`;
  await refused(reopening.execute(db), /^one_open_flight_per_/);
});

describe('a flight log', () => {
  it('contradicts itself in no column', async () => {
    const byAnother = { ...ended(), completed_by: await insert('users', person(school)) };
    const rows: [Columns, constraint: string][] = [
      [{ ...ended(), end_hobbs: '100.00' }, 'end_hobbs_above_start'],
      [{ ...ended(), end_hobbs: '99.9' }, 'end_hobbs_above_start'],
      [{ ...ended(), end_tach: '90' }, 'end_tach_above_start'],
      // Above the start only as a text.
      [{ ...ended(), end_tach: '9.1' }, 'end_tach_above_start'],
      [{ ...ended(), hobbs_new_first: '0' }, 'hobbs_change_within'],
      [{ ...ended(), ...changedAt('99.9', '0') }, 'hobbs_change_within'],
      [{ ...ended(), ...changedAt('110', '102') }, 'hobbs_change_within'],
      [{ ...ended(), ...changedAt('100.0', '101.2') }, 'end_hobbs_above_start'],
      [{ completed_at: '2026-05-13' }, 'completed_with_readings'],
      [{ ...ended(), end_hobbs: null }, 'completed_with_readings'],
      [{ ...ended(), end_tach: null }, 'completed_with_readings'],
      [{ ...ended(), completed_at: null }, 'completed_with_readings'],
      [{ ...ended(), completed_at: '2026-05-11' }, 'completed_after_start'],
      [{ ...ended(), departed_at: at('15:00'), landed_at: at('14:59') }, 'landed_after_departure'],
      [{ ...ended(), landed_at: at('13:59') }, 'landed_after_departure'],
      [{ ...ended(), departed_at: at('15:36') }, 'landed_after_departure'],
      [{ ...ended(), landed_at: at('15:36') }, 'landed_before_check_in'],
      [{ departed_at: '2026-04-12' }, 'departed_near_check_out'],
      [{ landed_at: at('15:36') }, 'landed_when_completed'],
      [{ voided_at: '2026-05-13' }, 'voided_with_reason'],
      [{ void_reason: 'Fog' }, 'voided_with_reason'],
      [{ ...ended(), ...voided() }, 'voided_or_completed'],
      [{ ...voided(), void_reason: '' }, 'reasons_filled'],
      [byAnother, 'closed_with_reason'],
      [{ ...byAnother, close_reason: ' ' }, 'reasons_filled'],
      [{ ...ended(), completed_by: pilot, close_reason: 'Left for home' }, 'closed_with_reason'],
      [{ ground_school_time: '3.25' }, 'ground_school_time_known'],
      [{ reading_flags: '{}' }, 'flags_are_a_list'],
      [{ instructor_time_in: '08:00' }, 'times_need_instructor'],
      ...['24:00', '8:00', '08:60', '08:00:00', 'noon', ''].flatMap((time): [Columns, string][] => [
        [{ instructor_id: pilot, instructor_time_in: time }, 'clock_times'],
        [{ instructor_id: pilot, instructor_time_out: time }, 'clock_times'],
      ]),
    ];
    for (const [columns, constraint] of rows)
      await refused(insert('flight_logs', flight(columns)), `flight_logs_${constraint}`, columns);
    await insert('flight_logs', flight({ ...byAnother, close_reason: 'Left for home' }));
  });

  it('across two meters has the hours of both, with its end below its start (B589, C82)', async () => {
    const id = await insert('flight_logs', flight({ ...ended(), end_hobbs: '0.8', ...changedAt('100.5', '0.0') }));
    const hours = sql`select hobbs_hours, tach_hours from flight_logs where id = ${id}`;
    expect((await hours.execute(db)).rows).toEqual([{ hobbs_hours: '1.30', tach_hours: '1.00' }]);
  });

  it('keeps readings as typed, oil to a tenth; what no meter shows is not stored as a reading', async () => {
    const id = await insert('flight_logs', flight({ start_hobbs: '0', start_tach: '1234.50', ...voided() }));
    await insert('flight_logs', flight({ start_hobbs: '999999.99', ...voided() }));
    await insert('fuel_records', { school_id: school, flight_log_id: id, oil_quantity: '1.26' });
    const stored = sql`select start_hobbs, start_tach, oil_quantity from fuel_records
      join flight_logs as log on log.id = flight_log_id where log.id = ${id}`;
    expect((await stored.execute(db)).rows).toEqual([{ start_hobbs: '0', start_tach: '1234.50', oil_quantity: '1.3' }]);
    for (const reading of ['-0.1', '1000000', '999999.991', '0.001', 'NaN']) {
      await refused(insert('flight_logs', flight({ start_hobbs: reading })), 'reading_in_range', { reading });
      await refused(insert('aircraft', { ...plane(school), last_tach: reading }), 'reading_in_range', { reading });
    }
  });
});

it('no other table takes a word, a number or a point that it does not know (B610, B616)', async () => {
  const log = { school_id: school, flight_log_id: await insert('flight_logs', flight(ended())) };
  const revision = { ...log, user_id: pilot, field: 'end_hobbs', new_value: '102', reason: 'Misread' };
  await insert('flight_log_revisions', revision);
  const inspection = { school_id: school, aircraft_id: aircraft, name: '100 h' };
  const rows: [table: string, Columns, constraint: string][] = [
    ['fuel_records', { ...log, oil_quantity: '-0.1' }, 'oil_quantity_not_negative'],
    ['flight_log_revisions', { ...revision, field: 'landings' }, 'field_known'],
    ['flight_log_revisions', { ...revision, field: 'notes' }, 'one_kind_of_value'],
    ['flight_log_revisions', { ...revision, reason: ' ' }, 'reason_filled'],
    ...['owner', 'Administrator', ''].flatMap((role): typeof rows => [
      ['users', { ...person(school), role }, 'role_known'],
      ['invitations', { ...invitation(), role }, 'role_known'],
    ]),
    ['users', { ...person(school), password_hash: null }, 'live_have_a_password'],
    ...['tach', 'Hobbs', ''].map((meter_type): (typeof rows)[0] => ['scans', { meter_type }, 'meter_type_known']),
    ['scans', { confidence: '-0.01' }, 'confidence_in_range'],
    ['scans', { confidence: '1.01' }, 'confidence_in_range'],
    ['aircraft', { ...plane(school), year: '1899' }, 'year_in_range'],
    ['aircraft', { ...plane(school), year: '2101' }, 'year_in_range'],
    ['squawks', { state: 'deferred' }, 'deferred_until_one_point'],
    ['squawks', { state: 'deferred', until_hobbs: '1', until_on: '2027-01-31' }, 'deferred_until_one_point'],
    ['squawks', { state: 'fixed', until_tach: '1' }, 'deferred_until_one_point'],
    ['squawks', { text: ' ' }, 'text_filled'],
    ['inspections', inspection, 'due_at_one_point'],
    ['inspections', { ...inspection, due_hobbs: '1', due_tach: '1' }, 'due_at_one_point'],
    ['inspections', { ...inspection, due_hobbs: '1', interval_days: 3 }, 'interval_fits'],
    ['inspections', { ...inspection, due_on: '2027-01-31', interval_hours: '100' }, 'interval_fits'],
    ['inspections', { ...inspection, due_on: '2027-01-31', interval_days: 3, interval_months: 1 }, 'one_interval'],
    ['inspections', { ...inspection, due_tach: '1', interval_hours: '0' }, 'interval_hours_positive'],
  ];
  for (const [table, columns, constraint] of rows) {
    const whole = table === 'scans' ? { ...(await scan()), ...columns } : columns;
    const row = table === 'squawks' ? squawk(columns) : whole;
    await refused(insert(table, row), `${table}_${constraint}`, columns);
  }
});

it('the history of squawks is only added to (B606)', async () => {
  const squawk_id = await insert('squawks', squawk());
  await insert('squawk_events', { school_id: school, squawk_id, user_id: pilot, state: 'open' });
  for (const change of [
    'update squawk_events set remark = null',
    'delete from squawk_events',
    'truncate squawk_events',
  ])
    await expect(sql.raw(change).execute(db), change).rejects.toThrow('rows of squawk_events are only added');
});

it('a tail number is unique in a fleet, a username among all, an address in its school, the deleted aside', async () => {
  const { tail_number } = plane(school);
  await insert('aircraft', { ...plane(school), tail_number, deleted_at: '2026-05-12' });
  for (const of of [school, elsewhere.school]) await insert('aircraft', { ...plane(of), tail_number });
  await refused(insert('aircraft', { ...plane(school), tail_number }), 'aircraft_tail_number_taken');
  for (const untidy of ['n1', ' N1', 'N1 ', ''])
    await refused(insert('aircraft', { ...plane(school), tail_number: untidy }), 'aircraft_tail_number_normalized');
  const taken = person(school);
  const { username_key, email } = taken;
  await insert('users', { ...taken, deleted_at: '2026-05-12', password_hash: null });
  await insert('users', taken);
  await insert('users', { ...person(elsewhere.school), email });
  await refused(insert('users', { ...person(elsewhere.school), username_key }), 'users_username_taken');
  await refused(insert('users', { ...person(school), email: email.toUpperCase() }), 'users_email_taken');
});

it('nothing refers to a row of another school, nor a squawk to a flight of another aircraft (B610)', async () => {
  const their = { aircraft_id: elsewhere.aircraft, user_id: elsewhere.user, instructor_id: elsewhere.user };
  for (const [column, id] of Object.entries(their))
    await refused(insert('flight_logs', flight({ [column]: id })), `flight_logs_school_id_${column}_fkey`);
  const foreign = { school_id: school, flight_log_id: elsewhere.flight };
  const revision = { ...foreign, user_id: pilot, field: 'end_hobbs', new_value: '1', reason: 'Misread' };
  const rows: [table: string, Columns, constraint: RegExp][] = [
    ['flight_logs', flight({ ...ended(), completed_by: elsewhere.user, close_reason: 'Left' }), /completed_by_fkey$/],
    ['flight_logs', flight({ ...voided(), voided_by: elsewhere.user }), /voided_by_fkey$/],
    ['fuel_records', foreign, /flight_log_id_fkey$/],
    ['flight_log_revisions', revision, /flight_log_id_fkey$/],
    ['scans', { ...(await scan()), aircraft_id: elsewhere.aircraft }, /aircraft_id_fkey$/],
    ['aircraft', { ...plane(school), last_hobbs_by: elsewhere.user }, /last_hobbs_by_fkey$/],
    ['invitations', { ...invitation(), invited_by: elsewhere.user }, /invited_by_fkey$/],
    ['squawks', squawk({ aircraft_id: elsewhere.aircraft }), /aircraft_id_fkey$/],
  ];
  for (const [table, row, constraint] of rows) await refused(insert(table, row), constraint, { table });
  const id = await insert('flight_logs', flight());
  await refused(sql`update flight_logs set school_id = ${elsewhere.school} where id = ${id}`.execute(db), /_fkey$/);
  await refused(sql`delete from aircraft where id = ${aircraft}`.execute(db), /_fkey$/);
  await refused(sql`delete from users where id = ${pilot}`.execute(db), /_fkey$/);
  const another = squawk({ flight_log_id: id, aircraft_id: await insert('aircraft', plane(school)) });
  await refused(insert('squawks', another), 'squawks_flight_of_aircraft');
  await insert('squawks', squawk({ flight_log_id: id }));
  await refused(insert('squawks', squawk({ flight_log_id: id })), 'one_squawk_per_check_in');
});

function unique(word: string): string {
  made += 1;
  return `${word}${made}`;
}

async function newSchool(): Promise<{ school: number; user: number; aircraft: number }> {
  const id = await insert('schools', { name: 'Cascade Flight School' });
  return { school: id, user: await insert('users', person(id)), aircraft: await insert('aircraft', plane(id)) };
}

function person(schoolId: number) {
  const name = unique('anna');
  const email = `${name}@school.example`;
  return { school_id: schoolId, username: name, username_key: name, email, password_hash: 'x', role: 'student' };
}

function plane(schoolId: number) {
  return { school_id: schoolId, tail_number: unique('N'), make: 'Cessna', model: '172S', year: 2004 };
}

function flight(columns: Columns = {}): Columns {
  const readings = { start_hobbs: '100.0', start_tach: '90.0', created_at: at('14:00') };
  return { school_id: school, aircraft_id: aircraft, user_id: pilot, ...readings, ...columns };
}

function squawk(columns: Columns = {}): Columns {
  return { school_id: school, aircraft_id: aircraft, user_id: pilot, text: 'Left brake soft.', ...columns };
}

function invitation(): Columns {
  const link = { token_hash: unique('hash'), invited_by: pilot, expires_at: '2030-01-01' };
  return { school_id: school, name: 'Ben', email: 'b@c.de', role: 'student', ...link };
}

function at(time: string): string {
  return `2026-05-12T${time}:00Z`;
}

function ended() {
  return { end_hobbs: '101.2', end_tach: '91.0', completed_at: at('15:30') };
}

function changedAt(oldLast: string, newFirst: string) {
  return { hobbs_old_last: oldLast, hobbs_new_first: newFirst };
}

function voided() {
  return { voided_at: at('14:05'), voided_by: pilot, void_reason: 'Fog' };
}

async function scan(): Promise<Columns> {
  const owned = { school_id: school, user_id: pilot };
  const photo_id = await insert('photos', { ...owned, content: Buffer.from('jpeg'), width: 1, height: 1 });
  return { ...owned, aircraft_id: aircraft, photo_id, meter_type: 'hobbs', detected_text: '100.0', confidence: '0.9' };
}

/** Writes a row as any program could, and gives its id. */
async function insert(table: string, row: Columns): Promise<number> {
  const names = sql.join(Object.keys(row).map((name) => sql.ref(name)));
  const values = sql.join(Object.values(row));
  const statement = sql<{ id: number }>`insert into ${sql.table(table)} (${names}) values (${values}) returning id`;
  return (await statement.execute(db)).rows[0]?.id ?? 0;
}

async function refused(write: Promise<unknown>, constraint: string | RegExp, what: Columns = {}): Promise<void> {
  const name = typeof constraint === 'string' ? constraint : expect.stringMatching(constraint);
  await expect(write, JSON.stringify(what)).rejects.toMatchObject({ constraint: name });
}
