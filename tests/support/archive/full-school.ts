import { sql } from 'kysely';
import type { Db } from '#db/connect.server.ts';
import { seed } from '#db/seed.ts';
import type { Member } from '#app/domain/actor.ts';
import { writeAuditEntry } from '#app/domain/audit/write-audit-entry.server.ts';
import { sealEntries } from '#app/domain/audit/seal-entries.server.ts';
import { toStoredPreview, toUnplannedPreview } from '#app/domain/imports/import-preview.server.ts';
import { makeInvitation } from '../invitation.ts';
import { insert, insertRow } from '../rows.ts';
import { makeScan } from '../scanned-photo.ts';
import { makeUser } from '../school.ts';

/** Begins as JPEG files do. */
export const PHOTO = Buffer.from([0xff, 0xd8, 0xff, 0xe0, ...Buffer.from('a photo of a meter'), 0xff, 0xd9]);

/** The demo school with a row in every table that is exported, some with texts that are hard to write; its administrator. */
export async function makeFullSchool(db: Db): Promise<Member> {
  await seed(db, new Date('2026-11-22T12:00:00Z'));
  const { id: schoolId } = await db.selectFrom('schools').select('id').executeTakeFirstOrThrow();
  const people = db.selectFrom('users').select(['id', 'username', 'email', 'role']);
  const user = await people.where('username', '=', 'admin').executeTakeFirstOrThrow();
  const admin: Member = { ...user, schoolId, timeZone: 'UTC' };
  const photo = await insertPhotos(db, admin);
  const flight = await amendFlight(db, admin, photo);
  await insertScan(db, admin, photo);
  await addToSquawks(db, admin, photo);
  await completeInspection(db, admin);
  await makeInvitation(db, admin, { name: 'Zoë Müller', email: 'zoe@invited.example' });
  const former = await makeUser(db, schoolId, 'student', 'former');
  const left = { deleted_at: new Date('2026-11-01T12:00:00Z'), password_hash: null };
  await db.updateTable('users').set(left).where('id', '=', former.id).execute();
  await noteImport(db, admin, flight);
  await writeEvents(db, admin, flight);
  return admin;
}

async function insertPhotos(db: Db, { id, schoolId }: Member): Promise<number> {
  const photo = { school_id: schoolId, user_id: id, width: 2, height: 1 };
  const first = await insertRow(db, 'photos', { ...photo, content: PHOTO });
  await insert(db, 'photos', { ...photo, content: Buffer.concat([PHOTO, PHOTO]) });
  return first;
}

/** Every column that few flights have. */
async function amendFlight(db: Db, { id: user_id, schoolId }: Member, photo: number): Promise<number> {
  const flights = db.selectFrom('flight_logs').select(['id', 'start_hobbs']).where('completed_at', 'is not', null);
  const flight = await flights.orderBy('id').executeTakeFirstOrThrow();
  const items = JSON.stringify([{ id: 1, name: 'Oil', text: 'was overdue' }]);
  const columns = {
    ...{ unsafe_at_start: items, overdue_at_start: items, deferrals_over_at_start: items },
    ...{ start_hobbs_photo_id: photo, notes: '=1+1\r\n"quoted", back\\slash \u0001 and ✈' },
    ...{ completed_by: user_id, close_reason: '\tIt was left open' },
  };
  await db.updateTable('flight_logs').set(columns).where('id', '=', flight.id).execute();
  const owned = { school_id: schoolId, flight_log_id: flight.id };
  await insert(db, 'fuel_records', { ...owned, refueled: true, receipt_photo_id: photo, oil_quantity: '1.5' });
  const revision = { field: 'start_hobbs', old_value: '1.20', reason: '-2+3' } as const;
  await insert(db, 'flight_log_revisions', { ...owned, ...revision, new_value: flight.start_hobbs, user_id });
  return flight.id;
}

async function insertScan(db: Db, member: Member, photo: number): Promise<void> {
  const { id } = await db.selectFrom('aircraft').select('id').executeTakeFirstOrThrow();
  await makeScan(db, member, id, { detected_text: '123.4', photo_id: photo, crop_id: photo + 1 });
}

async function addToSquawks(db: Db, { schoolId }: Member, photo: number): Promise<void> {
  const { id } = await db.selectFrom('squawks').select('id').orderBy('id').executeTakeFirstOrThrow();
  await db.insertInto('squawk_photos').values({ school_id: schoolId, squawk_id: id, photo_id: photo }).execute();
}

async function completeInspection(db: Db, { id: user_id, schoolId }: Member): Promise<void> {
  const { id } = await db.selectFrom('inspections').select('id').orderBy('id').executeTakeFirstOrThrow();
  const completion = { school_id: schoolId, inspection_id: id, user_id, done_on: '2026-05-12' };
  await insert(db, 'inspection_completions', completion);
}

async function noteImport(db: Db, { id: user_id, schoolId: school_id }: Member, flight_log_id: number): Promise<void> {
  const import_id = await insertRow(db, 'imports', {
    ...{ school_id, user_id, kind: 'flights', file_name: 'club.csv', file_hash: 'a hash' },
    ...{ ...toStoredPreview(toUnplannedPreview(12)), content: Buffer.from('a file') },
  });
  const applied = { state: 'applied', applied_at: new Date('2026-11-22T12:00:00Z'), content: null } as const;
  await db.updateTable('imports').set(applied).where('id', '=', import_id).execute();
  await insert(db, 'import_rows', { school_id, import_id, flight_log_id, row_number: 12 });
}

/** Three events that are sealed, and one that is not yet. */
async function writeEvents(db: Db, admin: Member, flight: number): Promise<void> {
  const write = (entry: Parameters<typeof writeAuditEntry>[2]) =>
    db.transaction().execute((trx) => writeAuditEntry(trx, admin, entry));
  await write({ action: 'added user', subject: 'user', subjectId: admin.id, after: { email: 'ann@school.example' } });
  await write({ action: 'corrected readings', subject: 'flight log', subjectId: flight, reason: 'misread' });
  await write({ action: 'saved school settings', subject: 'school', subjectId: admin.schoolId, after: { name: '√' } });
  await sealEntries(db);
  await write({ action: 'signed in', subject: 'user', subjectId: admin.id });
}

/** Gives ids in every table, as years of use do: more than `count`, in each table another number. */
export async function useIds(db: Db, count: number): Promise<void> {
  await sql`
    do $$ begin
      perform setval(format('%I', sequencename)::regclass, ${sql.lit(count)} + 10 * row_number() over (order by sequencename))
        from pg_sequences where schemaname = 'public';
    end $$`.execute(db);
}
