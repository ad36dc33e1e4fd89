import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import sharp from 'sharp';
import type { Db } from '#db/connect.server.ts';
import { inTransaction } from '#db/transaction.ts';
import { createLinkToken } from '#app/domain/link-tokens.server.ts';
import type { Member } from '#app/domain/actor.ts';
import { uploadImport } from '#app/domain/imports/upload-import.server.ts';
import { insertPasskey } from './passkey-rows.ts';
import { insertDelivery, insertWebhook } from './webhooks.ts';
import { completed, makeFlight } from './flight.ts';
import { makeInvitation } from './invitation.ts';
import { type Columns, insert, insertRow } from './rows.ts';
import { makeAircraft, makeSchool, makeSquawk, makeUser } from './school.ts';

export type FullSchool = Awaited<ReturnType<typeof makeFullSchool>>;
export type EmptySchool = Awaited<ReturnType<typeof makeEmptySchool>>;

// Long names and words without a break, as people type them.
const LONG = 'Featherstonehaugh-Cholmondeley';
const NOTES = `Left brake soft.\nSee ${'Landing'.repeat(12)}`;

/** A school in which every screen has something to show. */
export async function makeFullSchool(db: Db) {
  const id = await makeSchool(db, { name: `${LONG} Aviation`, address: `1 ${LONG} Road, Field Office 12` });
  const tag = randomUUID().slice(0, 8);
  const administrator = await makeUser(db, id, 'administrator', `ada.administrator-${tag}`);
  const instructor = await makeUser(db, id, 'instructor', `${LONG}.instructor-${tag}`);
  const student = await makeUser(db, id, 'student', `sam.student-${tag}`);
  const frida = await makeUser(db, id, 'student', `frida.former-${tag}`);
  const left = { email: 'frida@school.example', deleted_at: new Date(), password_hash: null };
  await db.updateTable('users').set(left).where('id', '=', frida.id).execute();
  const name = `Sam ${LONG}`;
  await db.updateTable('users').set({ name }).where('id', '=', student.id).execute();
  const read = { last_hobbs_by: instructor.id, last_hobbs_at: new Date() };
  const last = { last_hobbs: '123456.78', last_tach: '98765.43', ...read };
  const free = await makeAircraft(db, id, { tail_number: 'N101FL', ...last });
  const down = { tail_number: 'N102FL', model: `PA-28R-201 ${LONG}`, maintenance_since: new Date() };
  const grounded = await makeAircraft(db, id, down);
  const out = await makeAircraft(db, id, { tail_number: 'N103FL', ...last });
  const flown = await makeFlight(db, student, free, {
    ...completed('2026-05-12T14:00Z', '2026-05-12T15:18Z'),
    ...{ completed_by: student.id, notes: NOTES, ground_school_time: '0.5' },
    ...{ instructor_id: instructor.id, instructor_time_in: '13:45', instructor_time_out: '15:30' },
    reading_flags: JSON.stringify([{ at: 'start', meter: 'hobbs', kind: 'below', last: '100.5', reading: '100.0' }]),
  });
  const fuel = { refueled: true, oil_added: true, oil_quantity: '1.5', notes: NOTES };
  await insert(db, 'fuel_records', { school_id: id, flight_log_id: flown, ...fuel });
  const open = await makeFlight(db, student, out);
  const scan = await makeScans(db, id, free, instructor.id);
  const readings = { startHobbsTime: '100', startHobbsScan: String(scan), startTachTime: '99999' };
  const choices = JSON.stringify({ aircraftId: String(free), ...readings });
  const waiting = { waits_for: 'password', posted_to: '/users?index' } as const;
  const deletion = JSON.stringify({ intent: 'delete-user', userId: String(student.id) });
  await insert(
    db,
    'drafts',
    { user_id: administrator.id, form: '/flight-log#read-meters', body: choices },
    { user_id: administrator.id, form: '/users?index#', body: deletion, ...waiting },
  );
  const { token, hash } = createLinkToken();
  const link = { token_hash: hash, expires_at: new Date(Date.now() + 86_400_000) };
  await insert(db, 'password_links', { ...link, school_id: id, user_id: student.id });
  const email = `${LONG.toLowerCase()}@a-flight-school-with-a-long-name.example`;
  const invitation = await makeInvitation(db, administrator, { ...link, name: LONG, email, role: 'student' });
  await insertPasskey(db, student, { name: `${LONG}'s phone`, last_used_at: new Date() });
  await insertPasskey(db, student, { name: 'Security key' });
  await insertActivity(db, { administrator, student });
  const { squawk, inspection } = await makeMaintenance(db, student, free, flown);
  const webhook = await makeWebhook(db, id);
  const importedFile = await makeImport(db, administrator);
  const made = { id, administrator, instructor, student, free, grounded, out, flown, open, scan, squawk, inspection };
  return { ...made, webhook, importedFile, invitation: invitation.id, token };
}

/** Of more columns than a screen is wide, with a row that is refused. */
async function makeImport(db: Db, administrator: Member): Promise<number> {
  const further = Array.from({ length: 20 }, (_, at) => `${LONG} ${at}`);
  const rows = [
    ['Tail number', 'Make', 'Model', 'Year', ...further],
    ['N104FL', LONG, '172S', '2004', ...further],
    ['N105FL', 'Piper', 'PA-28', 'unknown', ...further],
  ];
  const file = { content: Buffer.from(rows.map((cells) => cells.join(',')).join('\n')), name: `${LONG}.csv` };
  const { id } = await uploadImport(db, { ...administrator, member: administrator }, file, 'fleet');
  return id;
}

/** Failing, with a delivery in each state. */
async function makeWebhook(db: Db, schoolId: number): Promise<number> {
  const url = `https://receiver.example/${LONG.toLowerCase().replaceAll(' ', '-')}`;
  const webhookId = await insertWebhook(db, schoolId, { url, failing_since: new Date() });
  const tried = { attempts: 3, last_attempt_at: new Date(), duration_ms: 41 };
  const failed = { ...tried, status: 503, answer: NOTES, error: 'It answered 503.' };
  await insertDelivery(db, { schoolId, webhookId }, { ...tried, state: 'delivered', status: 204 });
  await insertDelivery(db, { schoolId, webhookId }, { ...failed, state: 'given up' });
  // Not while the app of a test runs.
  await inTransaction(db, async (trx) => {
    const id = await insertDelivery(trx, { schoolId, webhookId }, failed);
    await sql`update jobs set run_at = '2999-01-01' where subject_id = ${id}`.execute(trx);
  });
  return webhookId;
}

/** A squawk of the flight, a deferred unsafe one, one that is fixed; inspections that are overdue and due. */
async function makeMaintenance(db: Db, author: Member, aircraft_id: number, flown: number) {
  const owned = { school_id: author.schoolId, user_id: author.id };
  const addSquawk = async (columns: Columns<'squawks'>) => {
    const id = await makeSquawk(db, author, aircraft_id, { text: NOTES, ...columns });
    const { state = 'open', until_on } = columns;
    const history = { ...owned, squawk_id: id, remark: 'New pads' };
    await insert(db, 'squawk_events', { ...history, state: 'open' }, { ...history, state, until_on });
    return id;
  };
  const squawk = await addSquawk({ flight_log_id: flown, unsafe: true });
  await addSquawk({ state: 'deferred', until_on: '2026-12-03', unsafe: true });
  await addSquawk({ state: 'fixed' });
  const ofAircraft = { school_id: author.schoolId, aircraft_id };
  const hundredHours = { name: `100 h ${LONG}`, due_tach: '98764.2', interval_hours: '100' };
  const inspection = await insertRow(db, 'inspections', { ...ofAircraft, ...hundredHours });
  await insert(db, 'inspections', { ...ofAircraft, name: 'Annual', due_on: '2027-03-03', interval_months: 12 });
  return { squawk, inspection };
}

/** Events of every outcome, with and without details. */
async function insertActivity(db: Db, { administrator, student }: Record<'administrator' | 'student', Member>) {
  const { schoolId: school_id } = student;
  const refused = { method: 'POST', path: `/users/${LONG.repeat(3)}` };
  await insert(
    db,
    'audit_entries',
    { school_id, user_id: student.id, action: 'signed in', subject: 'user', subject_id: student.id },
    {
      ...{ school_id, action: 'failed to sign in', subject: 'user', subject_id: student.id },
      ...{ outcome: 'refused', times: 37 },
    },
    {
      ...{ school_id, user_id: student.id, action: 'refused request', subject: 'request', outcome: 'refused' },
      ...{ after: JSON.stringify(refused), address: '2001:db8:85a3:8d3:1319:8a2e:370:7348' },
    },
    {
      ...{ school_id, user_id: administrator.id, action: 'corrected readings', subject: 'flight log', subject_id: 12 },
      ...{ before: '{"end_hobbs": "1234.5"}', after: '{"end_hobbs": "1234.6"}', reason: NOTES, address: '192.0.2.7' },
    },
    {
      ...{ school_id, user_id: administrator.id, action: 'saved school settings', subject: 'school' },
      ...{ before: `{"name": "${LONG}"}`, after: `{"name": "${LONG} Aviation"}`, address: '192.0.2.7' },
    },
  );
}

/** A school that has people and nothing else. */
export async function makeEmptySchool(db: Db) {
  const id = await makeSchool(db);
  return { administrator: await makeUser(db, id, 'administrator'), student: await makeUser(db, id, 'student') };
}

/** Two scans; the id of the one that leaves a doubt. */
async function makeScans(db: Db, schoolId: number, aircraftId: number, userId: number): Promise<number> {
  const scope = { school_id: schoolId, user_id: userId };
  const keep = async (width: number, height: number) =>
    insertRow(db, 'photos', { ...scope, content: await greyPicture(width, height), width, height });
  const pictures = { photo_id: await keep(800, 600), crop_id: await keep(288, 48) };
  const scan = { ...scope, ...pictures, aircraft_id: aircraftId };
  await insert(db, 'scans', { ...scan, meter_type: 'tachometer', detected_text: '98765.43', confidence: '0.86' });
  const figures = [...'12345078'].map((figure, at) => ({ figure, confidence: '0.61', other: at === 7 ? '9' : null }));
  const doubt = { confidence: '0.42', other_text: '12345.07', figures: JSON.stringify(figures) };
  return insertRow(db, 'scans', { ...scan, ...doubt, meter_type: 'hobbs', detected_text: '123450.78' });
}

const pictures = new Map<string, Promise<Buffer>>();

/** Encoded once: schools are made by the hundred. */
function greyPicture(width: number, height: number): Promise<Buffer> {
  const size = `${width} × ${height}`;
  const made =
    pictures.get(size) ??
    sharp({ create: { width, height, channels: 3, background: '#777' } })
      .jpeg()
      .toBuffer();
  pictures.set(size, made);
  return made;
}
