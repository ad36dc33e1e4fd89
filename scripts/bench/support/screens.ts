import { sql } from 'kysely';
import type { Db } from '#db/connect.server.ts';
import type { FullSchool } from '#tests/support/fixtures.ts';
import { type Screen, screens } from '#tests/support/screen-addresses.ts';
import { signIn } from './served-app.ts';

/** A screen of the full school, and the cookies of a user who may see it. */
export interface Visit {
  path: string;
  cookie: string;
}

/** Visits every screen once, with lists as long as their pages; the second step of a sign-in is like the first. */
export async function* visits(school: FullSchool): AsyncGenerator<Visit> {
  for (const { as, path } of [...screens(), FLIGHT_DETAILS]) {
    if (as === 'signing in') continue;
    yield { path: path(school), cookie: as === 'visitor' ? '' : await signIn(school[as].username) };
  }
}

const FLIGHT_DETAILS: Screen = {
  route: '/flight-logs',
  as: 'administrator',
  path: ({ flown }) => `/flight-logs?log=${flown}`,
};

export async function fillLists(db: Db, { id, administrator, free }: FullSchool): Promise<void> {
  const fifty = sql`generate_series(1, 50) n`;
  await sql`insert into users (school_id, username, username_key, email, role, password_hash)
    select ${id}, 'pilot-' || n, 'pilot-' || n, 'pilot-' || n || '@cascade.example', 'student', 'x' from ${fifty}`.execute(
    db,
  );
  await sql`insert into aircraft (school_id, tail_number, make, model, year, last_hobbs, last_tach)
    select ${id}, 'N' || (1000 + n), 'Cessna', '172S', 2004, 1234.5, 987.6 from ${fifty}`.execute(db);
  await sql`insert into flight_logs (school_id, aircraft_id, user_id, start_hobbs, start_tach, end_hobbs, end_tach, created_at,
      completed_at, completed_by)
    select ${id}, ${free}, ${administrator.id}, 100 + n, 90 + n, 101 + n, 91 + n, now() - n * interval '1 day',
      now() - n * interval '1 day' + interval '1 hour', ${administrator.id} from ${fifty}`.execute(db);
  await sql`insert into invitations (school_id, name, email, role, token_hash, invited_by, expires_at)
    select ${id}, 'Pilot ' || n, 'invited-' || n || '@cascade.example', 'student', 'hash-' || n, ${administrator.id},
      now() + interval '7 days' from ${fifty}`.execute(db);
  await sql`insert into audit_entries (school_id, user_id, action, subject, subject_id, before, after, reason, address)
    select ${id}, ${administrator.id}, 'corrected readings', 'flight log', n, '{"end_hobbs": "1234.5"}',
      '{"end_hobbs": "1234.6"}', 'Misread at the end of flight ' || n, '192.0.2.' || n from ${fifty}`.execute(db);
  await sql`insert into scans (school_id, aircraft_id, user_id, photo_id, crop_id, meter_type, detected_text, confidence, other_text)
    select school_id, aircraft_id, user_id, photo_id, crop_id, 'hobbs', '1234.5', 0.76, '123.4' from ${fifty},
      (select * from scans where school_id = ${id} limit 1) one`.execute(db);
}
