import { sql } from 'kysely';
import { beforeEach, expect, it } from 'vitest';
import type { Db } from '#db/connect.server.ts';
import type { Member } from '#app/domain/actor.ts';
import { mailCheckInReminders } from '#app/domain/times/mail-reminders.server.ts';
import { testDatabase } from '#tests/support/database.ts';
import { countWaiting, whileOpen } from '#tests/support/faults.ts';
import { makeFlight } from '#tests/support/flight.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';

const { db } = await testDatabase();
const HOUR = 60 * 60_000;

let schoolId: number;
let pilot: Member;
beforeEach(async () => {
  schoolId = await makeSchool(db);
  pilot = await makeUser(db, schoolId);
});

const open = async (hours: number, user = pilot) => {
  const aircraft = await makeAircraft(db, user.schoolId, { tail_number: `N${user.id}` });
  return makeFlight(db, user, aircraft, { created_at: new Date(Date.now() - hours * HOUR) });
};
const mails = () => db.selectFrom('mail_outbox').selectAll().where('school_id', '=', schoolId).orderBy('id').execute();
const landed = { completed_at: new Date(), end_hobbs: '101.2', end_tach: '91.0' };
const voided = { voided_at: new Date(), void_reason: 'Fog' };
const end = (id: number, columns: object, on: Db = db) =>
  on.updateTable('flight_logs').set(columns).where('id', '=', id).execute();
const remindAfter = (hours: number | null) =>
  db.updateTable('schools').set({ reminder_after_hours: hours }).where('id', '=', schoolId).execute();

it('the pilot of a flight open for more than six hours is reminded once, however many look for it (B657)', async () => {
  const id = await open(6.1);
  await open(5.9, await makeUser(db, schoolId));
  // Not of one that was checked in or cancelled.
  await end(await open(30, await makeUser(db, schoolId)), landed);
  await end(await open(30, await makeUser(db, schoolId)), { ...voided, voided_by: pilot.id });
  await Promise.all([mailCheckInReminders(db), mailCheckInReminders(db), mailCheckInReminders(db)]);
  await mailCheckInReminders(db);
  const [mail, ...more] = await mails();
  expect(more).toEqual([]);
  expect(mail).toMatchObject({ to_address: pilot.email, subject: `Is your flight in N${pilot.id} over?` });
  expect(mail?.body_text).toContain(`/flight-log/${id}/post-check`);
  expect(Math.round(((mail?.send_until.getTime() ?? 0) - Date.now()) / HOUR)).toBe(48);
});

it('the flight open longest is reminded of first, in the time of the school (B657)', async () => {
  const later = await makeUser(db, schoolId);
  await open(7, later);
  await db.updateTable('schools').set({ time_zone: 'Pacific/Kiritimati' }).where('id', '=', schoolId).execute();
  const id = await open(7);
  await sql`update flight_logs set created_at = '2026-05-12T20:05:00Z' where id = ${id}`.execute(db);
  await mailCheckInReminders(db);
  const sent = await mails();
  expect(sent[0]?.body_text).toContain('on 13 May 2026, 10:05');
  expect(sent.map((mail) => mail.to_address)).toEqual([pilot.email, later.email]);
});

it('of two processes that have found the same flight one reminds its pilot (B657)', async () => {
  const id = await open(7);
  const { begun } = await db.transaction().execute(async (trx) => {
    await trx.selectFrom('flight_logs').select('id').where('id', '=', id).forUpdate().execute();
    const begun = [mailCheckInReminders(db), mailCheckInReminders(db)];
    await expect.poll(() => countWaiting(db), { timeout: 120_000 }).toBe(2);
    return { begun };
  });
  await Promise.all(begun);
  expect(await mails()).toHaveLength(1);
});

it.each([
  ['checked in', landed],
  ['cancelled', voided],
])('nobody is reminded of a flight that is %s while its reminder waits (B657)', async (what, ended) => {
  const id = await open(7);
  const columns = what === 'cancelled' ? { ...ended, voided_by: pilot.id } : ended;
  await whileOpen(
    db,
    (trx) => end(id, columns, trx),
    () => mailCheckInReminders(db),
  );
  expect(await mails()).toEqual([]);
});

it('a school chooses after how many hours pilots are reminded, or never (B657)', async () => {
  await open(30);
  await remindAfter(null);
  await mailCheckInReminders(db);
  expect(await mails()).toEqual([]);
  await remindAfter(31);
  await mailCheckInReminders(db);
  expect(await mails()).toEqual([]);
  await remindAfter(29);
  await mailCheckInReminders(db);
  expect(await mails()).toHaveLength(1);
});
