import type { Row } from '#db/tables.ts';

/** Of the demo school: the open flight, a completed one, an administrator and a user without a flight. */
export interface Sound {
  open: Row<'flight_logs'>;
  flown: Row<'flight_logs'>;
  admin: number;
  idle: number;
}

/** What stands in the way of a planted fault, and is therefore taken away first. */
export const dropConstraint = (table: string, name: string) => `alter table ${table} drop constraint ${name}`;
export const dropTrigger = (table: string, name: string) => `drop trigger ${name} on ${table}`;
export const insertFlight = (pilot: number, aircraft: number) =>
  `insert into flight_logs (school_id, aircraft_id, user_id, start_hobbs, start_tach) values (1, ${aircraft}, ${pilot}, 1, 1)`;
/** Of nothing: no scan, flight or receipt refers to it. */
export const insertPhoto = (user: number) =>
  `insert into photos (school_id, user_id, content, width, height) values (1, ${user}, 'jpeg', 8, 6)`;
export const insertSession = (user: number, ends: string) =>
  `insert into sessions (id, user_id, expires_at, ends_at) values ('x', ${user}, now() + interval '1 day', ${ends})`;
export const insertMail = (columns: string, values: string) =>
  `insert into mail_outbox (school_id, to_name, to_address, subject, body_text, body_html, ${columns})
    values (1, 'Ben', 'ben@school.example', 'Hello', 'Hello', '<p>Hello</p>', ${values})`;
export const insertJobs = (table: string, column: string, value: string) =>
  `insert into jobs (kind, subject_id, school_id, ${column}) select '${table === 'mail_outbox' ? 'mail' : 'delivery'}', id, 1, ${value} from ${table}`;
export const insertWebhook = (column: string, value: string) =>
  `insert into webhooks (school_id, url, events, secret, ${column})
    values (1, 'https://receiver.example/', array['flight.started'], '', ${value})`;
export const insertInvitation = (inviter: number, columns: string, values: string) =>
  `insert into invitations (school_id, name, email, role, token_hash, invited_by, expires_at, ${columns})
    values (1, 'Ben', 'admin@cascade.example', 'student', 'hash', ${inviter}, now() + interval '1 day', ${values})`;
export const insertImport = (requested: string) =>
  `insert into imports (school_id, kind, file_name, file_hash, content, columns, formats, preview, requested, requested_at)
    values (1, 'fleet', 'fleet.csv', 'x', '', '[]', '{}', '{}', ${requested})`;
export const insertProgress = 'insert into import_progress (school_id, import_id) select school_id, id from imports';
export const deleteUser = (user: number) =>
  `update users set deleted_at = now(), password_hash = null where id = ${user}`;
