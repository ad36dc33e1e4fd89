import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect, type Db } from '#db/connect.server.ts';
import { ROLES } from '#db/roles.ts';
import { inTransaction } from '#db/transaction.ts';
import type { Actor } from '#app/domain/actor.ts';
import { findHoursFlown } from '#app/domain/aircraft/list-aircraft.server.ts';
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
import { comparedRows } from '#db/doctor/rules/record.ts';
import { testDatabase } from '#tests/support/database.ts';

const { db, url } = await testDatabase();

const PROTECTION = {
  fault: '',
  mend: '',
  query: `select *, '' as subject, '' as detail from (${comparedRows('schools')}) as compared where school_id = 2`,
};

const INDEXES = `
access_tokens_hash_unique: unique access_tokens (token_hash)
access_tokens_of_user: access_tokens (user_id)
access_tokens_pkey: unique access_tokens (id)
aircraft_of_school: unique aircraft (school_id, id)
aircraft_pkey: unique aircraft (id)
aircraft_tail_number_taken: unique aircraft (school_id, tail_number) where (deleted_at is null)
audit_emails_pkey: unique audit_emails (entry_id)
audit_entries_about_user: audit_entries (school_id, subject_id, created_at desc) where (subject = 'user'::text)
audit_entries_newest: audit_entries (school_id, created_at desc, id desc)
audit_entries_of_moves: audit_entries (school_id, id) where (action = ANY (ARRAY['imported school'::text, 'removed old activity'::text]))
audit_entries_of_people: audit_entries (school_id, created_at desc, id desc) where (action <> 'recorded rows'::text)
audit_entries_of_rows: audit_entries (subject, id) where (action = ANY (ARRAY['recorded rows'::text, 'accepted rows'::text]))
audit_entries_pkey: unique audit_entries (id)
audit_seals_entry_unique: unique audit_seals (entry_id)
audit_seals_pkey: unique audit_seals (chain, "position")
backups_pkey: unique backups (id)
calendar_links_hash_unique: unique calendar_links (link_hash)
calendar_links_of_aircraft: calendar_links (school_id, aircraft_id)
calendar_links_pkey: unique calendar_links (user_id, aircraft_id)
changes_newest: changes (school_id, ended_at) where (ended_at is not null)
changes_pkey: unique changes (id)
drafts_pkey: unique drafts (user_id, form)
flight_log_revisions_of_flight: flight_log_revisions (school_id, flight_log_id)
flight_log_revisions_pkey: unique flight_log_revisions (id)
flight_logs_changed: flight_logs (school_id, change_id)
flight_logs_end_hobbs_photos: flight_logs (school_id, aircraft_id, created_at desc, id desc) where (end_hobbs_photo_id is not null)
flight_logs_end_tach_photos: flight_logs (school_id, aircraft_id, created_at desc, id desc) where (end_tach_photo_id is not null)
flight_logs_newest: flight_logs (school_id, created_at desc, id desc)
flight_logs_newest_of_aircraft: flight_logs (school_id, aircraft_id, created_at desc, id desc) include (voided_at, completed_at, hobbs_hours, tach_hours, instructor_hours, ground_school_time)
flight_logs_newest_of_instructor: flight_logs (school_id, instructor_id, created_at desc, id desc) where (instructor_id is not null)
flight_logs_newest_of_pilot: flight_logs (school_id, user_id, created_at desc, id desc) include (voided_at, completed_at, hobbs_hours, tach_hours, instructor_hours, ground_school_time)
flight_logs_of_aircraft: unique flight_logs (school_id, aircraft_id, id)
flight_logs_of_school: unique flight_logs (school_id, id)
flight_logs_pkey: unique flight_logs (id)
flight_logs_with_squawks: flight_logs (school_id, created_at desc, id desc) where (notes <> ''::text)
fuel_records_of_flight: fuel_records (school_id, flight_log_id)
fuel_records_pkey: unique fuel_records (id)
idempotency_keys_oldest: idempotency_keys (created_at)
idempotency_keys_pkey: unique idempotency_keys (scope, key, operation)
import_pieces_pkey: unique import_pieces (school_id, import_id, place)
import_progress_pkey: unique import_progress (school_id, import_id)
import_rows_aircraft: import_rows (school_id, aircraft_id) where (aircraft_id is not null)
import_rows_flight_once: unique import_rows (school_id, flight_log_id) where (flight_log_id is not null)
import_rows_inspection: import_rows (school_id, inspection_id) where (inspection_id is not null)
import_rows_of_import: import_rows (school_id, import_id, id)
import_rows_pkey: unique import_rows (id)
import_rows_squawk: import_rows (school_id, squawk_id) where (squawk_id is not null)
import_rows_user: import_rows (school_id, user_id) where (user_id is not null)
imports_newest: imports (school_id, id desc)
imports_of_school: unique imports (school_id, id)
imports_pkey: unique imports (id)
inspection_completions_of_inspection: inspection_completions (school_id, inspection_id, id desc)
inspection_completions_pkey: unique inspection_completions (id)
inspections_of_aircraft: inspections (school_id, aircraft_id) where (removed_at is null)
inspections_of_school: unique inspections (school_id, id)
inspections_pkey: unique inspections (id)
invitations_email_pending: unique invitations (school_id, lower(email)) where (accepted_at is null)
invitations_of_school: unique invitations (school_id, id)
invitations_pkey: unique invitations (id)
invitations_token_unique: unique invitations (token_hash)
jobs_due: jobs (run_at, id) where (given_up_at is null)
jobs_once: unique jobs (kind, subject_id)
jobs_pkey: unique jobs (id)
login_attempts_pkey: unique login_attempts (key)
mail_outbox_of_school: unique mail_outbox (school_id, id)
mail_outbox_pkey: unique mail_outbox (id)
meter_segments_first: unique meter_segments (school_id, aircraft_id, meter_type) where (reason = 'new aircraft'::text)
meter_segments_of_aircraft: meter_segments (school_id, aircraft_id, meter_type, started_at)
meter_segments_of_flight: unique meter_segments (school_id, flight_log_id, meter_type) where (flight_log_id is not null)
meter_segments_pkey: unique meter_segments (id)
one_open_flight_per_aircraft: unique flight_logs (school_id, aircraft_id) where ((completed_at is null) and (voided_at is null))
one_open_flight_per_pilot: unique flight_logs (school_id, user_id) where ((completed_at is null) and (voided_at is null))
one_squawk_per_check_in: unique squawks (school_id, flight_log_id) where (flight_log_id is not null)
passkeys_credential_unique: unique passkeys (credential_id)
passkeys_of_user: passkeys (user_id)
passkeys_pkey: unique passkeys (id)
password_link_requests_pkey: unique password_link_requests (id)
password_links_pkey: unique password_links (school_id, user_id)
password_links_token_unique: unique password_links (token_hash)
photos_of_school: unique photos (school_id, id)
photos_pkey: unique photos (id)
recovery_codes_pkey: unique recovery_codes (user_id, code_hash)
removed_flights_changed: removed_flights (school_id, change_id)
removed_flights_pkey: unique removed_flights (school_id, id)
removed_schools_pkey: unique removed_schools (school_id)
scans_newest: scans (school_id, created_at desc, id desc)
scans_pkey: unique scans (id)
schools_pkey: unique schools (id)
second_factors_pkey: unique second_factors (user_id)
sessions_by_former_id: sessions (former_id) where (former_id is not null)
sessions_number_unique: unique sessions (number)
sessions_of_passkey: sessions (passkey_id) where (passkey_id is not null)
sessions_of_user: sessions (user_id)
sessions_pkey: unique sessions (id)
squawk_events_of_squawk: squawk_events (school_id, squawk_id, id)
squawk_events_pkey: unique squawk_events (id)
squawk_photos_pkey: unique squawk_photos (school_id, squawk_id, photo_id)
squawks_not_fixed: squawks (school_id, aircraft_id) where (state = ANY (ARRAY['open'::text, 'deferred'::text]))
squawks_of_aircraft: squawks (school_id, aircraft_id, id desc)
squawks_of_school: unique squawks (school_id, id)
squawks_pkey: unique squawks (id)
used_passkey_challenges_pkey: unique used_passkey_challenges (challenge)
users_email_taken: unique users (school_id, lower(email)) where (deleted_at is null)
users_left: users (school_id, lower(email)) where (deleted_at is not null)
users_namesakes: users (school_id, username_key, id)
users_of_school: unique users (school_id, id)
users_pkey: unique users (id)
users_username_taken: unique users (username_key) where (deleted_at is null)
webhook_deliveries_newest: webhook_deliveries (school_id, webhook_id, id desc)
webhook_deliveries_oldest: webhook_deliveries (created_at)
webhook_deliveries_pkey: unique webhook_deliveries (id)
webhooks_of_school: unique webhooks (school_id, id)
webhooks_pkey: unique webhooks (id)`;

const FOREIGN_KEYS = `
aircraft: last_hobbs_by -> users, last_tach_by -> users
calendar_links: aircraft_id -> aircraft, user_id -> users
flight_log_revisions: flight_log_id -> flight_logs, user_id -> users
flight_logs: aircraft_id -> aircraft, completed_by -> users, end_hobbs_photo_id -> photos, end_tach_photo_id -> photos, entered_by -> users, instructor_id -> users, start_hobbs_photo_id -> photos, start_tach_photo_id -> photos, user_id -> users, voided_by -> users
fuel_records: flight_log_id -> flight_logs, receipt_photo_id -> photos
import_pieces: FOREIGN KEY (school_id, import_id) REFERENCES imports(school_id, id) ON DELETE CASCADE
import_progress: FOREIGN KEY (school_id, import_id) REFERENCES imports(school_id, id) ON DELETE CASCADE
import_rows: FOREIGN KEY (school_id, aircraft_id) REFERENCES aircraft(school_id, id) ON DELETE CASCADE, FOREIGN KEY (school_id, flight_log_id) REFERENCES flight_logs(school_id, id) ON DELETE CASCADE, FOREIGN KEY (school_id, import_id) REFERENCES imports(school_id, id) ON DELETE CASCADE, FOREIGN KEY (school_id, inspection_id) REFERENCES inspections(school_id, id) ON DELETE CASCADE, FOREIGN KEY (school_id, squawk_id) REFERENCES squawks(school_id, id) ON DELETE CASCADE, FOREIGN KEY (school_id, user_id) REFERENCES users(school_id, id) ON DELETE CASCADE
imports: requested_by -> users, user_id -> users
inspection_completions: inspection_id -> inspections, user_id -> users
inspections: aircraft_id -> aircraft
invitations: accepted_by -> users, former_user_id -> users, invited_by -> users, link_made_by -> users, mail_id -> mail_outbox
meter_segments: FOREIGN KEY (school_id, aircraft_id) REFERENCES aircraft(school_id, id) ON DELETE CASCADE, declared_by -> users, flight_log_id -> flight_logs
password_links: made_by -> users, mail_id -> mail_outbox, user_id -> users
photos: user_id -> users
scans: aircraft_id -> aircraft, crop_id -> photos, photo_id -> photos, user_id -> users
squawk_events: squawk_id -> squawks, user_id -> users
squawk_photos: photo_id -> photos, squawk_id -> squawks
squawks: FOREIGN KEY (school_id, aircraft_id, flight_log_id) REFERENCES flight_logs(school_id, aircraft_id, id), aircraft_id -> aircraft, user_id -> users
webhook_deliveries: webhook_id -> webhooks`;

describe('the schema', () => {
  it('the database has the indexes of this list and no other (C02)', async () => {
    const { rows } = await sql<{ name: string; definition: string }>`
      select indexname as name, indexdef as definition from pg_indexes
      where schemaname = 'public' and tablename not like 'kysely%' order by indexname collate "C"`.execute(db);
    const found = rows.map(({ name, definition }) => {
      const [, unique = '', rest = ''] = /^CREATE (UNIQUE )?INDEX \w+ ON public\.(.*)$/.exec(definition) ?? [];
      return `${name}: ${unique.toLowerCase()}${rest.replace('USING btree ', '').replace(/IS (NOT )?NULL|WHERE|DESC|AND|INCLUDE/g, (word) => word.toLowerCase())}`;
    });
    expect(found).toEqual(INDEXES.trim().split('\n'));
  });

  it('each reference between rows of a school names the school beside the id (C20, B321)', async () => {
    const { rows } = await sql<{ name: string; references: string }>`
      select conrelid::regclass::text as name, string_agg(refers, ', ' order by refers collate "C") as references
      from pg_constraint, regexp_replace(pg_get_constraintdef(oid),
        '^FOREIGN KEY [(]school_id, ([a-z_]+)[)] REFERENCES ([a-z_]+)[(]school_id, id[)]$', '\\1 -> \\2') as refers
      where contype = 'f' and pg_get_constraintdef(oid) !~ 'REFERENCES schools' and conrelid::regclass::text not in
        ('audit_emails', 'audit_entries', 'drafts', 'sessions', 'second_factors', 'recovery_codes', 'passkeys',
         'access_tokens')
      group by conrelid order by conrelid::regclass::text collate "C"`.execute(db);
    expect(rows.map(({ name, references }) => `${name}: ${references}`)).toEqual(FOREIGN_KEYS.trim().split('\n'));
  });

  it('the words that the database takes are exactly these (B307, B308, B312)', async () => {
    const { rows } = await sql<{ name: string; definition: string }>`
      select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
      where contype = 'c' and connamespace = 'public'::regnamespace and pg_get_constraintdef(oid) like '%ARRAY[%'`.execute(
      db,
    );
    const words = ({ definition }: { definition: string }) =>
      [...definition.matchAll(/'([^']*)'::text/g)].map(([, word]) => word);
    expect(Object.fromEntries(rows.map((row) => [row.name, words(row)]))).toEqual({
      users_role_known: ROLES,
      access_tokens_scope_known: TOKEN_SCOPES,
      drafts_wait_for_a_sign_in_or_a_password: ['sign-in', 'password'],
      audit_entries_outcome_known: ['done', 'refused'],
      imports_kind_known: STORED_KINDS,
      imports_requested_known: ['apply', 'undo'],
      imports_state_known: ['uploaded', 'applied', 'undone'],
      invitations_role_known: ROLES,
      squawk_events_state_known: SQUAWK_STATES,
      squawks_state_known: SQUAWK_STATES,
      scans_meter_type_known: ['hobbs', 'tachometer'],
      scans_other_kind_known: ['same counter', 'other counter'],
      flight_log_revisions_field_known: [...CORRECTABLE, ...CHANGED, ...TIMES, ...TEXTS],
      flight_log_revisions_one_kind_of_value: [...TIMES, ...CORRECTABLE, ...CHANGED],
      flight_log_revisions_readings_stay: CORRECTABLE,
      meter_segments_meter_type_known: ['hobbs', 'tachometer'],
      meter_segments_reason_known: ['new aircraft', 'replaced', 'rolled over'],
      webhooks_events_known: WEBHOOK_EVENTS,
      webhook_deliveries_state_known: ['waiting', 'delivered', 'given up'],
      flight_logs_ground_school_time_known: Array.from({ length: 13 }, (_, quarter) => String(quarter / 4)),
    });
  });
});

const CORRECTABLE = ['start_hobbs', 'start_tach', 'end_hobbs', 'end_tach'];
const CHANGED = ['hobbs_old_last', 'hobbs_new_first', 'tach_old_last', 'tach_new_first'];
const TIMES = ['departed_at', 'landed_at'];
const TEXTS = [
  ...['hobbs_change', 'tach_change', 'instructor', 'instructor_time_in', 'instructor_time_out'],
  ...['ground_school_time', 'fuel_and_oil', 'notes'],
];

const STUDENT: Actor = {
  id: 41,
  username: 'student',
  email: 'student@b.example',
  role: 'student',
  schoolId: 2,
  timeZone: 'UTC',
};

/** Tables of which a school has few rows. */
const SMALL = [
  'schools',
  'removed_schools',
  'webhooks',
  'aircraft',
  'flight_log_revisions',
  'meter_segments',
  'imports',
];

describe('among ten thousand rows', () => {
  const queries: { sql: string; parameters: readonly unknown[] }[] = [];
  const watched = connect(url, { max: 1, log: ({ query }) => void queries.push(query) });
  afterAll(() => watched.destroy());
  beforeAll(() => fill(db));

  it.each<[string, (school: Db) => Promise<unknown>, string[]]>([
    ['the newest page of flights', (school) => findFlightLogPage(school, 2, {}), ['flight_logs_newest']],
    [
      'whole flights with their fuel',
      (school) => findFlightLogs(school, 2, { limit: 50 }),
      ['flight_logs_newest', 'fuel_records_of_flight'],
    ],
    [
      'an older page of flights',
      (school) => findFlightLogPage(school, 2, { after: { createdAt: '2026-03-01T00:00:00.000Z', id: 7 } }),
      ['flight_logs_newest'],
    ],
    [
      'a page of the flights of one aircraft',
      (school) => findFlightLogPage(school, 2, { aircraftId: 21 }),
      ['flight_logs_newest_of_aircraft'],
    ],
    [
      'the flights of one pilot',
      (school) => findFlightLogPage(school, 2, { pilotId: 41 }),
      ['flight_logs_newest_of_pilot'],
    ],
    [
      'the flights that one instructor taught',
      (school) => findFlightLogPage(school, 2, { instructorId: 51 }),
      ['flight_logs_newest_of_instructor'],
    ],
    [
      'the flights of a week',
      (school) => findFlightLogPage(school, 2, { from: '2025-11-03', to: '2025-11-09' }),
      ['flight_logs_newest'],
    ],
    [
      'the flights in progress',
      (school) => findFlightLogPage(school, 2, { status: 'in_progress' }),
      ['one_open_flight_per_'],
    ],
    [
      'words in the squawks',
      (school) => findFlightLogPage(school, 2, { q: 'brake soft' }),
      ['flight_logs_with_squawks'],
    ],
    [
      "the sums of a pilot's flights",
      (school) => findFlightSums(school, 2, { pilotId: 41 }),
      ['flight_logs_newest_of_pilot'],
    ],
    [
      'the sums of the days on a page',
      (school) => findFlightSums(school, 2, { pilotId: 41 }, { filter: {}, first: '2026-05-09', last: '2026-05-11' }),
      ['flight_logs_newest'],
    ],
    [
      "a pilot's own hours of a month",
      (school) => findHours(school, { ...STUDENT }, { by: 'pilot', filter: { from: '2026-04-01', to: '2026-04-30' } }),
      ['flight_logs_newest_of_pilot'],
    ],
    [
      'the hours of a month',
      (school) =>
        findHours(
          school,
          { ...STUDENT, role: 'administrator' },
          {
            by: 'aircraft',
            filter: { from: '2026-04-01', to: '2026-04-30' },
          },
        ),
      ['flight_logs_newest'],
    ],
    ["a pilot's open flight", (school) => findOpenFlights(school, 2, 41), ['one_open_flight_per_pilot']],
    [
      'whether an aircraft is out, and its condition',
      (school) => findFleet(school, 2),
      ['one_open_flight_per_aircraft', 'squawks_not_fixed', 'inspections_of_aircraft'],
    ],
    [
      'the condition of an aircraft in the jump box',
      (school) => findAircraftByText(school, 2, 'N2'),
      ['squawks_not_fixed', 'inspections_of_aircraft'],
    ],
    ["an aircraft's recent squawks", (school) => findRecentSquawks(school, 2, 21), ['flight_logs_newest_of_aircraft']],
    [
      "an aircraft's squawks that are not fixed",
      (school) => findUnfixedSquawks(school, 2, 22),
      ['squawks_not_fixed', 'squawk_events_of_squawk', 'squawk_photos_pkey'],
    ],
    ["an aircraft's line of readings", (school) => findLinePage(school, 2, 21), ['flight_logs_newest_of_aircraft']],
    [
      "the hours of an aircraft's last weeks",
      (school) => findHoursFlown(school, { schoolId: 2, timeZone: 'UTC' }, 21, 'week'),
      ['flight_logs_newest_of_aircraft'],
    ],
    [
      'the line with the flights of the day',
      (school) => findFlightLine(school, { schoolId: 2, timeZone: 'UTC' }),
      ['one_open_flight_per_', 'flight_logs_newest_of_aircraft', 'squawks_not_fixed', 'inspections_of_aircraft'],
    ],
    [
      "a flight's details with its neighbours",
      (school) => findFlightDetails(school, 2, 5077, { pilotId: 77 }),
      ['flight_logs_newest_of_aircraft', 'flight_logs_newest_of_pilot', 'import_rows_flight_once'],
    ],
    ['a flight by its number', (school) => findFlightById(school, 2, 77), ['flight_logs_of_school']],
    [
      'the session behind a cookie',
      (school) => findSessionActor(school, 'session 77'),
      ['sessions_pkey', 'users_pkey'],
    ],
    [
      'the sessions of a user',
      (school) => inTransaction(school, (trx) => revokeUserSessions(trx, 41)),
      ['sessions_of_user'],
    ],
    ['a page of the users', (school) => findUserPage(school, 2, { q: 'user', after: 'user 42' }), ['users_']],
    ['a user who signs in', (school) => findUserByUsername(school, 'user 42'), ['users_username_taken']],
    ['the invitation behind a link', (school) => findInvitationByToken(school, 'token'), ['invitations_token_unique']],
    [
      'the job that is due',
      (school) => claimJob(school, { kinds: ['mail', 'delivery'], fullLanes: [3] }),
      ['jobs_due'],
    ],
    ['the job of an import', (school) => claimJobOf(school, 'import', 7), ['jobs_once']],
    ['answers past their time', (school) => deleteExpiredIdempotencyKeys(school), ['idempotency_keys_oldest']],
    [
      'what is recorded of the protection of schools',
      (school) => findFault(school, 'record', PROTECTION),
      ['audit_entries_of_rows', 'audit_entries_of_moves'],
    ],
    ['a page of the scan history', (school) => findScans(school, 2, { limit: 51 }), ['scans_pkey']],
  ])('among 10,000 rows an index finds %s, and no large table is read through (B329)', async (_, work, expected) => {
    queries.length = 0;
    await work(watched);
    const asked = queries.find(({ sql: text }) => /^\s*(select|update|delete)/.test(text));
    const { indexes, readThrough } = await planOf(asked?.sql ?? '', asked?.parameters ?? []);
    for (const index of expected) expect(indexes).toContainEqual(expect.stringContaining(index));
    expect(readThrough.filter((table) => !SMALL.includes(table))).toEqual([]);
  });

  it.each<[string, (school: Db) => Promise<unknown>, string]>([
    ['one aircraft', (school) => findFlightSums(school, 2, { aircraftId: 21 }), 'flight_logs_newest_of_aircraft'],
    ['one pilot', (school) => findFlightSums(school, 2, { pilotId: 41 }), 'flight_logs_newest_of_pilot'],
    [
      'an aircraft by month',
      (school) => findHoursFlown(school, { schoolId: 2, timeZone: 'UTC' }, 21, 'month'),
      'flight_logs_newest_of_aircraft',
    ],
  ])('the flights of %s are summed from their index alone (B1600)', async (_, work, index) => {
    queries.length = 0;
    await work(watched);
    const [asked] = queries;
    expect((await planOf(asked?.sql ?? '', asked?.parameters ?? [])).alone).toEqual([index]);
  });

  async function planOf(text: string, parameters: readonly unknown[]) {
    const { rows } = await watched.executeQuery<{ 'QUERY PLAN': unknown }>({
      ...sql`select`.compile(watched),
      sql: `explain (format json) ${text}`,
      parameters,
    });
    const plan = JSON.stringify(rows);
    const named = (pattern: RegExp) => [...plan.matchAll(pattern)].map(([, name = '']) => name);
    return {
      indexes: named(/"Index Name":"(\w+)"/g),
      alone: named(/"Node Type":"Index Only Scan"[^{}]*?"Index Name":"(\w+)"/g),
      readThrough: named(/"Node Type":"Seq Scan"[^{}]*?"Relation Name":"(\w+)"/g),
    };
  }
});

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
      select ${school}, n, n, 'end_hobbs', 2, 'Misread' from generate_series(1, 100) n`,
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
