import {
  deleteUser,
  dropConstraint,
  dropTrigger,
  insertFlight,
  insertImport,
  insertInvitation,
  insertJobs,
  insertMail,
  insertPhoto,
  insertProgress,
  insertSession,
  insertWebhook,
  type Sound,
} from './planted-rows.ts';

/** Each rule with what breaks it: the row that the doctor is to name, and the statements. */
type Planted = Record<string, [named: string, ...statements: string[]][]>;

export function plantedFaults(sound: Sound): [rule: string, statements: string[], named: string][] {
  const parts = [ofFlights, ofReadings, ofPeople, ofWork, withoutEvent, changedFlights, changedRecords, inAccounts];
  return parts
    .flatMap((part) => Object.entries(part(sound)))
    .flatMap(([rule, faults]) =>
      faults.map(([named, ...statements]): ReturnType<typeof plantedFaults>[number] => [rule, statements, named]),
    );
}

const set = (table: string, id: number, columns: string) => `update ${table} set ${columns} where id = ${id}`;
const NO_EVENT = ' of school 1: no event tells of it';
/** As the product writes, with its triggers. */
const RECORDED = 'set local session_replication_role = origin';
const UNRECORDED = 'set local session_replication_role = replica';
const BY_HAND = [RECORDED, `set local application_name = 'psql'`] as const;

const ofFlights = ({ open, flown, admin, idle }: Sound): Planted => {
  const flight = `flight ${flown.id} of school 1: `;
  const without = (constraint: string) => dropConstraint('flight_logs', `flight_logs_${constraint}`);
  const change = (columns: string) => set('flight_logs', flown.id, columns);
  return {
    aircraft_with_two_open_flights: [
      [
        `aircraft ${open.aircraft_id} of school 1: open flights: ${open.id}, `,
        ...['drop index one_open_flight_per_aircraft', insertFlight(idle, open.aircraft_id)],
      ],
    ],
    pilots_with_two_open_flights: [
      [
        `user ${open.user_id} of school 1: open flights: ${open.id}, `,
        ...['drop index one_open_flight_per_pilot', insertFlight(open.user_id, flown.aircraft_id)],
      ],
    ],
    open_flights_of_the_deleted: [
      [`flight ${open.id} of school 1: its pilot, user ${open.user_id}, is deleted`, deleteUser(open.user_id)],
      [`its aircraft ${open.aircraft_id} is deleted`, set('aircraft', open.aircraft_id, 'deleted_at = now()')],
    ],
    flights_ended_before_start: [
      [
        `${flight}checked out `,
        ...[without('completed_after_start'), without('landed_after_departure')],
        change(`created_at = completed_at + interval '1 hour'`),
      ],
    ],
    flights_with_times_out_of_order: [
      [`${flight}departed `, without('landed_before_check_in'), change(`landed_at = completed_at + interval '1 hour'`)],
    ],
    flights_with_end_below_start: [
      [`${flight}tach from `, without('end_tach_above_start'), change('start_tach = end_tach + 1')],
    ],
    flights_half_ended: [
      [
        `flight ${open.id} of school 1: has end readings, but is not checked in`,
        ...[without('completed_with_readings'), set('flight_logs', open.id, 'end_hobbs = start_hobbs + 1')],
      ],
    ],
    meter_changes_that_do_not_fit: [
      [`${flight}hobbs: the flight says `, change('hobbs_old_last = end_hobbs, hobbs_new_first = end_hobbs')],
      [
        `${flight}tachometer: the flight says nothing, the meter 7, then 3`,
        `insert into meter_segments (school_id, aircraft_id, meter_type, reason, old_last, first_reading, declared_by, flight_log_id)
          values (1, ${flown.aircraft_id}, 'tachometer', 'replaced', 7, 3, ${admin}, ${flown.id})`,
      ],
    ],
    corrections_that_do_not_fit: [
      [
        `${flight}the last correction of start_hobbs says 2, the flight says ${flown.start_hobbs}`,
        `insert into flight_log_revisions (school_id, flight_log_id, user_id, field, old_value, new_value, reason)
          values (1, ${flown.id}, ${admin}, 'start_hobbs', 1, 2, 'Misread')`,
      ],
    ],
  };
};

const ofReadings = ({ flown: { id, aircraft_id }, admin }: Sound): Planted => {
  const aircraft = `aircraft ${aircraft_id} of school 1: `;
  const change = (columns: string) => set('aircraft', aircraft_id, columns);
  const report = (columns: string, values: string) =>
    `insert into squawks (school_id, aircraft_id, user_id, text${columns}) values (1, ${aircraft_id}, ${admin}, 'Tire worn'${values})`;
  return {
    aircraft_without_meters: [
      [
        `${aircraft}has no first hobbs meter`,
        `delete from meter_segments where aircraft_id = ${aircraft_id} and meter_type = 'hobbs'`,
      ],
    ],
    squawks_that_do_not_fit: [
      [' of school 1: is open, its history says nothing', report('', '')],
      [
        ' of school 1: is deferred until hobbs 9900, its history says deferred until hobbs 9000',
        `with squawk as (${report(', state, until_hobbs', `, 'deferred', 9900`)} returning id)
          insert into squawk_events (school_id, squawk_id, user_id, state, until_hobbs)
            select 1, id, ${admin}, 'deferred', 9000 from squawk`,
      ],
    ],
    last_readings_that_do_not_fit: [
      [`${aircraft}Hobbs: the last reading is `, change('last_hobbs = last_hobbs + 1')],
      [`${aircraft}tach: the last reading is missing, its newest flight `, change('last_tach = null')],
      [
        `${aircraft}Hobbs: the last reading is `,
        change(`last_hobbs = last_hobbs + 1, last_hobbs_at = now() - interval '200 days'`),
      ],
      [
        ' of school 1: tach: the last reading is 7, it has not flown, and nobody saved that',
        `insert into aircraft (school_id, tail_number, make, model, year, last_tach) values (1, 'N1UNFLOWN', 'Cessna', '152', 1980, 7)`,
      ],
    ],
    aircraft_twice: [
      [
        `aircraft ${aircraft_id}, `,
        'drop index aircraft_tail_number_taken',
        `insert into aircraft (school_id, tail_number, make, model, year)
          select 1, tail_number, make, model, year from aircraft where id = ${aircraft_id}`,
      ],
    ],
    references_that_lead_nowhere: [
      [
        'flight 4711 is not there',
        `insert into flight_log_revisions (school_id, flight_log_id, user_id, field, new_value, reason)
          values (1, 4711, ${admin}, 'end_hobbs', 2, 'Misread')`,
      ],
      [
        `flight ${id} of school 1: user `,
        `insert into schools (name) values ('Bay Flyers')`,
        `insert into users (school_id, username, username_key, email, password_hash, role)
          select max(id), 'bay', 'bay', 'bay@bay.example', 'x', 'administrator' from schools`,
        set('flight_logs', id, 'instructor_id = (select max(id) from users)'),
      ],
    ],
  };
};

const addPasskey = (user: number) =>
  `insert into passkeys (user_id, name, credential_id, public_key, counter) values (${user}, 'Phone', 'x', '', 0)`;

const ofPeople = ({ admin, idle }: Sound): Planted => {
  const remaining = `user ${idle} of school 1: is deleted, but has `;
  const invited = (state: string) => insertInvitation(idle, state, 'now()');
  return {
    people_twice: [
      [
        'all have the username admin',
        ...['drop index users_username_taken', set('users', idle, `username_key = 'admin'`)],
      ],
    ],
    schools_without_administrator: [['school 1 of school 1', set('users', admin, `role = 'instructor'`)]],
    sessions_of_the_deleted: [
      [
        `is in force for user ${idle}, who is deleted`,
        ...[deleteUser(idle), insertSession(idle, `now() + interval '2 days'`)],
      ],
    ],
    remains_of_the_deleted: [
      [
        `${remaining}drafts`,
        ...[deleteUser(idle), `insert into drafts (user_id, form, body) values (${idle}, 'check-out', '{}')`],
      ],
      [`${remaining}passkeys`, deleteUser(idle), addPasskey(idle)],
      [
        `${remaining}calendar links`,
        deleteUser(idle),
        `insert into calendar_links (school_id, user_id, aircraft_id, link_hash)
          select school_id, ${idle}, min(id), 'x' from aircraft where school_id = 1 group by school_id`,
      ],
    ],
    sessions_past_their_end: [['after its end', insertSession(idle, 'now()')]],
    invitations_of_members: [
      [
        `is pending for the address of user ${admin}, who is a member already`,
        dropTrigger('invitations', 'refuse_invitation_of_member'),
        insertInvitation(admin, 'created_at', 'now()'),
      ],
    ],
    invitations_twice: [
      [
        'are all pending for admin@cascade.example',
        ...['drop index invitations_email_pending', deleteUser(admin)],
        ...[invited('created_at'), invited('created_at').replace("'hash'", "'other hash'")],
      ],
    ],
    invitations_half_accepted: [
      [
        'was accepted by nobody',
        dropConstraint('invitations', 'invitations_accepted_with_user'),
        insertInvitation(admin, 'accepted_at', 'now()'),
      ],
    ],
    photos_of_nothing: [['belongs to no scan, flight, receipt or squawk', insertPhoto(admin)]],
    photos_without_picture: [['is empty', insertPhoto(admin).replace("'jpeg'", "''")]],
  };
};

const ofWork = (): Planted => ({
  jobs_stuck: [
    [
      'of school 1: waits since',
      ...[insertMail('attempts', '0'), insertJobs('mail_outbox', 'run_at', `now() - interval '2 hours'`)],
    ],
    [
      'No such user',
      insertMail('last_error', `'No such user'`),
      insertJobs('mail_outbox', 'due_at', `now() - interval '2 days'`),
    ],
    [
      'of school 1: waits since',
      insertWebhook('created_at', 'now()'),
      `insert into webhook_deliveries (school_id, webhook_id, event, aircraft_id, data)
        select 1, id, 'flight.started', 1, '{}' from webhooks`,
      insertJobs('webhook_deliveries', 'run_at', `now() - interval '2 hours'`),
    ],
  ],
  work_without_job: [
    ['without a job', insertMail('attempts', '0')],
    ['without a job', insertMail('attempts', '0'), insertJobs('mail_outbox', 'given_up_at', 'now()')],
    ['without a job', insertImport(`'apply', now()`), insertProgress],
  ],
  sent_mails_with_content: [['still has its text', insertMail('sent_at', 'now()')]],
  webhooks_failing: [['takes no events since', insertWebhook('failing_since', 'now()')]],
  removals_stuck: [
    ['school 1 of school 1: was to be deleted at ', set('schools', 1, `removal_due_at = now() - interval '2 days'`)],
  ],
  requests_without_response: [
    [
      'request k1 of user:1: add aircraft was begun',
      `insert into idempotency_keys (scope, key, operation, request_hash) values ('user:1', 'k1', 'add aircraft', 'x')`,
    ],
  ],
  activity_kept_shorter: [
    [
      'school 1 of school 1: keeps its activity for 90 days, and its events say 730',
      set('schools', 1, 'activity_kept_days = 90'),
    ],
  ],
  activity_changed: [
    ['event 1 of school 1: was changed after it was sealed', set('audit_entries', 1, `reason = 'forged'`)],
    ['event 2 of school 1: was deleted', 'delete from audit_entries where id = 2'],
    ['event 2 of school 1: has lost what was before it', 'delete from audit_seals where entry_id = 1'],
  ],
});

export const addedSecondFactor = (user: number) =>
  `insert into audit_entries (school_id, action, subject, subject_id) values (1, 'added second factor', 'user', ${user})`;
export const passwordLink = (user: number) =>
  `insert into password_links (school_id, user_id, token_hash, expires_at)
    values (1, ${user}, 'known', now() + interval '1 day')`;
export const corrected = (flight: number) =>
  `insert into audit_entries (school_id, action, subject, subject_id, after)
    values (1, 'corrected readings', 'flight log', ${flight}, '{"end_hobbs": "2.0"}')`;

/** What the product never writes without an event, and what is gone while the event is there. */
const withoutEvent = ({ flown, admin, idle }: Sound): Planted => {
  const token = `insert into access_tokens (user_id, name, scope, token_hash, expires_at)
    values (${admin}, 'Books', 'manage', 'x', now() + interval '9 days')`;
  const ofToken = ` of school 1: of user ${admin}, scope manage, made `;
  return {
    ways_in_that_nobody_made: [
      [` of school 1: of user ${admin}, made `, addPasskey(admin)],
      [ofToken, token],
      [
        ofToken,
        `insert into audit_entries (school_id, action, subject, subject_id, after)
          values (1, 'added access token', 'user', ${admin}, '{"scope": "read"}')`,
        token,
      ],
      [`password link of user ${idle} of school 1: in force until `, passwordLink(idle)],
      [
        `second factor of user ${admin} of school 1: made `,
        `insert into second_factors (user_id, secret, last_step) values (${admin}, 'x', 0)`,
      ],
      [`second factor of user ${idle} of school 1: is gone, event `, addedSecondFactor(idle)],
      [
        `recovery codes of user ${idle} of school 1: are 11, and `,
        `insert into recovery_codes (user_id, code_hash) select ${idle}, 'code ' || n from generate_series(1, 11) as n`,
      ],
      [
        ' of school 1: waits for ben@school.example, and its link is that of ',
        insertMail('created_at', 'now()'),
        `insert into password_links (school_id, user_id, token_hash, mail_id, expires_at)
          select 1, ${idle}, 'known', max(id), now() + interval '1 day' from mail_outbox`,
      ],
      [' of school 1: to https://receiver.example/, made ', insertWebhook('created_at', 'now()')],
    ],
    corrections_without_history: [
      [`flight ${flown.id} of school 1: event `, corrected(flown.id)],
      [
        ' tells of a change that its history lacks',
        ...recordSquawk(flown.aircraft_id, admin),
        `insert into audit_entries (school_id, action, subject, subject_id)
          select 1, 'deferred squawk', 'squawk', id from squawks where text = 'Oil leak'`,
        `update squawk_events set created_at = now() - interval '1 hour'
          where squawk_id = (select id from squawks where text = 'Oil leak')`,
      ],
    ],
  };
};

/** What no other rule tells from a change that the product has made. */
const changedFlights = ({ flown, admin }: Sound): Planted => {
  const flight = `flight ${flown.id} of school 1: `;
  const voided = `voided_at = now(), voided_by = ${admin}, void_reason = 'x'`;
  const far = `created_at = now() + interval '400 days', completed_at = now() + interval '401 days'`;
  const changes = {
    'end_hobbs = end_hobbs + 0.5': `end_hobbs is ${Number(flown.end_hobbs) + 0.5}, event `,
    'start_tach = start_tach - 0.1': 'start_tach is ',
    [`user_id = ${admin}, close_reason = 'x'`]: `user_id is ${admin}, event `,
    [`completed_by = ${admin}, close_reason = 'x'`]: `completed_by is ${admin}, event `,
    [`created_at = created_at - interval '1 hour'`]: 'created_at is ',
    [`landed_at = completed_at - interval '1 minute'`]: 'landed_at is ',
    [far]: 'completed_at is ',
    'start_hobbs = 5.0, end_hobbs = 5.5': 'end_hobbs is 5.5, event ',
    [`instructor_id = ${admin}`]: `instructor_id is ${admin}, event `,
    [`completed_at = null, end_hobbs = null, end_tach = null, ${voided}`]: 'completed_at is nothing, event ',
    [`notes = 'All well'`]: 'notes is another than event ',
  };
  return {
    flight_logs_unlike_their_events: [
      ...Object.entries(changes).map(([columns, says]): [string, string] => [
        flight + says,
        set('flight_logs', flown.id, columns),
      ]),
      [`${flight}is gone, event `, `delete from flight_logs where id = ${flown.id}`],
      [
        NO_EVENT,
        `insert into flight_logs (school_id, aircraft_id, user_id, start_hobbs, start_tach, end_hobbs, end_tach, created_at,
          completed_at, completed_by)
        select school_id, aircraft_id, user_id, 5.0, 5.0, 5.5, 5.5, created_at, completed_at, user_id from flight_logs
        where id = ${flown.id}`,
      ],
      [`${flight}end_hobbs is `, ...BY_HAND, set('flight_logs', flown.id, 'end_hobbs = end_hobbs + 0.5')],
    ],
    fuel_records_unlike_their_events: [
      [NO_EVENT, `insert into fuel_records (school_id, flight_log_id, refueled) values (1, ${flown.id}, true)`],
    ],
  };
};

const changedRecords = ({ open, flown, admin, idle }: Sound): Planted => {
  const user = `user ${idle} of school 1: `;
  const squawk = recordSquawk(flown.aircraft_id, admin);
  return {
    users_unlike_their_events: [
      [`${user}role is administrator, event `, set('users', idle, `role = 'administrator'`)],
      [
        NO_EVENT,
        `insert into users (school_id, username, username_key, email, password_hash, role)
          values (1, 'mallory', 'mallory', 'mallory@x.example', 'x', 'administrator')`,
      ],
    ],
    passwords_that_fit_nothing: [[user, set('users', idle, `password_hash = 'x'`)]],
    aircraft_unlike_their_events: [
      [
        ' of school 1: maintenance_since is nothing, event ',
        'update aircraft set maintenance_since = null where maintenance_since is not null',
      ],
      [
        `aircraft ${open.aircraft_id} of school 1: tail_number is N1X, event `,
        set('aircraft', open.aircraft_id, `tail_number = 'N1X'`),
      ],
    ],
    inspections_unlike_their_events: [
      [' of school 1: due_on is ', 'update inspections set due_on = due_on + 100 where due_on is not null'],
      [' of school 1: removed_at is ', 'update inspections set removed_at = now()'],
    ],
    inspection_completions_unlike_their_events: [
      ['done-record 1 of school 1: is gone, event ', 'delete from inspection_completions'],
      ['done-record 1 of school 1: done_on is ', 'update inspection_completions set done_on = done_on + 30'],
    ],
    squawks_unlike_their_events: [
      [
        ' of school 1: text is another than event ',
        ...[...squawk, `update squawks set text = 'Nothing' where text = 'Oil leak'`],
      ],
      [
        ' of school 1: is gone, event ',
        ...squawk,
        `delete from squawk_events where squawk_id = (select id from squawks where text = 'Oil leak')`,
        `delete from squawks where text = 'Oil leak'`,
      ],
    ],
    meter_segments_unlike_their_events: [
      [
        ' of school 1: first_reading is ',
        `update meter_segments set first_reading = coalesce(first_reading, 0) + 5
          where aircraft_id = ${flown.aircraft_id} and meter_type = 'hobbs'`,
      ],
    ],
  };
};

/** What gives power, and what protects from it. */
const inAccounts = ({ admin }: Sound): Planted => {
  const account = `sign-in data of user ${admin} of school 1: `;
  const protection = 'protection of school 1 of school 1: ';
  // It lets whoever made it sign in.
  const hash = `password_hash = '$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$U29tZUhhc2hTb21lSGFzaFNvbWVIYXNoU29tZUhhc2g'`;
  const invite = (values: string) =>
    `insert into invitations (school_id, name, email, role, token_hash, invited_by, expires_at)
      values (1, ${values}, ${admin}, now() + interval '1 day')`;
  // As the product records it, before it is changed by hand.
  const invited = [RECORDED, invite(`'Ben', 'ben@new.example', 'student', 'invited'`), UNRECORDED];
  const changed = (columns: string) => `update invitations set ${columns} where token_hash = 'invited'`;
  return {
    accounts_unlike_their_events: [
      [`${account}email is another than event `, set('users', admin, `email = 'mallory@x.example'`)],
      [
        `${account}username is another than event `,
        set('users', admin, `username = 'mallory', username_key = 'mallory'`),
      ],
      [`${account}password is another than event `, set('users', admin, hash)],
      [`${account}password is another than event `, ...BY_HAND, set('users', admin, hash)],
    ],
    invitations_unlike_their_events: [
      [NO_EVENT, invite(`'Mallory', 'mallory@x.example', 'administrator', 'hash'`)],
      [' of school 1: role is administrator, event ', ...invited, changed(`role = 'administrator'`)],
      [' of school 1: email is another than event ', ...invited, changed(`email = 'mallory@x.example'`)],
      [' of school 1: link is another than event ', ...invited, changed(`token_hash = 'known'`)],
      [' of school 1: expires_at is ', ...invited, changed(`expires_at = now() + interval '9 years'`)],
    ],
    schools_unlike_their_events: [
      [
        `${protection}administrators_need_second_factor is `,
        'update schools set administrators_need_second_factor = not administrators_need_second_factor',
      ],
      [`${protection}removal_due_at is `, `update schools set removal_due_at = now() + interval '1 day'`],
    ],
  };
};

function recordSquawk(aircraft: number, user: number): string[] {
  return [
    RECORDED,
    `with squawk as (
        insert into squawks (school_id, aircraft_id, user_id, text) values (1, ${aircraft}, ${user}, 'Oil leak') returning id)
      insert into squawk_events (school_id, squawk_id, user_id, state) select 1, id, ${user}, 'open' from squawk`,
    UNRECORDED,
  ];
}
