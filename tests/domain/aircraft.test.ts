import { expect, it } from 'vitest';
import { addAircraft, deleteAircraft, setAircraftStatus } from '#app/domain/aircraft/change-aircraft.server.ts';
import { addAircraftSchema } from '#app/domain/aircraft/schema.server.ts';
import { findAircraft } from '#app/domain/aircraft/queries.server.ts';
import { saveLastReading } from '#app/domain/aircraft/save-last-reading.server.ts';
import { completeFlight } from '#app/domain/flights/end-flight.server.ts';
import { findFlightLog } from '#app/domain/flights/queries.server.ts';
import { startFlight } from '#app/domain/flights/start-flight.server.ts';
import { eventsOf } from '#tests/support/audit.ts';
import { testDatabase } from '#tests/support/database.ts';
import { completed, makeFlight } from '#tests/support/flight.ts';
import { insertScannedPhoto } from '#tests/support/scanned-photo.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';

const { db } = await testDatabase();
const schoolId = await makeSchool(db);
const admin = await makeUser(db, schoolId, 'administrator');
const foreignUser = await makeUser(db, await makeSchool(db, { name: 'Elsewhere' }), 'administrator');

const maintenance = { status: 'maintenance' } as const;
const available = { status: null };
const landed = completed('2026-05-12T08:00:00Z', '2026-05-12T09:30:00Z');
const statusOf = async (id: number) => (await findAircraft(db, schoolId, id))?.status;
const auditOf = async (id: number) => (await eventsOf(db, schoolId)).filter(({ subject_id }) => subject_id === id);
const rowOf = (id: number) => db.selectFrom('aircraft').selectAll().where('id', '=', id).executeTakeFirst();

const n512 = { tailNumber: ' n512fl ', make: 'Cessna', model: '172S', year: 2004 };

it('an added aircraft is available and audited, its tail number trimmed and in capitals (C15, B104)', async () => {
  const added = await addAircraft(db, admin, addAircraftSchema.parse(n512));
  expect(added).toMatchObject({ tailNumber: 'N512FL', year: 2004, status: null, lastHobbsTime: null });
  expect(await findAircraft(db, schoolId, added.id)).toEqual(added);
  expect(await auditOf(added.id)).toMatchObject([{ action: 'added aircraft', user_id: admin.id }]);
});

it('a tail number is taken however it is written, only within its school, until its aircraft is removed (C15)', async () => {
  const again = addAircraftSchema.parse({ ...n512, tailNumber: 'N512fl' });
  const message = 'An aircraft with this tail number already exists';
  const refusal = { code: 'conflict', message, fields: { tailNumber: message } };
  await expect(addAircraft(db, admin, again)).rejects.toMatchObject(refusal);
  await expect(addAircraft(db, foreignUser, again)).resolves.toMatchObject({ tailNumber: 'N512FL' });
  await makeAircraft(db, schoolId, { tail_number: 'N1GONE', deleted_at: new Date() });
  // And letters that have no plain capitals.
  for (const tailNumber of ['N1GONE', 'ß12', 'N7ŉ', 'ǆ-1', 'İSTANBUL'])
    await expect(addAircraft(db, admin, { ...n512, tailNumber })).resolves.toHaveProperty('id');
});

it('the year of an aircraft is from 1900 to 2100, in four digits (B102, B103, B306, C50)', () => {
  const year = (typed: unknown) =>
    addAircraftSchema.safeParse({ tailNumber: 'N1', make: 'Cessna', model: '172S', year: typed });
  const wrong = ['', '99', '20255', 'abcd', '1899', '2101', '0x7D4', '2e3', '2004.0', '-2004'];
  for (const typed of [...wrong, 2004.5, 99, null, undefined, [2004]])
    expect(year(typed).error?.issues, String(typed)).toMatchObject([{ message: 'Must be a valid year' }]);
  for (const typed of [1900, 2100, '1900', ' 2100 ']) expect(year(typed).data?.year).toBe(Number(typed));
});

it('an aircraft goes from available to maintenance and back, and each change is audited once (B291, C76)', async () => {
  const id = await makeAircraft(db, schoolId);
  expect(await setAircraftStatus(db, admin, id, maintenance)).toMatchObject({ id, status: 'maintenance' });
  expect(await setAircraftStatus(db, admin, id, maintenance)).toMatchObject({ status: 'maintenance' });
  expect(await setAircraftStatus(db, admin, id, available)).toMatchObject({ status: null });
  expect(await auditOf(id)).toMatchObject([
    { action: 'set to maintenance', before: { status: null }, after: { status: 'maintenance' } },
    { action: 'marked as available', before: { status: 'maintenance' }, after: { status: null } },
  ]);
});

it('an aircraft set to maintenance in flight is in maintenance once it is back (C05)', async () => {
  const { id, pilot, flight } = await inFlight();
  const grounded = { status: 'checked_out', groundedOnReturn: true };
  expect(await setAircraftStatus(db, admin, id, maintenance)).toMatchObject(grounded);
  await completeFlight(db, pilot, flight, { endHobbsTime: '1236', endTachTime: '1102' });
  expect(await statusOf(id)).toBe('maintenance');
  // Marked as available meanwhile, it is not, and its flight goes on.
  const other = await inFlight();
  await setAircraftStatus(db, admin, other.id, maintenance);
  const cleared = { status: 'checked_out', groundedOnReturn: false };
  expect(await setAircraftStatus(db, admin, other.id, available)).toMatchObject(cleared);
  await completeFlight(db, other.pilot, other.flight, { endHobbsTime: '1236', endTachTime: '1102' });
  expect(await statusOf(other.id)).toBeNull();
});

it('deleting an aircraft removes its row, which stays with its flights, readable, or its scans (C12, B327)', async () => {
  const unused = await makeAircraft(db, schoolId);
  expect(await deleteAircraft(db, admin, unused)).toEqual({});
  expect(await rowOf(unused)).toBeUndefined();
  expect(await auditOf(unused)).toMatchObject([{ action: 'deleted aircraft', before: { id: unused, make: 'Cessna' } }]);
  const id = await makeAircraft(db, schoolId, { tail_number: 'N12LOGS' });
  const log = await makeFlight(db, await makeUser(db, schoolId), id, landed);
  await deleteAircraft(db, admin, id);
  expect(await findAircraft(db, schoolId, id)).toBeUndefined();
  expect(await findFlightLog(db, schoolId, log)).toMatchObject({ aircraft: { id, tailNumber: 'N12LOGS' } });
  const aircraftId = await makeAircraft(db, schoolId);
  await insertScannedPhoto(db, admin, { aircraftId, meterType: 'hobbs', detected: '1', bytes: 'jpeg' });
  await deleteAircraft(db, admin, aircraftId);
  expect((await rowOf(aircraftId))?.deleted_at).toBeInstanceOf(Date);
});

it('of a deletion and a start at the same time, exactly one succeeds (C12)', async () => {
  for (let round = 0; round < 10; round += 1) {
    const id = await makeAircraft(db, schoolId);
    const pilot = await makeUser(db, schoolId);
    const start = () => startFlight(db, pilot, { aircraftId: id, startHobbsTime: '1', startTachTime: '1' });
    const remove = () => deleteAircraft(db, admin, id);
    const outcomes = await Promise.allSettled(round % 2 ? [start(), remove()] : [remove(), start()]);
    const [started, removed] = round % 2 ? outcomes : outcomes.toReversed();
    expect([started?.status, removed?.status].toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await statusOf(id)).toBe(started?.status === 'fulfilled' ? 'checked_out' : undefined);
  }
});

it('a scanned reading is saved as the last one, with its reader, but not in flight or of another school (C46)', async () => {
  const reader = await makeUser(db, schoolId, 'instructor');
  const id = await makeAircraft(db, schoolId, { last_hobbs: '1234.5', last_tach: '900.1' });
  const saved = await saveLastReading(db, reader, { aircraftId: id, meterType: 'hobbs', reading: '1234.8' });
  expect(saved).toMatchObject({ lastHobbsTime: '1234.8', lastTachTime: '900.1' });
  const read = { last_hobbs_by: reader.id, last_hobbs_at: expect.any(Date), last_tach_by: null };
  expect(await rowOf(id)).toMatchObject(read);
  expect(await auditOf(id)).toMatchObject([{ before: { hobbs: '1234.5' }, after: { hobbs: '1234.8' } }]);
  const reading = { aircraftId: (await inFlight()).id, meterType: 'hobbs', reading: '9999' } as const;
  await expect(saveLastReading(db, admin, reading)).rejects.toMatchObject({ code: 'conflict' });
  await expect(saveLastReading(db, foreignUser, reading)).rejects.toMatchObject({ code: 'notFound' });
});

async function inFlight() {
  const id = await makeAircraft(db, schoolId);
  const pilot = await makeUser(db, schoolId);
  return { id, pilot, flight: await makeFlight(db, pilot, id) };
}
