import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { testDatabase } from '#tests/support/database.ts';

// The constraints of Postgres alone: nothing here runs the application.
const { db } = await testDatabase();

type Columns = Record<string, unknown>;

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

describe('one open flight', () => {
  it('a pilot with an open flight cannot have a second', async () => {
    await insert('flight_logs', flight());
    const another = await insert('aircraft', plane(school));
    await refused(insert('flight_logs', flight({ aircraft_id: another })), 'one_open_flight_per_pilot');
  });

  it('an aircraft in flight cannot be flown by another', async () => {
    await insert('flight_logs', flight());
    const another = await insert('users', person(school));
    await refused(insert('flight_logs', flight({ user_id: another })), 'one_open_flight_per_aircraft');
  });

  it.each([
    ['completed', ended],
    ['voided', voided],
  ])('a %s flight keeps neither its pilot nor its aircraft from another flight', async (_, closed) => {
    await insert('flight_logs', flight(closed()));
    await insert('flight_logs', flight(closed()));
    await expect(insert('flight_logs', flight())).resolves.toEqual(expect.any(Number));
  });

  it('a completed flight cannot be opened again while its pilot or aircraft has another', async () => {
    const closed = await insert('flight_logs', flight(ended()));
    await insert('flight_logs', flight());
    const reopening = sql`update flight_logs set completed_at = null, end_hobbs = null, end_tach = null where id = ${closed}`;
    await refused(reopening.execute(db), /^one_open_flight_per_/);
  });
});

describe('a flight log', () => {
  it.each([
    ['an end Hobbs equal to the start', { ...ended(), end_hobbs: '100.00' }, 'flight_logs_end_hobbs_above_start'],
    ['an end Hobbs below the start', { ...ended(), end_hobbs: '99.9' }, 'flight_logs_end_hobbs_above_start'],
    ['an end tach equal to the start', { ...ended(), end_tach: '90' }, 'flight_logs_end_tach_above_start'],
    [
      'an end tach below the start, smaller only as a number',
      { ...ended(), end_tach: '9.1' },
      'flight_logs_end_tach_above_start',
    ],
    ['a new meter without its old one', { ...ended(), hobbs_new_first: '0' }, 'flight_logs_hobbs_change_within'],
    ['an old meter below the start', { ...ended(), ...changedAt('99.9', '0') }, 'flight_logs_hobbs_change_within'],
    [
      'an end below the new meter’s first',
      { ...ended(), ...changedAt('110', '102') },
      'flight_logs_hobbs_change_within',
    ],
    ['no hours across two meters', { ...ended(), ...changedAt('100.0', '101.2') }, 'flight_logs_end_hobbs_above_start'],
    ['completion without end readings', { completed_at: '2026-05-13' }, 'flight_logs_completed_with_readings'],
    ['completion without an end Hobbs', { ...ended(), end_hobbs: null }, 'flight_logs_completed_with_readings'],
    ['completion without an end tach', { ...ended(), end_tach: null }, 'flight_logs_completed_with_readings'],
    ['end readings without completion', { ...ended(), completed_at: null }, 'flight_logs_completed_with_readings'],
    ['completion before the start', { ...ended(), completed_at: '2026-05-11' }, 'flight_logs_completed_after_start'],
    [
      'a landing before its departure',
      { ...ended(), departed_at: '2026-05-12T15:00:00Z', landed_at: '2026-05-12T14:59:00Z' },
      'flight_logs_landed_after_departure',
    ],
    [
      'a landing before its check-out',
      { ...ended(), landed_at: '2026-05-12T13:59:00Z' },
      'flight_logs_landed_after_departure',
    ],
    [
      'a departure after its check-in',
      { ...ended(), departed_at: '2026-05-12T15:36:00Z' },
      'flight_logs_landed_after_departure',
    ],
    [
      'a landing after its check-in',
      { ...ended(), landed_at: '2026-05-12T15:36:00Z' },
      'flight_logs_landed_before_check_in',
    ],
    ['a departure weeks before', { departed_at: '2026-04-12' }, 'flight_logs_departed_near_check_out'],
    ['a landing in progress', { landed_at: '2026-05-12T15:36:00Z' }, 'flight_logs_landed_when_completed'],
    ['voiding without a reason', { voided_at: '2026-05-13' }, 'flight_logs_voided_with_reason'],
    ['a reason without voiding', { void_reason: 'Fog' }, 'flight_logs_voided_with_reason'],
    ['ground school that is not on offer', { ground_school_time: '3.25' }, 'flight_logs_ground_school_time_known'],
    ['flags that are no list', { reading_flags: '{}' }, 'flight_logs_flags_are_a_list'],
    ['instructor times without an instructor', { instructor_time_in: '08:00' }, 'flight_logs_times_need_instructor'],
  ])('a flight log cannot have %s', async (_, columns, constraint) => {
    await refused(insert('flight_logs', flight(columns)), constraint);
  });

  it('a flight across two meters has the hours of both, with its end below its start (B589, C82)', async () => {
    const id = await insert('flight_logs', flight({ ...ended(), end_hobbs: '0.8', ...changedAt('100.5', '0.0') }));
    const hours = sql`select hobbs_hours, tach_hours from flight_logs where id = ${id}`;
    expect((await hours.execute(db)).rows).toEqual([{ hobbs_hours: '1.30', tach_hours: '1.00' }]);
  });

  it('a flight log completed by another than the pilot has a reason, one completed by the pilot none', async () => {
    const closer = await insert('users', person(school));
    const closed = { ...ended(), completed_by: closer };
    await refused(insert('flight_logs', flight(closed)), 'flight_logs_closed_with_reason');
    const byPilot = { ...ended(), completed_by: pilot, close_reason: 'Left for home' };
    await refused(insert('flight_logs', flight(byPilot)), 'flight_logs_closed_with_reason');
    await refused(insert('flight_logs', flight({ ...closed, close_reason: ' ' })), 'flight_logs_reasons_filled');
    await refused(insert('flight_logs', flight({ ...voided(), void_reason: '' })), 'flight_logs_reasons_filled');
    await expect(insert('flight_logs', flight({ ...closed, close_reason: 'Left for home' }))).resolves.toEqual(
      expect.any(Number),
    );
  });

  it('a flight log cannot be both completed and cancelled', async () => {
    await refused(insert('flight_logs', flight({ ...ended(), ...voided() })), 'flight_logs_voided_or_completed');
  });

  it.each(['24:00', '8:00', '08:60', '08:00:00', 'noon', ''])(
    'a flight log cannot have the instructor time %j',
    async (time) => {
      for (const column of ['instructor_time_in', 'instructor_time_out']) {
        const instructed = flight({ instructor_id: pilot, [column]: time });
        await refused(insert('flight_logs', instructed), 'flight_logs_clock_times');
      }
    },
  );

  it('the oil quantity of a fuel record cannot be negative, and is kept to a tenth', async () => {
    const log = await insert('flight_logs', flight());
    const record = (oil: string) =>
      insert('fuel_records', { school_id: school, flight_log_id: log, oil_quantity: oil });
    await refused(record('-0.1'), 'fuel_records_oil_quantity_not_negative');
    const id = await record('1.26');
    const stored = await sql<{ oil: string }>`select oil_quantity as oil from fuel_records where id = ${id}`.execute(
      db,
    );
    expect(stored.rows).toEqual([{ oil: '1.3' }]);
  });

  it('a flight log revision names a reading, and has a reason', async () => {
    const log = await insert('flight_logs', flight(ended()));
    const revision = {
      school_id: school,
      flight_log_id: log,
      user_id: pilot,
      field: 'end_hobbs',
      new_value: '102',
      reason: 'Misread',
    };
    await refused(
      insert('flight_log_revisions', { ...revision, field: 'landings' }),
      'flight_log_revisions_field_known',
    );
    await refused(
      insert('flight_log_revisions', { ...revision, field: 'notes' }),
      'flight_log_revisions_one_kind_of_value',
    );
    await refused(insert('flight_log_revisions', { ...revision, reason: ' ' }), 'flight_log_revisions_reason_filled');
    await expect(insert('flight_log_revisions', revision)).resolves.toEqual(expect.any(Number));
  });
});

describe('a reading', () => {
  it.each(['-0.1', '1000000', '999999.991', '0.001', 'NaN'])('%s is not stored as a reading', async (reading) => {
    await refused(insert('flight_logs', flight({ start_hobbs: reading })), 'reading_in_range');
    await refused(insert('aircraft', { ...plane(school), last_tach: reading }), 'reading_in_range');
  });

  it.each(['0', '1234.50', '999999.99'])('the reading %s is stored as it was typed', async (reading) => {
    const id = await insert('flight_logs', flight({ start_hobbs: reading }));
    const stored = await sql<{ start_hobbs: string }>`select start_hobbs from flight_logs where id = ${id}`.execute(db);
    expect(stored.rows).toEqual([{ start_hobbs: reading }]);
  });
});

describe('columns with few values', () => {
  it.each(['owner', 'Administrator', ''])('a user or invitation cannot have the role %j', async (role) => {
    await refused(insert('users', { ...person(school), role }), 'users_role_known');
    const invitation = {
      school_id: school,
      name: 'Ben',
      email: 'b@c.de',
      role,
      token_hash: unique('hash'),
      invited_by: pilot,
      expires_at: '2030-01-01',
    };
    await refused(insert('invitations', invitation), 'invitations_role_known');
  });

  it.each(['tach', 'Hobbs', ''])('a scan cannot have the meter type %j', async (meter) => {
    await refused(insert('scans', { ...(await scan()), meter_type: meter }), 'scans_meter_type_known');
  });

  it.each(['1899', '2101'])('an aircraft cannot have the year %s', async (year) => {
    await refused(insert('aircraft', { ...plane(school), year }), 'aircraft_year_in_range');
  });

  it.each(['-0.01', '1.01'])('a scan cannot have the confidence %s', async (confidence) => {
    await refused(insert('scans', { ...(await scan()), confidence }), 'scans_confidence_in_range');
  });
});

describe('unique names', () => {
  it('a tail number is unique among the aircraft of a school’s fleet, in capitals and trimmed', async () => {
    const { tail_number } = plane(school);
    await insert('aircraft', { ...plane(school), tail_number, deleted_at: '2026-05-12' });
    await insert('aircraft', { ...plane(school), tail_number });
    await insert('aircraft', { ...plane(elsewhere.school), tail_number });
    await refused(insert('aircraft', { ...plane(school), tail_number }), 'aircraft_tail_number_taken');
    for (const untidy of ['n1', ' N1', 'N1 ', '']) {
      await refused(insert('aircraft', { ...plane(school), tail_number: untidy }), 'aircraft_tail_number_normalized');
    }
  });

  it('a username is unique among all users, an email among those of its school, deleted users aside', async () => {
    const taken = person(school);
    await insert('users', { ...taken, deleted_at: '2026-05-12', password_hash: null });
    await insert('users', taken);
    await refused(
      insert('users', { ...person(elsewhere.school), username_key: taken.username_key }),
      'users_username_taken',
    );
    await refused(insert('users', { ...person(school), email: taken.email.toUpperCase() }), 'users_email_taken');
    await expect(insert('users', { ...person(elsewhere.school), email: taken.email })).resolves.toEqual(
      expect.any(Number),
    );
  });

  it('a user who is not deleted has a password', async () => {
    await refused(insert('users', { ...person(school), password_hash: null }), 'users_live_have_a_password');
  });
});

describe('references between schools', () => {
  it('a flight log cannot refer to an aircraft or a user of another school', async () => {
    const foreign = { aircraft_id: elsewhere.aircraft, user_id: elsewhere.user, instructor_id: elsewhere.user };
    for (const [column, id] of Object.entries(foreign)) {
      await refused(insert('flight_logs', flight({ [column]: id })), `flight_logs_school_id_${column}_fkey`);
    }
    await refused(
      insert('flight_logs', flight({ ...ended(), completed_by: elsewhere.user, close_reason: 'Left' })),
      /completed_by_fkey$/,
    );
    await refused(insert('flight_logs', flight({ ...voided(), voided_by: elsewhere.user })), /voided_by_fkey$/);
  });

  it('fuel records, revisions, scans, aircraft and invitations cannot refer to another school', async () => {
    const foreign = { school_id: school, flight_log_id: elsewhere.flight };
    await refused(insert('fuel_records', foreign), /flight_log_id_fkey$/);
    const revision = { ...foreign, user_id: pilot, field: 'end_hobbs', new_value: '1', reason: 'Misread' };
    await refused(insert('flight_log_revisions', revision), /flight_log_id_fkey$/);
    await refused(insert('scans', { ...(await scan()), aircraft_id: elsewhere.aircraft }), /aircraft_id_fkey$/);
    await refused(insert('aircraft', { ...plane(school), last_hobbs_by: elsewhere.user }), /last_hobbs_by_fkey$/);
    const invitation = {
      school_id: school,
      name: 'Ben',
      email: 'b@c.de',
      role: 'student',
      token_hash: unique('hash'),
      expires_at: '2030-01-01',
    };
    await refused(insert('invitations', { ...invitation, invited_by: elsewhere.user }), /invited_by_fkey$/);
  });

  it('a flight log cannot be moved to another school', async () => {
    const id = await insert('flight_logs', flight());
    await refused(sql`update flight_logs set school_id = ${elsewhere.school} where id = ${id}`.execute(db), /_fkey$/);
  });

  it('an aircraft or a user that has flights cannot be deleted from the database', async () => {
    await insert('flight_logs', flight(ended()));
    await refused(sql`delete from aircraft where id = ${aircraft}`.execute(db), /_fkey$/);
    await refused(sql`delete from users where id = ${pilot}`.execute(db), /_fkey$/);
  });
});

let made = 0;
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
  const readings = { start_hobbs: '100.0', start_tach: '90.0', created_at: '2026-05-12T14:00:00Z' };
  return { school_id: school, aircraft_id: aircraft, user_id: pilot, ...readings, ...columns };
}

function ended() {
  return { end_hobbs: '101.2', end_tach: '91.0', completed_at: '2026-05-12T15:30:00Z' };
}

function changedAt(oldLast: string, newFirst: string) {
  return { hobbs_old_last: oldLast, hobbs_new_first: newFirst };
}

function voided() {
  return { voided_at: '2026-05-12T14:05:00Z', voided_by: pilot, void_reason: 'Fog' };
}

async function scan(): Promise<Columns> {
  const photo = await insert('photos', {
    school_id: school,
    user_id: pilot,
    content: Buffer.from('jpeg'),
    width: 1,
    height: 1,
  });
  const owned = { school_id: school, aircraft_id: aircraft, user_id: pilot, photo_id: photo };
  return { ...owned, meter_type: 'hobbs', detected_text: '100.0', confidence: '0.9' };
}

/** Writes a row as any program could, and gives its id. */
async function insert(table: string, row: Columns): Promise<number> {
  const names = sql.join(Object.keys(row).map((name) => sql.ref(name)));
  const statement = sql<{
    id: number;
  }>`insert into ${sql.table(table)} (${names}) values (${sql.join(Object.values(row))}) returning id`;
  return (await statement.execute(db)).rows[0]?.id ?? 0;
}

async function refused(write: Promise<unknown>, constraint: string | RegExp): Promise<void> {
  const name = typeof constraint === 'string' ? constraint : expect.stringMatching(constraint);
  await expect(write).rejects.toMatchObject({ constraint: name });
}
