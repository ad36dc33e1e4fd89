import type { Db } from '#db/connect.server.ts';
import { readSnapshot, type Snapshot } from '#db/read-snapshot.ts';
import type { Actor } from '../actor.ts';
import { photoFileName } from '../archive/manifest.server.ts';
import { type ZipMember, zipOf } from '../archive/zip-stream.server.ts';

type Person = Pick<Actor, 'id' | 'schoolId'>;

/** Exports what is stored of one person as a zip; uses one connection of `db` until its reader is done. */
export async function* exportOwnData(db: Db, person: Person): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  yield* readSnapshot(db, (snapshot) => zipOf(members(snapshot, person)));
}

async function* members({ query }: Snapshot, { id, schoolId }: Person): AsyncGenerator<ZipMember, void> {
  yield { name: 'README.txt', content: [Buffer.from(README)] };
  for (const [name, sql] of Object.entries(OWN_DATA_QUERIES)) {
    const rows = await query<object>(withBoth(sql), [id, schoolId]);
    yield { name: `${name}.json`, content: [Buffer.from(`${JSON.stringify(rows, null, 1)}\n`)] };
  }
  const photos = await query<{ id: number }>(
    'select id from photos where school_id = $2 and user_id = $1 order by id',
    [id, schoolId],
  );
  for (const photo of photos)
    yield { name: photoFileName(photo.id), content: readPhoto(query, photo.id), compress: false };
}

function withBoth(sql: string): string {
  return `with whose as (select $1::integer as person, $2::integer as school) ${sql}`;
}

async function* readPhoto(query: Snapshot['query'], id: number): AsyncGenerator<Uint8Array, void> {
  for (const { content } of await query<{ content: Buffer }>('select content from photos where id = $1', [id]))
    yield content;
}

const README = [
  'What is stored of you: your profile, where you are signed in, your flights with their fuel and oil, scans and photos,',
  'squawks, what you have begun to type, and events that you did or that were about you. Each .json file is a list;',
  'times are UTC.',
  'Passwords, codes and tokens are stored as what cannot be turned back, and are left out. Nobody but you can fetch this.',
  '',
].join('\r\n');

/** Queries for one person's data by file; `$1` is their id. Others appear as this person sees them, without words. */
export const OWN_DATA_QUERIES = {
  profile: `
    select id, username, name, email, role, single_keys, created_at,
      (select schools.name from schools where schools.id = school_id) as school,
      (select min(created_at) from second_factors where user_id = users.id) as second_factor_since
    from users where id = $1`,

  sessions: `
    select device, address, shared_computer, created_at as signed_in_at, seen_at, expires_at, revoked_at as ended_at
    from sessions where user_id = $1 order by number`,

  passkeys: `select name, backed_up, created_at, last_used_at from passkeys where user_id = $1 order by id`,

  access_tokens: `
    select name, scope, created_at, expires_at, last_used_at from access_tokens where user_id = $1 order by id`,

  calendar_links: `
    select tail_number as aircraft, made_at
    from calendar_links as link
      join aircraft on aircraft.school_id = link.school_id and aircraft.id = aircraft_id
    where link.school_id = $2 and user_id = $1 order by made_at`,

  flights: `
    select flight.id, tail_number as aircraft, instructor.username as instructor,
      start_hobbs::text, end_hobbs::text, hobbs_hours::text, start_tach::text, end_tach::text, tach_hours::text,
      hobbs_old_last::text, hobbs_new_first::text, tach_old_last::text, tach_new_first::text,
      flight.created_at as checked_out_at, departed_at, landed_at, completed_at as checked_in_at,
      entered_at, instructor_time_in, instructor_time_out, instructor_hours::text, ground_school_time, notes, close_reason,
      voided_at as cancelled_at, void_reason as cancelled_because,
      start_hobbs_photo_id, start_tach_photo_id, end_hobbs_photo_id, end_tach_photo_id
    from flight_logs as flight
      join aircraft on aircraft.school_id = flight.school_id and aircraft.id = flight.aircraft_id
      left join users as instructor on instructor.school_id = flight.school_id and instructor.id = flight.instructor_id
    where flight.school_id = $2 and flight.user_id = $1 order by flight.id`,

  fuel_and_oil: `
    select flight_log_id as flight, fuel.refueled, oil_added, oil_quantity::text as oil_quarts, fuel.notes,
      receipt_photo_id
    from fuel_records as fuel
      join flight_logs as flight on flight.school_id = fuel.school_id and flight.id = flight_log_id
    where fuel.school_id = $2 and flight.user_id = $1 order by fuel.id`,

  instructed_flights: `
    select flight.id, tail_number as aircraft, pilot.username as pilot, flight.created_at as checked_out_at,
      completed_at as checked_in_at, instructor_time_in, instructor_time_out, instructor_hours::text, ground_school_time
    from flight_logs as flight
      join aircraft on aircraft.school_id = flight.school_id and aircraft.id = flight.aircraft_id
      join users as pilot on pilot.school_id = flight.school_id and pilot.id = flight.user_id
    where flight.school_id = $2 and instructor_id = $1 and voided_at is null order by flight.id`,

  corrections: `
    select flight_log_id as flight, field, old_value::text, new_value::text, old_time, new_time, old_text, new_text,
      reason, created_at
    from flight_log_revisions where school_id = $2 and user_id = $1 order by id`,

  scans: `
    select id, meter_type, detected_text, confidence::text, photo_id, crop_id, created_at
    from scans where school_id = $2 and user_id = $1 order by id`,

  squawks: `
    select id, flight_log_id as flight, text, unsafe, state, created_at
    from squawks where school_id = $2 and user_id = $1 order by id`,

  squawk_steps: `
    select squawk_id as squawk, state, remark, created_at
    from squawk_events where school_id = $2 and user_id = $1 order by id`,

  inspections_done: `
    select inspection_id as inspection, done_at::text, done_on, remark, created_at
    from inspection_completions where school_id = $2 and user_id = $1 order by id`,

  drafts: `select form, body, updated_at from drafts where user_id = $1 order by form`,

  // The activity alone has who else did something to them, and what they did to others.
  events: `
    select created_at, action, outcome, times, user_id is not distinct from $1 as by_yourself,
      case when user_id = $1 then address end as address
    from audit_entries
    where school_id is not distinct from $2 and (user_id = $1 or (subject = 'user' and subject_id = $1)) order by id`,
} as const;
