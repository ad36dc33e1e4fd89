import {
  dropConstraint,
  dropTrigger,
  insertFlight,
  insertPhoto,
  insertSession,
  insertMail,
  insertWebhook,
  insertInvitation,
  insertJobs,
  insertImport,
  insertProgress,
  deleteUser,
  type Sound,
} from './planted-rows.ts';

/** Each rule with what breaks it, and the row that the doctor is to name. */
export const plantedFaults = ({
  open,
  flown,
  admin,
  idle,
}: Sound): [rule: string, statements: string[], named: string][] => [
  [
    'aircraft_with_two_open_flights',
    ['drop index one_open_flight_per_aircraft', insertFlight(idle, open.aircraft_id)],
    `aircraft ${open.aircraft_id} of school 1: open flights: ${open.id}, `,
  ],
  [
    'pilots_with_two_open_flights',
    ['drop index one_open_flight_per_pilot', insertFlight(open.user_id, flown.aircraft_id)],
    `user ${open.user_id} of school 1: open flights: ${open.id}, `,
  ],
  [
    'open_flights_of_the_deleted',
    [deleteUser(open.user_id)],
    `flight ${open.id} of school 1: its pilot, user ${open.user_id}, is deleted`,
  ],
  [
    'open_flights_of_the_deleted',
    [`update aircraft set deleted_at = now() where id = ${open.aircraft_id}`],
    `its aircraft ${open.aircraft_id} is deleted`,
  ],
  [
    'flights_ended_before_start',
    [
      dropConstraint('flight_logs', 'flight_logs_completed_after_start'),
      dropConstraint('flight_logs', 'flight_logs_landed_after_departure'),
      `update flight_logs set created_at = completed_at + interval '1 hour' where id = ${flown.id}`,
    ],
    `flight ${flown.id} of school 1: checked out `,
  ],
  [
    'flights_with_times_out_of_order',
    [
      dropConstraint('flight_logs', 'flight_logs_landed_before_check_in'),
      `update flight_logs set landed_at = completed_at + interval '1 hour' where id = ${flown.id}`,
    ],
    `flight ${flown.id} of school 1: departed `,
  ],
  [
    'flights_with_end_below_start',
    [
      dropConstraint('flight_logs', 'flight_logs_end_tach_above_start'),
      `update flight_logs set start_tach = end_tach + 1 where id = ${flown.id}`,
    ],
    `flight ${flown.id} of school 1: tach from `,
  ],
  [
    'flights_half_ended',
    [
      dropConstraint('flight_logs', 'flight_logs_completed_with_readings'),
      `update flight_logs set end_hobbs = start_hobbs + 1 where id = ${open.id}`,
    ],
    `flight ${open.id} of school 1: has end readings, but is not checked in`,
  ],
  [
    'meter_changes_that_do_not_fit',
    [`update flight_logs set hobbs_old_last = end_hobbs, hobbs_new_first = end_hobbs where id = ${flown.id}`],
    `flight ${flown.id} of school 1: hobbs: the flight says `,
  ],
  [
    'meter_changes_that_do_not_fit',
    [
      `insert into meter_segments (school_id, aircraft_id, meter_type, reason, old_last, first_reading, declared_by, flight_log_id)
        values (1, ${flown.aircraft_id}, 'tachometer', 'replaced', 7, 3, ${admin}, ${flown.id})`,
    ],
    `flight ${flown.id} of school 1: tachometer: the flight says nothing, the meter 7, then 3`,
  ],
  [
    'aircraft_without_meters',
    [`delete from meter_segments where aircraft_id = ${flown.aircraft_id} and meter_type = 'hobbs'`],
    `aircraft ${flown.aircraft_id} of school 1: has no first hobbs meter`,
  ],
  [
    'squawks_that_do_not_fit',
    [
      `insert into squawks (school_id, aircraft_id, user_id, text) values (1, ${flown.aircraft_id}, ${admin}, 'Tire worn')`,
    ],
    ' of school 1: is open, its history says nothing',
  ],
  [
    'squawks_that_do_not_fit',
    [
      `with squawk as (insert into squawks (school_id, aircraft_id, user_id, text, state, until_hobbs)
          values (1, ${flown.aircraft_id}, ${admin}, 'Tire worn', 'deferred', 9900) returning id)
        insert into squawk_events (school_id, squawk_id, user_id, state, until_hobbs)
          select 1, id, ${admin}, 'deferred', 9000 from squawk`,
    ],
    ' of school 1: is deferred until hobbs 9900, its history says deferred until hobbs 9000',
  ],
  [
    'corrections_that_do_not_fit',
    [
      `insert into flight_log_revisions (school_id, flight_log_id, user_id, field, old_value, new_value, reason)
        values (1, ${flown.id}, ${admin}, 'start_hobbs', 1, 2, 'Misread')`,
    ],
    `flight ${flown.id} of school 1: the last correction of start_hobbs says 2, the flight says ${flown.start_hobbs}`,
  ],
  [
    'last_readings_that_do_not_fit',
    [`update aircraft set last_hobbs = last_hobbs + 1 where id = ${flown.aircraft_id}`],
    `aircraft ${flown.aircraft_id} of school 1: Hobbs: the last reading is `,
  ],
  [
    'last_readings_that_do_not_fit',
    [`update aircraft set last_tach = null where id = ${flown.aircraft_id}`],
    `aircraft ${flown.aircraft_id} of school 1: tach: the last reading is missing, its newest flight `,
  ],
  [
    'last_readings_that_do_not_fit',
    [
      `update aircraft set last_hobbs = last_hobbs + 1, last_hobbs_at = now() - interval '200 days'
        where id = ${flown.aircraft_id}`,
    ],
    `aircraft ${flown.aircraft_id} of school 1: Hobbs: the last reading is `,
  ],
  [
    'last_readings_that_do_not_fit',
    [
      `insert into aircraft (school_id, tail_number, make, model, year, last_tach) values (1, 'N1UNFLOWN', 'Cessna', '152', 1980, 7)`,
    ],
    ' of school 1: tach: the last reading is 7, it has not flown, and nobody saved that',
  ],
  [
    'aircraft_twice',
    [
      'drop index aircraft_tail_number_taken',
      `insert into aircraft (school_id, tail_number, make, model, year)
        select 1, tail_number, make, model, year from aircraft where id = ${flown.aircraft_id}`,
    ],
    `aircraft ${flown.aircraft_id}, `,
  ],
  [
    'references_that_lead_nowhere',
    [
      `insert into flight_log_revisions (school_id, flight_log_id, user_id, field, new_value, reason)
        values (1, 4711, ${admin}, 'end_hobbs', 2, 'Misread')`,
    ],
    'flight 4711 is not there',
  ],
  [
    'references_that_lead_nowhere',
    [
      `insert into schools (name) values ('Bay Flyers')`,
      `insert into users (school_id, username, username_key, email, password_hash, role)
        select max(id), 'bay', 'bay', 'bay@bay.example', 'x', 'administrator' from schools`,
      `update flight_logs set instructor_id = (select max(id) from users) where id = ${flown.id}`,
    ],
    `flight ${flown.id} of school 1: user `,
  ],
  [
    'people_twice',
    ['drop index users_username_taken', `update users set username_key = 'admin' where id = ${idle}`],
    'all have the username admin',
  ],
  [
    'schools_without_administrator',
    [`update users set role = 'instructor' where id = ${admin}`],
    'school 1 of school 1',
  ],
  [
    'sessions_of_the_deleted',
    [deleteUser(idle), insertSession(idle, `now() + interval '2 days'`)],
    `is in force for user ${idle}, who is deleted`,
  ],
  [
    'remains_of_the_deleted',
    [deleteUser(idle), `insert into drafts (user_id, form, body) values (${idle}, 'check-out', '{}')`],
    `user ${idle} of school 1: is deleted, but has drafts`,
  ],
  [
    'remains_of_the_deleted',
    [
      deleteUser(idle),
      `insert into passkeys (user_id, name, credential_id, public_key, counter) values (${idle}, 'Phone', 'x', '', 0)`,
    ],
    `user ${idle} of school 1: is deleted, but has passkeys`,
  ],
  [
    'remains_of_the_deleted',
    [
      deleteUser(idle),
      `insert into calendar_links (school_id, user_id, aircraft_id, link_hash)
        select school_id, ${idle}, min(id), 'x' from aircraft where school_id = 1 group by school_id`,
    ],
    `user ${idle} of school 1: is deleted, but has calendar links`,
  ],
  ['sessions_past_their_end', [insertSession(idle, 'now()')], 'after its end'],
  [
    'invitations_of_members',
    [dropTrigger('invitations', 'refuse_invitation_of_member'), insertInvitation(admin, 'created_at', 'now()')],
    `is pending for the address of user ${admin}, who is a member already`,
  ],
  [
    'invitations_twice',
    [
      'drop index invitations_email_pending',
      deleteUser(admin),
      insertInvitation(idle, 'created_at', 'now()'),
      insertInvitation(idle, 'created_at', 'now()').replace("'hash'", "'other hash'"),
    ],
    'are all pending for admin@cascade.example',
  ],
  [
    'invitations_half_accepted',
    [dropConstraint('invitations', 'invitations_accepted_with_user'), insertInvitation(admin, 'accepted_at', 'now()')],
    'was accepted by nobody',
  ],
  [
    'jobs_stuck',
    [insertMail('attempts', '0'), insertJobs('mail_outbox', 'run_at', `now() - interval '2 hours'`)],
    'of school 1: waits since',
  ],
  [
    'jobs_stuck',
    [insertMail('last_error', `'No such user'`), insertJobs('mail_outbox', 'due_at', `now() - interval '2 days'`)],
    'No such user',
  ],
  [
    'jobs_stuck',
    [
      insertWebhook('created_at', 'now()'),
      `insert into webhook_deliveries (school_id, webhook_id, event, aircraft_id, data)
        select 1, id, 'flight.started', 1, '{}' from webhooks`,
      insertJobs('webhook_deliveries', 'run_at', `now() - interval '2 hours'`),
    ],
    'of school 1: waits since',
  ],
  ['work_without_job', [insertMail('attempts', '0')], 'without a job'],
  [
    'work_without_job',
    [insertMail('attempts', '0'), insertJobs('mail_outbox', 'given_up_at', 'now()')],
    'without a job',
  ],
  ['work_without_job', [insertImport(`'apply', now()`), insertProgress], 'without a job'],
  ['sent_mails_with_content', [insertMail('sent_at', 'now()')], 'still has its text'],
  ['webhooks_failing', [insertWebhook('failing_since', 'now()')], 'takes no events since'],
  [
    'removals_stuck',
    [`update schools set removal_due_at = now() - interval '2 days' where id = 1`],
    'school 1 of school 1: was to be deleted at ',
  ],
  ['photos_of_nothing', [insertPhoto(admin)], 'belongs to no scan, flight, receipt or squawk'],
  ['photos_without_picture', [insertPhoto(admin).replace("'jpeg'", "''")], 'is empty'],
  [
    'requests_without_response',
    [`insert into idempotency_keys (scope, key, operation, request_hash) values ('user:1', 'k1', 'add aircraft', 'x')`],
    'request k1 of user:1: add aircraft was begun',
  ],
  [
    'activity_kept_shorter',
    ['update schools set activity_kept_days = 90 where id = 1'],
    'school 1 of school 1: keeps its activity for 90 days, and its events say 730',
  ],
  [
    'activity_changed',
    [`update audit_entries set reason = 'forged' where id = 1`],
    'event 1 of school 1: was changed after it was sealed',
  ],
  ['activity_changed', ['delete from audit_entries where id = 2'], 'event 2 of school 1: was deleted'],
  [
    'activity_changed',
    ['delete from audit_seals where entry_id = 1'],
    'event 2 of school 1: has lost what was before it',
  ],
  ...plantedWithoutEvent(flown, admin, idle),
  ...changedByHand({ open, flown, admin, idle }),
];

export const addedSecondFactor = (user: number) =>
  `insert into audit_entries (school_id, action, subject, subject_id) values (1, 'added second factor', 'user', ${user})`;
export const passwordLink = (user: number) =>
  `insert into password_links (school_id, user_id, token_hash, expires_at)
    values (1, ${user}, 'known', now() + interval '1 day')`;
export const corrected = (flight: number) =>
  `insert into audit_entries (school_id, action, subject, subject_id, after)
    values (1, 'corrected readings', 'flight log', ${flight}, '{"end_hobbs": "2.0"}')`;

/** What the product never writes without an event, and what is gone while the event is there. */
function plantedWithoutEvent(flown: Sound['flown'], admin: number, idle: number): ReturnType<typeof plantedFaults> {
  const untold = (statement: string, named: string): ReturnType<typeof plantedFaults>[number] => [
    'ways_in_that_nobody_made',
    [statement],
    named,
  ];
  return [
    untold(
      `insert into passkeys (user_id, name, credential_id, public_key, counter) values (${admin}, 'Phone', 'x', '', 0)`,
      ` of school 1: of user ${admin}, made `,
    ),
    untold(
      `insert into access_tokens (user_id, name, scope, token_hash, expires_at)
        values (${admin}, 'Books', 'manage', 'x', now() + interval '9 days')`,
      ` of school 1: of user ${admin}, scope manage, made `,
    ),
    [
      'ways_in_that_nobody_made',
      [
        `insert into audit_entries (school_id, action, subject, subject_id, after)
          values (1, 'added access token', 'user', ${admin}, '{"scope": "read"}')`,
        `insert into access_tokens (user_id, name, scope, token_hash, expires_at)
          values (${admin}, 'Books', 'manage', 'x', now() + interval '9 days')`,
      ],
      ` of school 1: of user ${admin}, scope manage, made `,
    ],
    untold(passwordLink(idle), `password link of user ${idle} of school 1: in force until `),
    untold(
      `insert into second_factors (user_id, secret, last_step) values (${admin}, 'x', 0)`,
      `second factor of user ${admin} of school 1: made `,
    ),
    untold(addedSecondFactor(idle), `second factor of user ${idle} of school 1: is gone, event `),
    untold(
      `insert into recovery_codes (user_id, code_hash) select ${idle}, 'code ' || n from generate_series(1, 11) as n`,
      `recovery codes of user ${idle} of school 1: are 11, and `,
    ),
    [
      'ways_in_that_nobody_made',
      [
        insertMail('created_at', 'now()'),
        `insert into password_links (school_id, user_id, token_hash, mail_id, expires_at)
          select 1, ${idle}, 'known', max(id), now() + interval '1 day' from mail_outbox`,
      ],
      ' of school 1: waits for ben@school.example, and its link is that of ',
    ],
    untold(insertWebhook('created_at', 'now()'), ' of school 1: to https://receiver.example/, made '),
    ['corrections_without_history', [corrected(flown.id)], `flight ${flown.id} of school 1: event `],
    [
      'corrections_without_history',
      [
        ...recordSquawk(flown.aircraft_id, admin),
        `insert into audit_entries (school_id, action, subject, subject_id)
          select 1, 'deferred squawk', 'squawk', id from squawks where text = 'Oil leak'`,
        `update squawk_events set created_at = now() - interval '1 hour'
          where squawk_id = (select id from squawks where text = 'Oil leak')`,
      ],
      ' tells of a change that its history lacks',
    ],
  ];
}

/** What no other rule tells from a change that the product has made. */
const changedByHand = ({ open, flown, admin, idle }: Sound): [rule: string, statements: string[], named: string][] => {
  const flight = `flight ${flown.id} of school 1: `;
  const changed = (set: string, says: string): [string, string[], string] => [
    'flight_logs_unlike_their_events',
    [`update flight_logs set ${set} where id = ${flown.id}`],
    flight + says,
  ];
  return [
    changed('end_hobbs = end_hobbs + 0.5', `end_hobbs is ${Number(flown.end_hobbs) + 0.5}, event `),
    changed('start_tach = start_tach - 0.1', 'start_tach is '),
    changed(`user_id = ${admin}, close_reason = 'x'`, `user_id is ${admin}, event `),
    changed(`completed_by = ${admin}, close_reason = 'x'`, `completed_by is ${admin}, event `),
    changed(`created_at = created_at - interval '1 hour'`, 'created_at is '),
    changed(`landed_at = completed_at - interval '1 minute'`, 'landed_at is '),
    changed(`created_at = now() + interval '400 days', completed_at = now() + interval '401 days'`, 'completed_at is '),
    changed(`start_hobbs = 5.0, end_hobbs = 5.5`, 'end_hobbs is 5.5, event '),
    changed(`instructor_id = ${admin}`, `instructor_id is ${admin}, event `),
    changed(
      `completed_at = null, end_hobbs = null, end_tach = null, voided_at = now(), voided_by = ${admin}, void_reason = 'x'`,
      'completed_at is nothing, event ',
    ),
    [
      'flight_logs_unlike_their_events',
      [`delete from flight_logs where id = ${flown.id}`],
      `flight ${flown.id} of school 1: is gone, event `,
    ],
    [
      'flight_logs_unlike_their_events',
      [
        `insert into flight_logs (school_id, aircraft_id, user_id, start_hobbs, start_tach, end_hobbs, end_tach, created_at,
          completed_at, completed_by)
        select school_id, aircraft_id, user_id, 5.0, 5.0, 5.5, 5.5, created_at, completed_at, user_id from flight_logs
        where id = ${flown.id}`,
      ],
      ' of school 1: no event tells of it',
    ],
    [
      'flight_logs_unlike_their_events',
      [
        `set local session_replication_role = origin`,
        `set local application_name = 'psql'`,
        `update flight_logs set end_hobbs = end_hobbs + 0.5 where id = ${flown.id}`,
      ],
      `${flight}end_hobbs is `,
    ],
    [
      'users_unlike_their_events',
      [`update users set role = 'administrator' where id = ${idle}`],
      `user ${idle} of school 1: role is administrator, event `,
    ],
    [
      'users_unlike_their_events',
      [
        `insert into users (school_id, username, username_key, email, password_hash, role)
          values (1, 'mallory', 'mallory', 'mallory@x.example', 'x', 'administrator')`,
      ],
      ' of school 1: no event tells of it',
    ],
    [
      'passwords_that_fit_nothing',
      [`update users set password_hash = 'x' where id = ${idle}`],
      `user ${idle} of school 1: `,
    ],
    [
      'aircraft_unlike_their_events',
      ['update aircraft set maintenance_since = null where maintenance_since is not null'],
      ' of school 1: maintenance_since is nothing, event ',
    ],
    [
      'aircraft_unlike_their_events',
      [`update aircraft set tail_number = 'N1X' where id = ${open.aircraft_id}`],
      `aircraft ${open.aircraft_id} of school 1: tail_number is N1X, event `,
    ],
    [
      'inspections_unlike_their_events',
      [`update inspections set due_on = due_on + 100 where due_on is not null`],
      ' of school 1: due_on is ',
    ],
    ['inspections_unlike_their_events', [`update inspections set removed_at = now()`], ' of school 1: removed_at is '],
    [
      'inspection_completions_unlike_their_events',
      ['delete from inspection_completions'],
      'done-record 1 of school 1: is gone, event ',
    ],
    [
      'inspection_completions_unlike_their_events',
      ['update inspection_completions set done_on = done_on + 30'],
      'done-record 1 of school 1: done_on is ',
    ],
    ...plantedInAccounts(admin),
    ...plantedInTexts(flown, admin),
  ];
};

/** What gives power, and what protects from it. */
const plantedInAccounts = (admin: number): ReturnType<typeof plantedFaults> => {
  const account = `sign-in data of user ${admin} of school 1: `;
  // It lets whoever made it sign in.
  const hash = `password_hash = '$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$U29tZUhhc2hTb21lSGFzaFNvbWVIYXNoU29tZUhhc2g'`;
  const invited = recordInvitation(admin);
  return [
    [
      'accounts_unlike_their_events',
      [`update users set email = 'mallory@x.example' where id = ${admin}`],
      `${account}email is another than event `,
    ],
    [
      'accounts_unlike_their_events',
      [`update users set username = 'mallory', username_key = 'mallory' where id = ${admin}`],
      `${account}username is another than event `,
    ],
    [
      'accounts_unlike_their_events',
      [`update users set ${hash} where id = ${admin}`],
      `${account}password is another than event `,
    ],
    [
      'accounts_unlike_their_events',
      [
        'set local session_replication_role = origin',
        `set local application_name = 'psql'`,
        `update users set ${hash} where id = ${admin}`,
      ],
      `${account}password is another than event `,
    ],
    [
      'invitations_unlike_their_events',
      [
        `insert into invitations (school_id, name, email, role, token_hash, invited_by, expires_at)
          values (1, 'Mallory', 'mallory@x.example', 'administrator', 'hash', ${admin}, now() + interval '1 day')`,
      ],
      ' of school 1: no event tells of it',
    ],
    ...(
      [
        ['role', `'administrator'`, 'role is administrator, event '],
        ['email', `'mallory@x.example'`, 'email is another than event '],
        ['token_hash', `'known'`, 'link is another than event '],
        ['expires_at', `now() + interval '9 years'`, 'expires_at is '],
      ] as const
    ).map(([column, value, named]): ReturnType<typeof plantedFaults>[number] => [
      'invitations_unlike_their_events',
      [...invited, `update invitations set ${column} = ${value} where token_hash = 'invited'`],
      ` of school 1: ${named}`,
    ]),
    [
      'schools_unlike_their_events',
      ['update schools set administrators_need_second_factor = not administrators_need_second_factor'],
      'protection of school 1 of school 1: administrators_need_second_factor is ',
    ],
    [
      'schools_unlike_their_events',
      [`update schools set removal_due_at = now() + interval '1 day'`],
      'protection of school 1 of school 1: removal_due_at is ',
    ],
  ];
};

/** As the product records it, before it is changed by hand. */
const recordInvitation = (admin: number) => [
  'set local session_replication_role = origin',
  `insert into invitations (school_id, name, email, role, token_hash, invited_by, expires_at)
    values (1, 'Ben', 'ben@new.example', 'student', 'invited', ${admin}, now() + interval '1 day')`,
  'set local session_replication_role = replica',
];

/** What a flight, its fuel, its squawks and its meters say. */
const plantedInTexts = (flown: Sound['flown'], admin: number): ReturnType<typeof plantedFaults> => {
  const flight = `flight ${flown.id} of school 1: `;
  return [
    [
      'flight_logs_unlike_their_events',
      [`update flight_logs set notes = 'All well' where id = ${flown.id}`],
      `${flight}notes is another than event `,
    ],
    [
      'fuel_records_unlike_their_events',
      [`insert into fuel_records (school_id, flight_log_id, refueled) values (1, ${flown.id}, true)`],
      ' of school 1: no event tells of it',
    ],
    [
      'squawks_unlike_their_events',
      [...recordSquawk(flown.aircraft_id, admin), `update squawks set text = 'Nothing' where text = 'Oil leak'`],
      ' of school 1: text is another than event ',
    ],
    [
      'squawks_unlike_their_events',
      [
        ...recordSquawk(flown.aircraft_id, admin),
        `delete from squawk_events where squawk_id = (select id from squawks where text = 'Oil leak')`,
        `delete from squawks where text = 'Oil leak'`,
      ],
      ' of school 1: is gone, event ',
    ],
    [
      'meter_segments_unlike_their_events',
      [
        `update meter_segments set first_reading = coalesce(first_reading, 0) + 5
          where aircraft_id = ${flown.aircraft_id} and meter_type = 'hobbs'`,
      ],
      ' of school 1: first_reading is ',
    ],
  ];
};

const recordSquawk = (aircraft: number, user: number) => [
  'set local session_replication_role = origin',
  `with squawk as (
      insert into squawks (school_id, aircraft_id, user_id, text) values (1, ${aircraft}, ${user}, 'Oil leak') returning id)
    insert into squawk_events (school_id, squawk_id, user_id, state) select 1, id, ${user}, 'open' from squawk`,
  'set local session_replication_role = replica',
];
