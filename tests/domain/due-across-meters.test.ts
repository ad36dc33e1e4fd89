import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import type { NewRow } from '#db/tables.ts';
import type { Member } from '#app/domain/actor.ts';
import { correctFlight, previewCorrection } from '#app/domain/flights/correction/correct-flight.server.ts';
import { completeFlight } from '#app/domain/flights/end-flight.server.ts';
import { declareMeterChange } from '#app/domain/readings/declare-meter-change.server.ts';
import { changeSquawk } from '#app/domain/squawks/change-squawk.server.ts';
import { testDatabase } from '#tests/support/database.ts';
import { completed, makeFlight } from '#tests/support/flight.ts';
import { makeAircraft, makeScene, makeSquawk } from '#tests/support/school.ts';

const { db } = await testDatabase();

let schoolId: number;
let admin: Member;
let pilot: Member;
let aircraftId: number;

beforeEach(async () => {
  ({ schoolId, admin, pilot, aircraftId } = await makeScene(db, { last_hobbs: '100.0', last_tach: '90.0' }));
  await makeInspection({ name: '100 h', due_tach: '93.4' });
  await makeInspection({ name: 'Oil', due_hobbs: '150.0' });
  await makeInspection({ name: 'Annual', due_on: '2099-12-03' });
});

async function makeInspection(columns: Partial<NewRow<'inspections'>> & { name: string }) {
  const early = { created_at: new Date(Date.now() - 86_400_000), changed_at: new Date(Date.now() - 86_400_000) };
  const inspection = { school_id: schoolId, aircraft_id: aircraftId, ...early, ...columns };
  return (await db.insertInto('inspections').values(inspection).returning('id').executeTakeFirstOrThrow()).id;
}

async function due() {
  const rows = await db.selectFrom('inspections').selectAll().where('school_id', '=', schoolId).execute();
  return Object.fromEntries(rows.map(({ name, due_hobbs, due_tach }) => [name, Number(due_tach ?? due_hobbs)]));
}

const change = { oldLast: '91.0', newFirst: '5.0', reason: 'replaced' } as const;
const ends = { endHobbsTime: '101.2', endTachTime: '5.8' };

describe('what is due at a meter that is changed', () => {
  it('is due after as many hours, between flights and once the meter is read again (B932)', async () => {
    await makeInspection({ name: 'Another', due_tach: '93.4', aircraft_id: await makeAircraft(db, schoolId) });
    await declareMeterChange(db, admin, aircraftId, { meter: 'tachometer', ...change });
    expect(await due()).toEqual({ '100 h': 7.4, Oil: 150, Annual: 0, Another: 93.4 });
    const entry = db.selectFrom('audit_entries').selectAll().where('action', '=', 'changed inspection');
    expect(await entry.where('school_id', '=', schoolId).executeTakeFirst()).toMatchObject({
      reason: 'The tach meter went from 91.0 to 5.0',
    });
  });

  it('is due after as many hours where a check-in declares the change, and what is not overdue sends no mail (B932)', async () => {
    const id = await makeFlight(db, pilot, aircraftId, { start_hobbs: '100.0', start_tach: '90.0' });
    const used = { ...change, newFirst: '5000.0' };
    await completeFlight(db, pilot, id, { ...ends, endTachTime: '5000.8', meterChanges: { tach: used } });
    expect(await due()).toEqual({ '100 h': 5002.4, Oil: 150, Annual: 0 });
    expect(await db.selectFrom('mail_outbox').selectAll().where('school_id', '=', schoolId).execute()).toEqual([]);
  });

  it('follows a change that is corrected or taken back, but for what was set since (B932)', async () => {
    const id = await makeFlight(db, pilot, aircraftId, { start_hobbs: '100.0', start_tach: '90.0' });
    await completeFlight(db, pilot, id, { ...ends, meterChanges: { tach: change } });
    const later = await makeInspection({ name: 'Since', due_tach: '105.0' });
    const soon = new Date(Date.now() + 60_000);
    await db.updateTable('inspections').set({ changed_at: soon }).where('id', '=', later).execute();
    const correct = (input: Parameters<typeof correctFlight>[3]) => correctFlight(db, admin, id, input);
    const readings = { startHobbsTime: '100.0', startTachTime: '90.0', ...ends, reason: 'Misread' };
    await correct({ ...readings, meterChanges: { tach: { ...change, oldLast: '90.6' } } });
    expect(await due()).toEqual({ '100 h': 7.8, Oil: 150, Annual: 0, Since: 105 });
    await correct({ ...readings, endTachTime: '91.4', meterChanges: null });
    expect(await due()).toEqual({ '100 h': 93.4, Oil: 150, Annual: 0, Since: 105 });
  });

  it.each([
    ['hobbs', 'hobbs', 'Hobbs', { oldLast: '110.0', newFirst: '0.0', reason: 'rolled over' }, '120.0', 10],
    ['tach', 'tachometer', 'tach', change, '93.0', 7],
  ] as const)('a squawk deferred until a %s follows it, with the reason in its history (B932)', async (...row) => {
    const [at, meter, name, replaced, value, after] = row;
    const id = await makeSquawk(db, pilot, aircraftId);
    await changeSquawk(db, admin, id, { state: 'deferred', until: { at, value }, remark: 'Day only' });
    await declareMeterChange(db, admin, aircraftId, { meter, ...replaced });
    const stored = await db.selectFrom('squawks').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    const { until_hobbs, until_tach } = stored;
    expect([until_hobbs, until_tach].map(Number)).toEqual(at === 'hobbs' ? [after, 0] : [0, after]);
    const events = db.selectFrom('squawk_events').selectAll().where('squawk_id', '=', id).orderBy('id', 'desc');
    const remark = `The ${name} meter went from ${replaced.oldLast} to ${replaced.newFirst}`;
    expect(await events.executeTakeFirst()).toMatchObject({ state: 'deferred', until_hobbs, until_tach, remark });
  });
});

it('after two changes of a meter a corrected start is held against the newest meter (C82)', async () => {
  await sql`update aircraft set last_hobbs = 101.2, last_tach = 91 where id = ${aircraftId}`.execute(db);
  await makeFlight(db, pilot, aircraftId, completed('2026-05-12T10:00:00Z', '2026-05-12T11:00:00Z'));
  const changed = { meter: 'hobbs', reason: 'replaced' } as const;
  await declareMeterChange(db, admin, aircraftId, { ...changed, oldLast: '101.2', newFirst: '0.0' });
  await declareMeterChange(db, admin, aircraftId, { ...changed, oldLast: '0.5', newFirst: '9000.0' });
  const id = await makeFlight(db, pilot, aircraftId, { start_hobbs: '9000.0', start_tach: '91.0' });
  const corrected = (startHobbsTime: string) =>
    previewCorrection(db, pilot, id, { startHobbsTime, startTachTime: '91.0', reason: 'Misread' });
  expect((await corrected('9000.1')).oddReadings).toEqual([]);
  expect((await corrected('9000.5')).oddReadings).toMatchObject([{ meter: 'hobbs', kind: 'gap', last: '9000.0' }]);
});
