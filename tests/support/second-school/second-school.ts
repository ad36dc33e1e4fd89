import { sql } from 'kysely';
import type { Db } from '#db/connect.server.ts';
import type { Member } from '#app/domain/actor.ts';
import { insertAccessToken } from '../access-tokens.ts';
import { insertPasskey } from '../passkey-rows.ts';
import { makeFlight } from '../flight.ts';
import { makeInvitation } from '../invitation.ts';
import { insert, insertRow } from '../rows.ts';
import { makePhoto, makeScan } from '../scanned-photo.ts';
import { makeAircraft, makeSchool, makeSquawk, makeUser } from '../school.ts';
import { insertDelivery, insertWebhook } from '../webhooks.ts';
import { MARKED_HOURS, MARKER } from './marker.ts';

/** Ids of the second school's records, by what a request names with them. */
export interface MarkedIds {
  school: number[];
  aircraft: number[];
  flight: number[];
  scan: number[];
  photo: number[];
  user: number[];
  invitation: number[];
  squawk: number[];
  inspection: number[];
  webhook: number[];
  file: number[];
}

const hours = (tenths: number) => `${MARKED_HOURS}.${tenths}`;
const readings = { start_hobbs: hours(1), start_tach: hours(1) };
const ended = { end_hobbs: hours(5), end_tach: hours(5), completed_at: new Date() };
const flown = { ...readings, ...ended, created_at: new Date(Date.now() - 3_600_000) };

const changed = {
  ...{ hobbs_old_last: hours(3), hobbs_new_first: hours(2), tach_old_last: hours(3), tach_new_first: hours(2) },
};

/** A school with a record of every kind and state, every text and reading of which is marked; its ids. */
export async function makeMarkedSchool(db: Db): Promise<MarkedIds> {
  const school = await makeSchool(db, { name: MARKER, address: MARKER, phone: MARKER });
  const administrator = await makeUser(db, school, 'administrator', `${MARKER}-administrator`);
  const instructor = await makeUser(db, school, 'instructor', `${MARKER}-instructor`);
  const pilot = await makeUser(db, school, 'student', `${MARKER}-pilot`);
  const deleted = await makeUser(db, school, 'student', `${MARKER}-deleted`);
  const photo = await makePhoto(db, pilot, MARKER);
  const aircraft = await makeFleet(db, pilot);
  const flight = await makeFlights(db, { administrator, instructor, pilot, deleted }, aircraft, photo);
  await db.updateTable('users').set({ name: MARKER }).where('school_id', '=', school).execute();
  await sql`update users set deleted_at = now(), password_hash = null where id = ${deleted.id}`.execute(db);
  await db.updateTable('aircraft').set({ deleted_at: new Date() }).where('id', '=', aircraft.removed).execute();
  const scan = await insertScan(db, pilot, aircraft.available, photo);
  const invitation = await makeInvitations(db, administrator);
  const squawk = await makeSquawks(db, pilot, aircraft.available, photo);
  const inspection = await makeInspections(db, administrator, aircraft.available);
  const webhook = await makeWebhook(db, school);
  await writeTraces(db, pilot);
  const file = await insertImport(db, administrator, flight[0] ?? 0);
  const user = [administrator.id, instructor.id, pilot.id, deleted.id];
  const single = { school: [school], scan: [scan], photo: [photo], webhook: [webhook], file: [file] };
  return { ...single, aircraft: Object.values(aircraft), flight, user, invitation, squawk, inspection };
}

async function insertImport(db: Db, { id: user_id, schoolId: school_id }: Member, flight_log_id: number) {
  const json = JSON.stringify({ [MARKER]: null });
  const counts = { rows: 1, added: 1, changed: 0, present: 0, refused: 0, remarks: [], changes: [] };
  const preview = JSON.stringify({ ...counts, problems: [{ row: 1, column: MARKER, message: MARKER }] });
  const named = { kind: 'flights', file_name: MARKER, file_hash: MARKER, content: Buffer.from(MARKER) } as const;
  const outcome = JSON.stringify({ differences: [{ row: 1, column: MARKER, message: MARKER }] });
  const read = { answers: json, options: json, archive: json, preview, outcome, failure: MARKER };
  const values = { school_id, user_id, ...named, ...read };
  const id = await insertRow(db, 'imports', values);
  const owned = { school_id, import_id: id };
  await insert(db, 'import_progress', owned);
  await insert(db, 'import_pieces', { ...owned, place: 0, content: Buffer.from(MARKER) });
  const traces = { source_id: MARKER, before: json, after: json };
  await insert(db, 'import_rows', { ...owned, ...traces, row_number: 1, flight_log_id });
  return id;
}

async function makeFleet(db: Db, { id: reader, schoolId }: Member) {
  const at = { last_hobbs_at: new Date(), last_tach_at: new Date(), last_hobbs_by: reader, last_tach_by: reader };
  const plane = (name: string, more = {}) =>
    makeAircraft(db, schoolId, {
      tail_number: `${MARKER} ${name}`,
      make: MARKER,
      model: MARKER,
      last_hobbs: hours(5),
      last_tach: hours(5),
      ...at,
      ...more,
    });
  return {
    available: await plane('AVAILABLE'),
    inMaintenance: await plane('DOWN', { maintenance_since: new Date() }),
    inFlight: await plane('OUT'),
    removed: await plane('REMOVED'),
  };
}

type People = Record<'administrator' | 'instructor' | 'pilot' | 'deleted', Member>;

async function makeFlights(
  db: Db,
  people: People,
  aircraft: Record<'available' | 'inFlight' | 'removed', number>,
  photo: number,
) {
  const { administrator, instructor, pilot, deleted } = people;
  const starts = { start_hobbs_photo_id: photo, start_tach_photo_id: photo };
  const photos = { ...starts, end_hobbs_photo_id: photo, end_tach_photo_id: photo };
  const completed = await makeFlight(db, pilot, aircraft.available, {
    ...{ ...flown, ...changed, ...photos, notes: MARKER },
    ...{ instructor_id: instructor.id, instructor_time_in: '10:00', instructor_time_out: '11:00' },
    ...{ completed_by: administrator.id, close_reason: MARKER },
    ...{ entered_by: administrator.id, entered_at: new Date(), entry_reason: MARKER },
    reading_flags: JSON.stringify([{ at: 'start', meter: 'hobbs', kind: 'below', last: hours(4), reading: hours(3) }]),
    unsafe_at_start: JSON.stringify([{ id: 1, text: MARKER }]),
    overdue_at_start: JSON.stringify([{ id: 1, name: MARKER, text: MARKER }]),
    deferrals_over_at_start: JSON.stringify([{ id: 1, name: MARKER, text: MARKER }]),
  });
  const ofRemoved = await makeFlight(db, deleted, aircraft.removed, { ...flown, notes: MARKER });
  const open = await makeFlight(db, pilot, aircraft.inFlight, { ...readings, notes: MARKER });
  const voided = { voided_at: new Date(), voided_by: administrator.id, void_reason: MARKER };
  const cancelled = await makeFlight(db, administrator, aircraft.available, { ...readings, ...voided, notes: MARKER });
  const owned = { school_id: pilot.schoolId, flight_log_id: completed };
  await insert(db, 'fuel_records', { ...owned, refueled: true, receipt_photo_id: photo, notes: MARKER });
  const segment = { old_last: hours(3), first_reading: hours(2), declared_by: pilot.id, remark: MARKER } as const;
  const replaced = { aircraft_id: aircraft.available, meter_type: 'hobbs', reason: 'replaced' } as const;
  await insert(db, 'meter_segments', { ...owned, ...segment, ...replaced });
  const revised = { ...owned, user_id: administrator.id, reason: MARKER };
  await insert(
    db,
    'flight_log_revisions',
    { ...revised, field: 'end_hobbs', old_value: hours(3), new_value: hours(5) },
    { ...revised, field: 'notes', old_text: MARKER, new_text: MARKER },
  );
  return [completed, ofRemoved, open, cancelled];
}

function insertScan(db: Db, member: Member, aircraftId: number, photo: number): Promise<number> {
  const read = { detected_text: hours(6), other_text: hours(7), saved_reading: hours(6) };
  return makeScan(db, member, aircraftId, { ...read, photo_id: photo, crop_id: photo });
}

/** Squawks that are open, and deferred until a reading of each meter. */
async function makeSquawks(db: Db, author: Member, aircraftId: number, photo: number): Promise<number[]> {
  const owned = { school_id: author.schoolId, user_id: author.id };
  const states = [
    { state: 'open' },
    { state: 'deferred', until_hobbs: hours(8) },
    { state: 'deferred', until_tach: hours(9) },
  ] as const;
  const squawks: number[] = [];
  for (const state of states) {
    const squawk_id = await makeSquawk(db, author, aircraftId, { ...state, text: MARKER, unsafe: true });
    await insert(db, 'squawk_events', { ...owned, ...state, squawk_id, remark: MARKER });
    await insert(db, 'squawk_photos', { school_id: author.schoolId, squawk_id, photo_id: photo });
    squawks.push(squawk_id);
  }
  return squawks;
}

async function makeInspections(db: Db, { id, schoolId }: Member, aircraftId: number): Promise<number[]> {
  const owned = { school_id: schoolId, aircraft_id: aircraftId, name: MARKER };
  const inspections: number[] = [];
  for (const due of [{ due_hobbs: hours(1) }, { due_tach: hours(2) }]) {
    const inspection_id = await insertRow(db, 'inspections', { ...owned, ...due });
    const done = { done_at: hours(1), done_on: '2026-05-12', remark: MARKER };
    await insert(db, 'inspection_completions', { ...done, school_id: schoolId, inspection_id, user_id: id });
    inspections.push(inspection_id);
  }
  return inspections;
}

async function makeInvitations(db: Db, administrator: Member): Promise<number[]> {
  const named = (state: string) => ({ name: MARKER, email: `${MARKER}-${state}@invited.example` });
  const states = [
    named('pending'),
    { ...named('expired'), expires_at: new Date(0) },
    { ...named('accepted'), accepted_at: new Date(), accepted_by: administrator.id },
  ];
  return Promise.all(states.map(async (columns) => (await makeInvitation(db, administrator, columns)).id));
}

async function makeWebhook(db: Db, schoolId: number): Promise<number> {
  const webhookId = await insertWebhook(db, schoolId, { url: `https://${MARKER}.example/` });
  const marked = { message_id: MARKER, event: MARKER, data: JSON.stringify(MARKER), answer: MARKER, error: MARKER };
  await insertDelivery(db, { schoolId, webhookId }, marked);
  return webhookId;
}

/** What is written beside the records: mail, audit, idempotency, drafts. */
async function writeTraces(db: Db, { id, schoolId }: Member): Promise<void> {
  const marked = JSON.stringify({ text: MARKER });
  const to = { to_name: MARKER, to_address: MARKER, last_error: MARKER };
  const mail = { ...to, subject: MARKER, body_text: MARKER, body_html: MARKER };
  await insert(db, 'mail_outbox', { school_id: schoolId, ...mail });
  const entry_id = await insertRow(db, 'audit_entries', {
    ...{ school_id: schoolId, user_id: id, action: MARKER, subject: MARKER, before: marked, after: marked },
    ...{ reason: MARKER, address: MARKER, request_id: MARKER, email_digest: MARKER },
  });
  await insert(db, 'audit_emails', { entry_id, email: MARKER, salt: MARKER });
  await insert(db, 'audit_seals', { chain: schoolId, position: 1, entry_id, previous_hash: MARKER, hash: MARKER });
  const asked = { key: MARKER, operation: MARKER, request_hash: MARKER, response: marked };
  await insert(db, 'idempotency_keys', { scope: `user:${id}`, ...asked });
  const draft = { user_id: id, body: marked };
  await insert(db, 'drafts', { ...draft, form: '/flight-log#read-meters' });
  const waiting = { waits_for: 'sign-in', posted_to: `/airplanes/add?${MARKER}` } as const;
  await insert(db, 'drafts', { ...draft, form: '/airplanes/add#', ...waiting });
  await insertPasskey(db, { id }, { name: MARKER });
  await insertAccessToken(db, { id }, { name: MARKER });
  await insert(db, 'password_link_requests', { username_key: MARKER });
  const ends = { expires_at: new Date('2999-01-01'), ends_at: new Date('2999-01-01') };
  await insert(db, 'sessions', { id: MARKER, user_id: id, device: MARKER, address: MARKER, ...ends });
}
