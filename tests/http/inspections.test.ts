import { sql } from 'kysely';
import { beforeEach, expect, it } from 'vitest';
import type { Role } from '#db/roles.ts';
import type { NewRow } from '#db/tables.ts';
import { makeFlight, type Member, testDatabase } from '#tests/support/makers.ts';
import { makeAircraft, makePeople, makeSchool, makeSquawk } from '#tests/support/school.ts';
import { cookiesOf, getRequest, handleRequest, jsonRequest } from '#tests/support/ask.ts';
import { documentAfter, documentAt, fieldsOf, nightly, textOf, textsOf } from '#tests/support/pages.ts';
import { cleanUp } from '#app/background/recurring-jobs.server.ts';
import { formatIsoDate } from '#app/domain/format.server.ts';
import { deleteAircraft } from '#app/domain/aircraft/change-aircraft.server.ts';
import { mailOverdueOf } from '#app/domain/inspections/mail-overdue.server.ts';
import { addInspection, changeInspection } from '#app/domain/inspections/save-inspection.server.ts';
import { declareMeterChange } from '#app/domain/readings/declare-meter-change.server.ts';
import { findInspection } from '#app/domain/inspections/queries.server.ts';
import { MAX_INSPECTIONS_OF_AIRCRAFT } from '#app/limits.ts';
import { noonZone } from '#tests/support/noon-zone.ts';

const { db } = await testDatabase();
const time_zone = noonZone();
const day = (days: number) => formatIsoDate(new Date(Date.now() + days * 86_400_000), time_zone);

let schoolId: number, people: Record<Role, Member>, cookies: Record<Role, string>, aircraftId: number;

beforeEach(async () => {
  schoolId = await makeSchool(db, { time_zone });
  people = await makePeople(db, schoolId);
  cookies = await cookiesOf(db, people);
  aircraftId = await makeAircraft(db, schoolId, { tail_number: 'N512FL', last_hobbs: '100.0', last_tach: '90.0' });
});

async function makeInspection(columns: Partial<NewRow<'inspections'>>): Promise<number> {
  const inspection = { school_id: schoolId, aircraft_id: aircraftId, name: '100 h', ...columns };
  return (await db.insertInto('inspections').values(inspection).returning('id').executeTakeFirstOrThrow()).id;
}

const mails = () => db.selectFrom('mail_outbox').selectAll().where('school_id', '=', schoolId).execute();
const inspections = () =>
  db.selectFrom('inspections').selectAll().where('school_id', '=', schoolId).orderBy('id').execute();
const dueOn = async (path: string, as: Role = 'student') => {
  const { $ } = await documentAt(path, cookies[as]);
  return textsOf($, '.due-list li, .due-line');
};
const errorsAfter = async (path: string, fields: Record<string, string>) => {
  const { status, $ } = await documentAfter(path, fields, cookies.administrator);
  return [status, ...textsOf($, '.error')];
};

it('the fleet says what is due in hours or on a date, the most urgent first, three of them (B615, C85)', async () => {
  await makeInspection({ name: 'Annual', due_on: '2099-12-03' });
  await makeInspection({ name: '100 h', due_tach: '93.4' });
  await makeInspection({ name: 'Oil', due_hobbs: '98.8' });
  await makeInspection({ name: 'Transponder', due_on: day(-2) });
  expect(await dueOn('/airplanes')).toEqual([
    'Transponder Overdue by 2 days',
    'Oil Overdue by 1.2 h',
    '100 h Due in 3.4 h',
    'and 1 more',
  ]);
  expect((await dueOn(`/airplanes/${aircraftId}`)).at(-1)).toBe('Annual Due on 3 Dec 2099');
});

nightly('at its reading or on its day an inspection is due, and not yet overdue (B615)', async () => {
  await makeInspection({ name: '100 h', due_tach: '90.0' });
  const today = day(0);
  await makeInspection({ name: 'Annual', due_on: today });
  const texts = await dueOn('/airplanes');
  expect(texts[0]).toBe('100 h Due in 0.0 h');
  expect(texts[1]).toMatch(new RegExp(`^Annual Due on ${Number(today.slice(8))} \\w{3}$`));
});

it('administrators add, change and remove inspections of an aircraft; others are refused (B616, C85)', async () => {
  const path = `/airplanes/${aircraftId}/inspections/add`;
  const annual = { name: 'Annual', dueAt: 'date', dueDate: '2027-03-31', interval: '12', intervalUnit: 'months' };
  expect((await documentAfter(path, annual, cookies.instructor)).status).toBe(403);
  expect((await documentAfter(path, annual, cookies.administrator)).status).toBe(303);
  const [{ id } = { id: 0 }] = await inspections();
  const { $ } = await documentAt(`/airplanes/${aircraftId}`, cookies.administrator);
  expect(textOf($(`a[href="/inspections/${id}"]`))).toBe('Annual: done or change');
  expect(await inspections()).toMatchObject([{ name: 'Annual', interval_months: 12, due_hobbs: null }]);
  const oil = {
    intent: 'save',
    name: 'Oil',
    dueAt: 'tach',
    dueReading: '140,5',
    interval: '50',
    intervalUnit: 'hours',
  };
  expect(await errorsAfter(`/inspections/${id}`, oil)).toEqual([303]);
  expect(await inspections()).toMatchObject([
    { name: 'Oil', due_tach: '140.5', due_on: null, interval_hours: '50.00', interval_months: null },
  ]);
  expect(await errorsAfter(`/inspections/${id}`, { intent: 'remove' })).toEqual([303]);
  expect(await dueOn('/airplanes')).toEqual([]);
});

it('an inspection is refused in words, which tell at once all that is wrong with it (B616, B1473)', async () => {
  const good = { name: '100 h', dueAt: 'tach', dueReading: '190', interval: '100', intervalUnit: 'hours' };
  const path = `/airplanes/${aircraftId}/inspections/add`;
  for (const [fields, ...words] of [
    [{ dueReading: 'soon' }, 'Please enter a reading'],
    [{ dueAt: 'date', intervalUnit: 'months', dueDate: '' }, 'Please enter a date'],
    [{ intervalUnit: 'months' }, 'At a meter it is hours'],
    [
      { name: '', dueReading: '', interval: '0' },
      ...['Name is required', 'Please enter a reading', 'The interval must be a number above 0'],
    ],
  ] as const)
    expect(await errorsAfter(path, { ...good, ...fields })).toEqual([400, ...words]);
  expect(await inspections()).toEqual([]);
  const id = await makeInspection({ due_tach: '190' });
  expect(await errorsAfter(`/inspections/${id}`, { intent: 'done', reading: '', doneOn: '2199-01-01' })).toEqual([
    ...[400, 'Please enter the reading at which it was done', 'An inspection cannot have been done in the future'],
  ]);
  const squawk = await makeSquawk(db, people.student, aircraftId);
  const deferred = { intent: 'deferred', dueAt: 'date', dueDate: '', remark: 'x'.repeat(5000) };
  expect(await errorsAfter(`/squawks/${squawk}`, deferred)).toHaveLength(3);
});

it('the next interval starts from where it was done, which the form fills in; without interval it goes (B617, C85)', async () => {
  for (const [due, done, next] of [
    [{ due_tach: '95.0', interval_hours: '100' }, { reading: '96,5' }, '196.5'],
    [{ due_on: '2026-02-28', interval_months: 1 }, { doneOn: '2026-01-31' }, '2026-02-28'],
  ] as const) {
    const id = await makeInspection(due);
    const form = { intent: 'done', doneOn: '2026-05-12', remark: 'New oil', ...done };
    expect(await errorsAfter(`/inspections/${id}`, form)).toEqual([303]);
    const row = db.selectFrom('inspections').select(sql<string>`coalesce(due_tach::text, due_on::text)`.as('due'));
    expect(await row.where('id', '=', id).executeTakeFirst()).toEqual({ due: next });
    const { $ } = await documentAt(`/airplanes/${aircraftId}`, cookies.student);
    expect(textOf($('main'))).toContain(`by ${people.administrator.username}: New oil`);
    await db.updateTable('inspections').set({ removed_at: new Date() }).execute();
  }
  const path = `/inspections/${await makeInspection({ due_tach: '95.0' })}`;
  const once = { intent: 'done', doneOn: '2026-05-12' };
  const words = 'Please enter the reading at which it was done';
  expect(await errorsAfter(path, { ...once, reading: '' })).toEqual([400, words]);
  expect(await errorsAfter(path, { ...once, reading: '94' })).toEqual([303]);
  expect(await dueOn('/airplanes')).toEqual([]);
  for (const [due, label, last] of [
    [{ due_hobbs: '105.0' }, 'Hobbs reading', '100.0'],
    [{ due_tach: '95.0' }, 'Tach reading', '90.0'],
  ] as const) {
    const { $ } = await documentAt(`/inspections/${await makeInspection(due)}`, cookies.administrator);
    const field = $('#done label').first();
    expect([textOf(field), $(`#${field.attr('for')}`).val()]).toEqual([label, last]);
  }
});

it('an inspection that was done, or went with its meter, since a form was shown is not set back by it (B1657)', async () => {
  const id = await makeInspection({ due_tach: '100.0', interval_hours: '100' });
  const path = `/inspections/${id}`;
  const { $ } = await documentAt(path, cookies.administrator);
  const [done, change] = ['#done', '#inspection'].map((form) => fieldsOf($, form));
  const replaced = { meter: 'tachometer', oldLast: '90.0', newFirst: '5.0', reason: 'replaced' } as const;
  await declareMeterChange(db, people.administrator, aircraftId, replaced);
  const stale = async (fields = {}) => {
    const { status, ...page } = await documentAfter(path, fields, cookies.administrator);
    return { said: [status, textOf(page.$('.error-summary li'))], again: page };
  };
  const text = 'Somebody else has changed this inspection, which is due at tach 15.0 now. Please look at it again.';
  expect((await stale(done)).said).toEqual([409, text]);
  const { said, again } = await stale({ ...change, name: '100 hours' });
  expect(said).toEqual([409, text]);
  expect(await inspections()).toMatchObject([{ name: '100 h', due_tach: '15.0' }]);
  // What was typed stands there, and is taken by who has read that.
  const typed = fieldsOf(again.$, '#inspection');
  expect(typed.name).toBe('100 hours');
  expect((await stale({ ...typed, dueReading: '15.0' })).said[0]).toBe(303);
  expect(await inspections()).toMatchObject([{ name: '100 hours', due_tach: '15.0' }]);
});

it('an inspection is not done in the future: a slip of the year would hide the next one (B1424)', async () => {
  const id = await makeInspection({ due_on: day(-3), interval_months: 12 });
  const done = (doneOn: string) =>
    documentAfter(`/inspections/${id}`, { intent: 'done', doneOn }, cookies.administrator);
  const refused = await done(day(365));
  expect(textOf(refused.$('.error'))).toBe('An inspection cannot have been done in the future');
  expect(refused.$('#done [name=doneOn]').attr('max')).toBe(day(0));
  expect(await findInspection(db, schoolId, id)).toMatchObject({ due: { at: 'date', value: day(-3) } });
  expect((await done(day(0))).status).toBe(303);
});

nightly('an aircraft has fifty inspections at most (B616)', async () => {
  const row = { school_id: schoolId, aircraft_id: aircraftId, name: '100 h', due_tach: '99' };
  const rows = Array.from({ length: MAX_INSPECTIONS_OF_AIRCRAFT - 1 }, () => row);
  await db.insertInto('inspections').values(rows).execute();
  const oil = { name: 'Oil', due: { at: 'tach', value: '95' }, interval: null } as const;
  const add = () => addInspection(db, people.administrator, aircraftId, oil);
  await add();
  await expect(add()).rejects.toMatchObject({ code: 'conflict' });
});

const readings = { startHobbsTime: '100.0', startTachTime: '90.0' };
const start = (fields: Record<string, string>) =>
  documentAfter('/flight-log?step=2', { aircraftId: String(aircraftId), ...readings, ...fields }, cookies.student);
const complete = async (ends: object) => {
  const id = await makeFlight(db, people.student, aircraftId);
  await handleRequest(jsonRequest('POST', `/api/flight-logs/${id}/complete`, ends, cookies.student));
};

it('overdue asks for a tick that names it and never refuses; the flight keeps what was overdue (B618, C85)', async () => {
  const id = await makeInspection({ name: '100 h', due_tach: '88.8' });
  const refused = await start({});
  expect(textOf(refused.$('.error'))).toBe('Please read what is overdue and tick the box.');
  const tick = 'I know what is overdue: 100 h (Overdue by 1.2 h)';
  expect(textOf(refused.$('label[for="review-overdueRead"]'))).toBe(tick);
  expect(refused.$('input[name=overdueIds]').val()).toBe(String(id));
  expect((await start({ overdueIds: String(id), overdueRead: 'on' })).status).toBe(303);
  const answer = await handleRequest(getRequest('/api/flight-logs', cookies.student));
  const [flight] = JSON.parse(await answer.text());
  expect(flight.overdueInspections).toEqual([{ id, name: '100 h', text: 'Overdue by 1.2 h' }]);
});

nightly('the API starts without a tick, and both missing ticks of the form are told at once (B618)', async () => {
  await makeInspection({ due_tach: '88.8' });
  const { $ } = await start({ startHobbsTime: '105' });
  expect(textsOf($, '.error')).toEqual([
    ...['Please read the meter again and tick the box.', 'Please read what is overdue and tick the box.'],
  ]);
  const call = jsonRequest('POST', '/api/flight-logs', { aircraftId, ...readings }, cookies.student);
  const answer = await handleRequest(call);
  expect(answer.status).toBe(201);
});

nightly('a day is over when it is over at the school, whatever the day in UTC (B619, C85)', async () => {
  // They are 26 hours apart, so that one of them is on another day than UTC.
  for (const [timeZone, mailed] of [
    ['Pacific/Kiritimati', 1],
    ['Etc/GMT+12', 0],
  ] as const) {
    await db.deleteFrom('inspections').where('school_id', '=', schoolId).execute();
    await db.deleteFrom('mail_outbox').where('school_id', '=', schoolId).execute();
    const id = await makeInspection({ due_on: '2099-12-03' });
    await sql`update inspections set due_on = (now() at time zone 'Etc/GMT+12')::date where id = ${id}`.execute(db);
    await db.updateTable('schools').set({ time_zone: timeZone }).where('id', '=', schoolId).execute();
    await db.transaction().execute((trx) => mailOverdueOf(trx, { id: aircraftId, schoolId }));
    expect([timeZone, (await mails()).length]).toEqual([timeZone, mailed]);
  }
});

it('a check-in that makes an inspection overdue mails administrators once, and again after it was done (B619, C85)', async () => {
  const id = await makeInspection({ name: '100 h', due_tach: '90.5', interval_hours: '1' });
  await complete({ endHobbsTime: '101', endTachTime: '91.2' });
  expect(await mails()).toMatchObject([
    { to_address: people.administrator.email, subject: 'N512FL has something overdue' },
  ]);
  expect((await mails())[0]?.body_text).toContain('100 h: Overdue by 0.7 h');
  await complete({ endHobbsTime: '102', endTachTime: '92' });
  expect(await mails()).toHaveLength(1);
  const done = { intent: 'done', reading: '92', doneOn: day(0) };
  await documentAfter(`/inspections/${id}`, done, cookies.administrator);
  await complete({ endHobbsTime: '104', endTachTime: '94' });
  expect(await mails()).toHaveLength(2);
});

it('a day that passes mails once, by the hourly clean-up, and again once it is changed (B619)', async () => {
  const id = await makeInspection({ name: 'Annual', due_on: day(-2) });
  await makeInspection({ name: 'Transponder', due_on: day(2) });
  await cleanUp(db);
  await cleanUp(db);
  const overdue = async () => (await mails()).filter(({ subject }) => subject.includes('overdue'));
  expect((await overdue()).map(({ body_text }) => body_text.includes('Annual: Overdue by 2 days'))).toEqual([true]);
  const changed = { name: 'Annual', due: { at: 'date', value: day(-3) }, interval: null } as const;
  await changeInspection(db, people.administrator, id, changed);
  await cleanUp(db);
  expect(await overdue()).toHaveLength(2);
  await changeInspection(db, people.administrator, id, changed);
  await deleteAircraft(db, people.administrator, aircraftId);
  await cleanUp(db);
  expect(await overdue(), 'none of a removed aircraft').toHaveLength(2);
});
