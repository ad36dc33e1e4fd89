import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect, type Db } from '#db/connect.server.ts';
import { ROLES } from '#db/roles.ts';
import { inTransaction } from '#db/transaction.ts';
import type { Actor } from '#app/domain/actor.ts';
import { findHoursFlownByPeriod } from '#app/domain/aircraft/list-aircraft.server.ts';
import { findLinePage } from '#app/domain/aircraft/line-queries.server.ts';
import { findFleet } from '#app/domain/aircraft/queries.server.ts';
import { deleteExpiredIdempotencyKeys } from '#app/domain/idempotency.server.ts';
import { findAircraftByText, findFlightById } from '#app/domain/jump/find-jump-targets.server.ts';
import { findFlightLine } from '#app/domain/flight-line/queries.server.ts';
import { findFlightDetails } from '#app/domain/flights/details/find-flight-details.server.ts';
import { findFlightLogPage } from '#app/domain/flights/flight-log-page.server.ts';
import { findFlightSums, findHours } from '#app/domain/flights/logbook/hours.server.ts';
import { findFlightLogs, findOpenFlights, findRecentSquawks } from '#app/domain/flights/queries.server.ts';
import { STORED_KINDS } from '#app/domain/imports/records.ts';
import { findInvitationByToken } from '#app/domain/invitations/queries.server.ts';
import { claimJob, claimJobOf } from '#app/domain/jobs/queries.server.ts';
import { findScans } from '#app/domain/meters/queries.server.ts';
import { TOKEN_SCOPES } from '#app/domain/people/access-tokens/scopes.ts';
import { findUserPage } from '#app/domain/people/list-users.server.ts';
import { findUserByUsername } from '#app/domain/people/queries.server.ts';
import { findSessionActor, revokeUserSessions } from '#app/domain/people/sessions.server.ts';
import { findUnfixedSquawks } from '#app/domain/squawks/queries.server.ts';
import { SQUAWK_STATES } from '#app/domain/squawks/squawk-states.ts';
import { WEBHOOK_EVENTS } from '#app/domain/webhooks/webhook-events.ts';
import { findFault } from '#db/doctor/find-faults.ts';
import { comparedRowsSql } from '#db/doctor/rules/record.ts';
import { testDatabase } from '#tests/support/database.ts';

const { db, url } = await testDatabase();

const PROTECTION = {
  fault: '',
  mend: '',
  query: `select *, '' as subject, '' as detail from (${comparedRowsSql('schools')}) as compared where school_id = 2`,
};

const INDEXES = `
access_tokens_of_user: access_tokens (user_id)
audit_entries_about_user: audit_entries (school_id, subject_id, created_at desc) where (subject = 'user'::text)
audit_entries_newest: audit_entries (school_id, created_at desc, id desc)
audit_entries_of_moves: audit_entries (school_id, id) where (action = ANY (ARRAY['imported school'::text, 'removed old activity'::text]))
audit_entries_of_people: audit_entries (school_id, created_at desc, id desc) where (action <> 'recorded rows'::text)
audit_entries_of_rows: audit_entries (subject, id) where (action = ANY (ARRAY['recorded rows'::text, 'accepted rows'::text]))
calendar_links_of_aircraft: calendar_links (school_id, aircraft_id)
changes_newest: changes (school_id, ended_at) where (ended_at is not null)
flight_log_revisions_of_flight: flight_log_revisions (school_id, flight_log_id)
flight_logs_changed: flight_logs (school_id, change_id)
flight_logs_end_hobbs_photos: flight_logs (school_id, aircraft_id, created_at desc, id desc) where (end_hobbs_photo_id is not null)
flight_logs_end_tach_photos: flight_logs (school_id, aircraft_id, created_at desc, id desc) where (end_tach_photo_id is not null)
flight_logs_newest: flight_logs (school_id, created_at desc, id desc)
flight_logs_newest_of_aircraft: flight_logs (school_id, aircraft_id, created_at desc, id desc) include (voided_at, completed_at, hobbs_hours, tach_hours, instructor_hours, ground_school_time)
flight_logs_newest_of_instructor: flight_logs (school_id, instructor_id, created_at desc, id desc) include (voided_at, completed_at, hobbs_hours, tach_hours, instructor_hours, ground_school_time) where (instructor_id is not null)
flight_logs_newest_of_pilot: flight_logs (school_id, user_id, created_at desc, id desc) include (voided_at, completed_at, hobbs_hours, tach_hours, instructor_hours, ground_school_time)
flight_logs_with_squawks: flight_logs (school_id, created_at desc, id desc) where (notes <> ''::text)
fuel_records_of_flight: fuel_records (school_id, flight_log_id)
idempotency_keys_oldest: idempotency_keys (created_at)
import_rows_aircraft: import_rows (school_id, aircraft_id) where (aircraft_id is not null)
import_rows_inspection: import_rows (school_id, inspection_id) where (inspection_id is not null)
import_rows_of_import: import_rows (school_id, import_id, id)
import_rows_squawk: import_rows (school_id, squawk_id) where (squawk_id is not null)
import_rows_user: import_rows (school_id, user_id) where (user_id is not null)
imports_newest: imports (school_id, id desc)
inspection_completions_of_inspection: inspection_completions (school_id, inspection_id, id desc)
inspections_of_aircraft: inspections (school_id, aircraft_id) where (removed_at is null)
jobs_due: jobs (run_at, id) where (given_up_at is null)
meter_segments_of_aircraft: meter_segments (school_id, aircraft_id, meter_type, started_at)
passkeys_of_user: passkeys (user_id)
removed_flights_changed: removed_flights (school_id, change_id)
scans_newest: scans (school_id, created_at desc, id desc)
sessions_by_former_id: sessions (former_id) where (former_id is not null)
sessions_of_passkey: sessions (passkey_id) where (passkey_id is not null)
sessions_of_user: sessions (user_id)
squawk_events_of_squawk: squawk_events (school_id, squawk_id, id)
squawks_not_fixed: squawks (school_id, aircraft_id) where (state = ANY (ARRAY['open'::text, 'deferred'::text]))
squawks_of_aircraft: squawks (school_id, aircraft_id, id desc)
users_left: users (school_id, lower(email)) where (deleted_at is not null)
users_namesakes: users (school_id, username_key, id)
webhook_deliveries_newest: webhook_deliveries (school_id, webhook_id, id desc)
webhook_deliveries_oldest: webhook_deliveries (created_at)`;

it('of indexes that are not unique the database has those of this list and no other (C02)', async () => {
  const { rows } = await sql<{ name: string; definition: string }>`
    select relname as name, pg_get_indexdef(indexrelid) as definition from pg_index join pg_class on oid = indexrelid
    where not indisunique and relnamespace = 'public'::regnamespace order by relname collate "C"`.execute(db);
  const found = rows.map(({ name, definition }) => {
    const [, rest = ''] = /^CREATE INDEX \w+ ON public\.(.*)$/.exec(definition) ?? [];
    return `${name}: ${rest.replace('USING btree ', '').replace(/IS (NOT )?NULL|WHERE|DESC|AND|INCLUDE/g, (word) => word.toLowerCase())}`;
  });
  expect(found).toEqual(INDEXES.trim().split('\n'));
});

it('each reference between rows of a school names the school beside the id (C20, B321)', async () => {
  const { rows } = await sql<{ name: string }>`
    select conname as name from pg_constraint
    where contype = 'f' and confrelid <> 'schools'::regclass and pg_get_constraintdef(oid)
        !~ '^FOREIGN KEY [(]school_id, [a-z_, ]+[)] REFERENCES [a-z_]+[(]school_id, [a-z_, ]*id[)]'
      and 2 = (select count(*) from pg_attribute where attrelid in (conrelid, confrelid) and attname = 'school_id')`.execute(
    db,
  );
  expect(rows).toEqual([]);
});

it('the words that the database takes are those of the lists (B307, B308, B312)', async () => {
  const { rows } = await sql<{ name: string; definition: string }>`
    select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint where contype = 'c'`.execute(db);
  const words = ({ definition }: { definition: string }) =>
    [...definition.matchAll(/'([^']*)'::text/g)].map(([, word]) => word);
  expect(Object.fromEntries(rows.map((row) => [row.name, words(row)]))).toMatchObject({
    users_role_known: ROLES,
    invitations_role_known: ROLES,
    access_tokens_scope_known: TOKEN_SCOPES,
    imports_kind_known: STORED_KINDS,
    squawks_state_known: SQUAWK_STATES,
    squawk_events_state_known: SQUAWK_STATES,
    webhooks_events_known: WEBHOOK_EVENTS,
    scans_meter_type_known: ['hobbs', 'tachometer'],
    flight_logs_ground_school_time_known: Array.from({ length: 13 }, (_, quarter) => String(quarter / 4)),
  });
});

const STUDENT: Actor = {
  ...{ id: 41, username: 'student', email: 'student@b.example', role: 'student', schoolId: 2, timeZone: 'UTC' },
};
const APRIL = { from: '2026-04-01', to: '2026-04-30' };
const MARCH = { createdAt: '2026-03-01T00:00:00.000Z', id: 7 };
const WEEK = { from: '2025-11-03', to: '2025-11-09' };
const DAYS = { filter: {}, first: '2026-05-09', last: '2026-05-11' };
const ADMINISTRATOR: Actor = { ...STUDENT, role: 'administrator' };
const HERE = { schoolId: 2, timeZone: 'UTC' };

/** What is looked for, the indexes that find it, and who looks. */
const LOOKED_FOR: [what: string, indexes: string, find: (school: Db) => Promise<unknown>][] = [
  ['the newest page of flights', 'flight_logs_newest', (on) => findFlightLogPage(on, 2, {})],
  ['whole flights', 'flight_logs_newest fuel_records_of_flight', (on) => findFlightLogs(on, 2, { limit: 50 })],
  ['an older page of flights', 'flight_logs_newest', (on) => findFlightLogPage(on, 2, { after: MARCH })],
  ['flights of an aircraft', 'flight_logs_newest_of_aircraft', (on) => findFlightLogPage(on, 2, { aircraftId: 21 })],
  ['flights of a pilot', 'flight_logs_newest_of_pilot', (on) => findFlightLogPage(on, 2, { pilotId: 41 })],
  ['flights taught', 'flight_logs_newest_of_instructor', (on) => findFlightLogPage(on, 2, { instructorId: 51 })],
  ['flights of a week', 'flight_logs_newest', (on) => findFlightLogPage(on, 2, WEEK)],
  ['flights in progress', 'one_open_flight_per_', (on) => findFlightLogPage(on, 2, { status: 'in_progress' })],
  ['words in squawks', 'flight_logs_with_squawks', (on) => findFlightLogPage(on, 2, { q: 'brake soft' })],
  ["the sums of a pilot's flights", 'flight_logs_newest_of_pilot', (on) => findFlightSums(on, 2, { pilotId: 41 })],
  ['the sums of days', 'flight_logs_newest', (on) => findFlightSums(on, 2, { pilotId: 41 }, DAYS)],
  ['own hours', 'flight_logs_newest_of_pilot', (on) => findHours(on, STUDENT, { by: 'pilot', filter: APRIL })],
  ['all hours', 'flight_logs_newest', (on) => findHours(on, ADMINISTRATOR, { by: 'aircraft', filter: APRIL })],
  ["a pilot's open flight", 'one_open_flight_per_pilot', (on) => findOpenFlights(on, 2, { userId: 41 })],
  ['the fleet', 'one_open_flight_per_aircraft squawks_not_fixed inspections_of_aircraft', (on) => findFleet(on, 2)],
  ['the jump box', 'squawks_not_fixed inspections_of_aircraft', (on) => findAircraftByText(on, 2, 'N2')],
  ['recent squawks', 'flight_logs_newest_of_aircraft', (on) => findRecentSquawks(on, 2, 21)],
  ['squawks', 'squawks_not_fixed squawk_events_of_squawk squawk_photos_pkey', (on) => findUnfixedSquawks(on, 2, 22)],
  ["an aircraft's readings", 'flight_logs_newest_of_aircraft', (on) => findLinePage(on, 2, 21)],
  ['hours flown', 'flight_logs_newest_of_aircraft', (on) => findHoursFlownByPeriod(on, HERE, 21, 'week')],
  [
    'the line',
    'one_open_flight_per_ flight_logs_newest_of_aircraft squawks_not_fixed inspections_of_aircraft',
    (on) => findFlightLine(on, HERE),
  ],
  [
    "a flight's details with its neighbours",
    'flight_logs_newest_of_aircraft flight_logs_newest_of_pilot import_rows_flight_once',
    (on) => findFlightDetails(on, 2, 5077, { pilotId: 77 }),
  ],
  ['a flight by its number', 'flight_logs_of_school', (on) => findFlightById(on, 2, 77)],
  ['the session behind a cookie', 'sessions_pkey users_pkey', (on) => findSessionActor(on, 'session 77')],
  ['sessions', 'sessions_of_user', (on) => inTransaction(on, (trx) => revokeUserSessions(trx, 41))],
  ['a page of the users', 'users_', (on) => findUserPage(on, 2, { q: 'user', after: 'user 42' })],
  ['a user who signs in', 'users_username_taken', (on) => findUserByUsername(on, 'user 42')],
  ['the invitation behind a link', 'invitations_token_unique', (on) => findInvitationByToken(on, 'token')],
  ['the job that is due', 'jobs_due', (on) => claimJob(on, { kinds: ['mail', 'delivery'], fullLanes: [3] })],
  ['the job of an import', 'jobs_once', (on) => claimJobOf(on, 'import', 7)],
  ['answers past their time', 'idempotency_keys_oldest', (on) => deleteExpiredIdempotencyKeys(on)],
  ['the record', 'audit_entries_of_rows audit_entries_of_moves', (on) => findFault(on, 'record', PROTECTION)],
  ['a page of the scan history', 'scans_pkey', (on) => findScans(on, 2, { limit: 51 })],
];

/** What is summed from an index alone. */
const SUMMED: [what: string, index: string, find: (school: Db) => Promise<unknown>][] = [
  ['one aircraft', 'flight_logs_newest_of_aircraft', (on) => findFlightSums(on, 2, { aircraftId: 21 })],
  ['one pilot', 'flight_logs_newest_of_pilot', (on) => findFlightSums(on, 2, { pilotId: 41 })],
  ['one instructor', 'flight_logs_newest_of_instructor', (on) => findFlightSums(on, 2, { instructorId: 51 })],
  ['an aircraft by month', 'flight_logs_newest_of_aircraft', (on) => findHoursFlownByPeriod(on, HERE, 21, 'month')],
];

const PLANNED_ONCE = /page of flights|details/;
/** The first is not prepared, and five are planned for their own values. */
const USES_BEFORE_ONE_PLAN = 7;

/** Tables of which a school has few rows. */
const SMALL = /^(schools|removed_schools|webhooks|aircraft|meter_segments|imports)$/;

const queries: { sql: string; parameters: readonly unknown[] }[] = [];
const watched = connect(url, { max: 1, log: ({ query }) => void queries.push(query) });
const preparing = connect(url, { max: 1, prepares: 'always' });
afterAll(() => Promise.all([watched.destroy(), preparing.destroy()]));

describe('among 10,000 rows', () => {
  beforeAll(() => fill(db));

  it('an index finds whatever is looked for, and no large table is read through (B329)', async () => {
    for (const [what, expected, find] of LOOKED_FOR) {
      const { indexes, readThrough } = await planOf(find);
      for (const index of expected.split(' ')) expect(indexes, what).toContainEqual(expect.stringContaining(index));
      const large = readThrough.filter((table) => !SMALL.test(table));
      expect(large, what).toEqual([]);
    }
  });

  it('the flights of one aircraft, pilot or instructor are summed from their index alone (B1600)', async () => {
    for (const [what, index, find] of SUMMED) expect((await planOf(find)).alone, what).toEqual([index]);
  });

  it('pages of flights and details, whose limits are ours, are planned once a connection, not at each use (B1840)', async () => {
    for (const [what, , find] of LOOKED_FOR.filter(([what]) => PLANNED_ONCE.test(what))) {
      for (let use = 0; use < USES_BEFORE_ONE_PLAN; use += 1) await find(preparing);
      const { rows } = await sql`
        select statement from pg_prepared_statements where generic_plans = 0 and custom_plans > 4`.execute(preparing);
      expect(rows, what).toEqual([]);
    }
  });
});

/** Postgres' plan of the first statement. */
async function planOf(find: (school: Db) => Promise<unknown>) {
  queries.length = 0;
  await find(watched);
  const asked = queries.find(({ sql: text }) => /^\s*(select|update|delete)/.test(text));
  const { rows } = await watched.executeQuery({
    ...sql`select`.compile(watched),
    ...{ sql: `explain (format json) ${asked?.sql}`, parameters: asked?.parameters ?? [] },
  });
  const named = (pattern: RegExp) => [...JSON.stringify(rows).matchAll(pattern)].map(([, name = '']) => name);
  return {
    indexes: named(/"Index Name":"(\w+)"/g),
    alone: named(/"Node Type":"Index Only Scan"[^{}]*?"Index Name":"(\w+)"/g),
    readThrough: named(/"Node Type":"Seq Scan"[^{}]*?"Relation Name":"(\w+)"/g),
  };
}

/** Two schools, whose ids are even and odd by turns, and ten thousand of whatever grows. */
async function fill(target: Db): Promise<void> {
  const school = sql`1 + n % 2`;
  const ten = sql`generate_series(1, 10000) n`;
  const statements = [
    sql`set local session_replication_role = replica`,
    sql`insert into schools (name) values ('One'), ('Two')`,
    sql`insert into users (school_id, username, username_key, email, password_hash, role)
      select ${school}, 'user ' || n, 'user ' || n, n || '@b.example', 'x', 'student' from ${ten}`,
    sql`insert into aircraft (school_id, tail_number, make, model, year)
      select ${school}, 'N' || n, 'Cessna', '172S', 2004 from generate_series(1, 40) n`,
    sql`insert into flight_logs (school_id, aircraft_id, user_id, instructor_id, notes, start_hobbs, start_tach, created_at, end_hobbs,
        end_tach, completed_at)
      select ${school}, case when n > 10 then 21 + (n - 1) % 4 else n end, 1 + (n - 1) % 200, case when n % 300 = 51 then 51 end,
        case when n % 50 < 2 then 'Left brake soft' else '' end, 1, 1, '2026-05-12'::timestamptz - n * interval '1 hour',
        case when n > 10 then 2 end, case when n > 10 then 2 end, case when n > 10 then '2026-05-12'::timestamptz end from ${ten}`,

    sql`insert into fuel_records (school_id, flight_log_id) select ${school}, n from ${ten}`,
    sql`insert into flight_log_revisions (school_id, flight_log_id, user_id, field, new_value, reason)
      select ${school}, n, n, 'end_hobbs', 2, 'Misread' from ${ten}`,
    sql`insert into scans (school_id, aircraft_id, user_id, photo_id, meter_type, detected_text, confidence)
      select ${school}, 1 + (n - 1) % 40, n, n, 'hobbs', '1', 0.9 from ${ten}`,
    sql`insert into squawks (school_id, aircraft_id, user_id, text, state)
      select ${school}, 1 + (n - 1) % 40, n, 'Left brake soft', case when n > 80 then 'fixed' else 'open' end from ${ten}`,
    sql`insert into inspections (school_id, aircraft_id, name, due_hobbs)
      select ${school}, 1 + (n - 1) % 40, 'Inspection ' || n, 100 from ${ten}`,
    sql`insert into squawk_events (school_id, squawk_id, user_id, state) select ${school}, n, n, 'open' from ${ten}`,
    sql`insert into import_rows (school_id, import_id, flight_log_id) select ${school}, 1, n from ${ten}`,
    sql`insert into squawk_photos (school_id, squawk_id, photo_id) select ${school}, n, n from ${ten}`,
    sql`insert into second_factors (user_id, secret, last_step) select id, 'secret', 0 from users where id % 3 > 0`,
    sql`insert into sessions (id, user_id, expires_at, ends_at) select 'session ' || n, 1 + n % 500, now(), now() from ${ten}`,
    sql`insert into invitations (school_id, name, email, role, token_hash, invited_by, expires_at)
      select ${school}, 'Ben', n || '@c.example', 'student', n, n, now() from ${ten}`,
    sql`insert into audit_entries (school_id, action, subject, subject_id)
      select ${school}, case when n % 2 = 0 then 'recorded rows' else 'signed in' end,
        case when n > 100 then 'flight_logs' else 'schools' end, n from ${ten}`,
    sql`insert into mail_outbox (school_id, to_name, to_address, subject, body_text, body_html, sent_at)
      select ${school}, '', '', '', '', '', case when n > 10 then now() end from ${ten}`,
    sql`insert into webhooks (school_id, url, events, secret)
      select ${school}, 'https://receiver.example', array['flight.started'], '' from generate_series(1, 4) n`,
    sql`insert into webhook_deliveries (school_id, webhook_id, event, aircraft_id, data, state)
      select ${school}, 1 + n % 4, 'flight.started', n % 40, '', case when n > 10 then 'delivered' else 'waiting' end
        from ${ten}`,
    sql`insert into jobs (kind, subject_id, run_at) select 'mail', 20000 + n, now() + n * interval '1 hour' from ${ten}`,
    sql`insert into idempotency_keys (scope, key, operation, request_hash, created_at)
      select 'user:' || n, n, '', '', now() - case when n > 10 then 1 else 50 end * interval '1 hour' from ${ten}`,
  ];
  await target.transaction().execute(async (trx) => {
    for (const statement of statements) await statement.execute(trx);
  });
  await sql`vacuum (analyze)`.execute(target);
}
