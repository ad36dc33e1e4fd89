import { beforeEach, expect, it } from 'vitest';
import type { Member } from '#app/domain/actor.ts';
import { findStartWarnings } from '#app/domain/flights/start-warnings.server.ts';
import { addInspection, completeInspection } from '#app/domain/inspections/save-inspection.server.ts';
import { findLastCompletions } from '#app/domain/inspections/queries.server.ts';
import { deleteUser } from '#app/domain/people/change-user.server.ts';
import { addSquawk } from '#app/domain/squawks/add-squawk.server.ts';
import { changeSquawk } from '#app/domain/squawks/change-squawk.server.ts';
import { findUnfixedSquawks } from '#app/domain/squawks/queries.server.ts';
import { MAX_SQUAWK_LABEL_CHARACTERS } from '#app/limits.ts';
import { testDatabase } from '#tests/support/database.ts';
import { makeScene, makeUser } from '#tests/support/school.ts';

const { db } = await testDatabase();

let schoolId: number;
let admin: Member;
let pilot: Member;
let aircraftId: number;
beforeEach(async () => {
  ({ schoolId, admin, pilot, aircraftId } = await makeScene(db, { last_hobbs: '100.0', last_tach: '90.0' }));
});

const report = (text: string, unsafe = false) => addSquawk(db, pilot, { aircraftId, text, unsafe });

it('what is unsafe stands above newer squawks, a long one cut beside the tick, its dots counted (B603, B604)', async () => {
  const [long, longer] = ['x'.repeat(MAX_SQUAWK_LABEL_CHARACTERS), 'y'.repeat(MAX_SQUAWK_LABEL_CHARACTERS + 1)];
  await report('Radio');
  for (const text of [long, longer]) await report(text, true);
  await report('Visor');
  const found = await findUnfixedSquawks(db, schoolId, aircraftId);
  expect(found.map(({ text }) => text)).toEqual([longer, long, 'Visor', 'Radio']);
  const input = { aircraftId, startHobbsTime: '100.0', startTachTime: '90.0' };
  const { unsafe } = await findStartWarnings(db, pilot, input);
  expect(unsafe.map(({ text }) => text)).toEqual([`${longer.slice(2)}…`, long]);
});

it('a squawk that was withdrawn is reopened before it is deferred or fixed (B606)', async () => {
  const { id } = await report('Radio');
  await changeSquawk(db, pilot, id, { state: 'withdrawn' });
  const fixed = { state: 'fixed', remark: 'New radio' } as const;
  const deferred = { state: 'deferred', until: { at: 'date', value: '2099-01-01' } } as const;
  for (const change of [fixed, deferred])
    await expect(changeSquawk(db, admin, id, change)).rejects.toMatchObject({ code: 'conflict' });
  await changeSquawk(db, admin, id, { state: 'open', remark: 'It is broken after all' });
  expect(await changeSquawk(db, admin, id, fixed)).toMatchObject({ state: 'fixed' });
});

it('a deleted administrator gets no mail about an unsafe one (B601)', async () => {
  const former = await makeUser(db, schoolId, 'administrator');
  await deleteUser(db, admin, former.id);
  await db.deleteFrom('mail_outbox').where('school_id', '=', schoolId).execute();
  await report('Left brake', true);
  const mails = await db.selectFrom('mail_outbox').select('to_address').where('school_id', '=', schoolId).execute();
  expect(mails).toEqual([{ to_address: admin.email }]);
});

it('one that is due on a day has no reading; the last completion is the one that is shown (B617)', async () => {
  const due = { at: 'date', value: '2026-05-12' } as const;
  const annual = { name: 'Annual', due, interval: { count: 12, unit: 'months' } } as const;
  const { id } = await addInspection(db, admin, aircraftId, annual);
  for (const doneOn of ['2026-05-01', '2026-04-01'])
    await completeInspection(db, admin, id, { doneOn, reading: '100.0', remark: `on ${doneOn}` });
  expect(await findLastCompletions(db, schoolId, aircraftId)).toEqual([
    { inspectionId: id, doneAt: null, doneOn: '2026-04-01', remark: 'on 2026-04-01', by: admin.username },
  ]);
});
