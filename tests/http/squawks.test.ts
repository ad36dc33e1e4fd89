import { beforeEach, expect, it } from 'vitest';
import { sql } from 'kysely';
import type { Role } from '#db/roles.ts';
import { completed, makeFlight, type Member, testDatabase } from '#tests/support/makers.ts';
import { makeAircraft, makePeople, makeSchool } from '#tests/support/school.ts';
import { cookiesOf, getRequest, handleRequest, jsonRequest, multipartRequest } from '#tests/support/ask.ts';
import { documentAfter, documentAt, nightly, textOf, textsOf } from '#tests/support/pages.ts';
import { findFlightLog } from '#app/domain/flights/queries.server.ts';
import { drawBlankPhoto } from '#tests/support/pictures.ts';

const { db } = await testDatabase();
const ends = { endHobbsTime: '101.2', endTachTime: '91.0' };
const photo = new File([new Uint8Array(await drawBlankPhoto())], 'brake.jpg', { type: 'image/jpeg' });

let schoolId: number, people: Record<Role, Member>, cookies: Record<Role, string>, aircraftId: number;

beforeEach(async () => {
  schoolId = await makeSchool(db);
  people = await makePeople(db, schoolId);
  cookies = await cookiesOf(db, people);
  aircraftId = await makeAircraft(db, schoolId, { tail_number: 'N512FL', last_hobbs: '100.0', last_tach: '90.0' });
});

/** Checks in a flight of the student. */
async function checkIn(fields: Record<string, string>, files: File[] = []) {
  const id = await makeFlight(db, people.student, aircraftId);
  const status = await upload(`/flight-log/${id}/post-check`, { ...ends, ...fields }, 'squawkPhotos', files);
  return { id, status };
}

async function upload(path: string, fields: Record<string, string>, name: string, files: File[]) {
  const chosen = files.length > 0 ? files : [new File([], '')];
  return (await handleRequest(multipartRequest(path, { ...fields, [name]: chosen }, cookies.student))).status;
}

const squawks = () => db.selectFrom('squawks').selectAll().where('school_id', '=', schoolId).orderBy('id').execute();
const mails = () =>
  db
    .selectFrom('mail_outbox')
    .select(['to_address', 'subject', 'body_text'])
    .where('school_id', '=', schoolId)
    .execute();
const newest = async () => (await squawks()).at(-1)?.id ?? 0;
const call = async (method: 'POST' | 'PATCH', path: string, body: object, as: Role = 'administrator', headers = {}) => {
  const answer = await handleRequest(jsonRequest(method, path, body, cookies[as], headers));
  return { status: answer.status, body: await answer.text() };
};
const report = async (text = 'Left brake soft.', as: Role = 'student', unsafe = false) => {
  const { body } = await call('POST', '/api/squawks', { aircraftId, text, unsafe }, as);
  return Number(JSON.parse(body).id);
};

it('notes at check-in open one squawk with these words, however often it is sent; no notes none (B600, C58, C84)', async () => {
  const { id, status } = await checkIn({ notes: ' Left brake soft.\r\nPulls. ' });
  expect(status).toBe(303);
  const text = 'Left brake soft.\nPulls.';
  const author = { user_id: people.student.id, aircraft_id: aircraftId, flight_log_id: id };
  expect(await squawks()).toMatchObject([{ ...author, text, unsafe: false, state: 'open' }]);
  expect((await findFlightLog(db, schoolId, id))?.notes).toBe(text);
  expect(await mails()).toEqual([]);
  await checkIn({ notes: '  ' });
  expect(await squawks()).toHaveLength(1);
  const next = await makeFlight(db, people.student, aircraftId);
  const again = { ...ends, notes: 'Left brake soft.' };
  for (let sent = 0; sent < 2; sent += 1) await call('POST', `/api/flight-logs/${next}/complete`, again, 'student');
  expect(await squawks()).toHaveLength(2);
});

it("'Unsafe to fly' needs words, mails every administrator, and leaves the status to them (B601, C84)", async () => {
  const wordless = await checkIn({ notes: '', unsafe: 'on' });
  expect([wordless.status, await squawks()]).toEqual([400, []]);
  expect((await findFlightLog(db, schoolId, wordless.id))?.status).toBe('in_progress');
  await db.deleteFrom('flight_logs').where('id', '=', wordless.id).execute();
  expect((await checkIn({ notes: 'Alternator light.', unsafe: 'on' })).status).toBe(303);
  const body_text = expect.stringContaining('Alternator light.');
  const subject = 'N512FL was reported unsafe to fly';
  expect(await mails()).toEqual([{ to_address: people.administrator.email, subject, body_text }]);
  expect((await mails())[0]?.body_text).toContain(`http://localhost:3000/squawks/${await newest()}\n`);
  const row = db.selectFrom('aircraft').select('maintenance_since').where('id', '=', aircraftId);
  expect(await row.executeTakeFirst()).toEqual({ maintenance_since: null });
});

it('photos of a squawk are kept with it, as normalised JPEG, three at most (B602)', async () => {
  expect((await checkIn({ notes: 'Left brake soft.' }, [photo, photo])).status).toBe(303);
  const kept = db.selectFrom('squawk_photos').innerJoin('photos', 'photos.id', 'photo_id').select('content');
  const contents = await kept.where('squawk_id', '=', await newest()).execute();
  expect(contents.map(({ content }) => content.subarray(0, 2).toString('hex'))).toEqual(['ffd8', 'ffd8']);
  const { $ } = await documentAt(`/squawks/${await newest()}`, cookies.instructor);
  expect($('.photo-list img').length).toBe(2);
  const path = `/airplanes/${aircraftId}/squawks/add`;
  expect(await upload(path, { text: 'Four' }, 'photos', [photo, photo, photo, photo])).toBe(400);
  expect(await upload(path, { text: 'Text' }, 'photos', [new File(['no picture'], 'a.jpg')])).toBe(400);
  expect(await upload(path, { text: 'One' }, 'photos', [photo])).toBe(303);
});

const readings = { startHobbsTime: '100.0', startTachTime: '90.0' };
const review = async () => {
  const fields = { aircraftId: String(aircraftId), ...readings, intent: 'next' };
  for (const step of [0, 1]) await documentAfter(`/flight-log?step=${step}`, fields, cookies.instructor);
  return documentAt('/flight-log?step=2', cookies.instructor);
};
const start = (fields: Record<string, string>) =>
  documentAfter('/flight-log?step=2', { aircraftId: String(aircraftId), ...readings, ...fields }, cookies.instructor);

it("after a hundred later flights every squawk that is not fixed stands above 'Start Flight' (B603, C84)", async () => {
  const { id } = await checkIn({ notes: 'Left brake soft.' });
  await sql`update flight_logs set created_at = now() - interval '1 day' where id = ${id}`.execute(db);
  const deferred = await report('COM 2 scratchy.');
  await call('PATCH', `/api/squawks/${deferred}`, { state: 'deferred', until: { date: '2030-01-31' } });
  const fixed = await report('Landing light inop.');
  await call('PATCH', `/api/squawks/${fixed}`, { state: 'fixed', remark: 'New bulb' });
  const flown = completed('2026-05-12T10:00Z', '2026-05-12T11:00Z');
  for (let count = 0; count < 100; count += 1) {
    const created_at = new Date(Date.now() - (100 - count) * 1000);
    await makeFlight(db, people.student, aircraftId, { ...flown, created_at, completed_at: new Date() });
  }
  const { $ } = await review();
  const shown = textOf($('main'));
  for (const text of ['Left brake soft.', 'COM 2 scratchy.', 'deferred until 31 Jan 2030']) {
    expect(shown.indexOf(text)).toBeGreaterThan(0);
    expect(shown.indexOf(text)).toBeLessThan(shown.indexOf('Start Flight'));
  }
  expect(shown).not.toContain('Landing light');
  expect(shown).toContain('None on the last five flights.');
});

it('an unsafe squawk asks the next check-out for a tick that names it, and the flight keeps it (B604, C84)', async () => {
  await report('Alternator light.', 'student', true);
  const { $ } = await review();
  expect(textOf($('label[for="review-unsafeRead"]'))).toBe(
    'I have read what was reported as unsafe to fly: “Alternator light.”',
  );
  const unsafeIds = String($('input[name="unsafeIds"]').attr('value'));
  const refused = await start({ unsafeIds });
  const words = 'Please read what was reported as unsafe to fly and tick the box.';
  expect([refused.status, textOf(refused.$('.error'))]).toEqual([400, words]);
  await report('Smoke in the cabin.', 'student', true);
  expect((await start({ unsafeIds, unsafeRead: 'on' })).status).toBe(400);
  const both = String((await review()).$('input[name="unsafeIds"]').attr('value'));
  expect((await start({ unsafeIds: both, unsafeRead: 'on' })).status).toBe(303);
  const stored = db.selectFrom('flight_logs').select('unsafe_at_start').where('aircraft_id', '=', aircraftId);
  expect((await stored.executeTakeFirst())?.unsafe_at_start.map(({ text }) => text)).toEqual([
    'Smoke in the cabin.',
    'Alternator light.',
  ]);
});

nightly('a deferral lifts the tick while it runs; the API starts without it and says why (B604)', async () => {
  const id = await report('Alternator light.', 'student', true);
  await call('PATCH', `/api/squawks/${id}`, { state: 'deferred', until: { hobbs: '100.0' } });
  expect((await review()).$('[name="unsafeRead"]').length).toBe(0);
  await call('PATCH', `/api/squawks/${id}`, { state: 'deferred', until: { hobbs: '99.9' } });
  expect((await review()).$('[name="unsafeRead"]').length).toBe(1);
  const { status, body } = await call('POST', '/api/flight-logs', { aircraftId, ...readings }, 'student');
  expect([status, JSON.parse(body).unsafeSquawks]).toEqual([201, [{ id, text: 'Alternator light.' }]]);
});

it('every role adds squawks between flights, and administrators ground the aircraft with one press (B605, C84)', async () => {
  for (const role of ['administrator', 'instructor', 'student'] as const) {
    const added = await documentAfter(`/airplanes/${aircraftId}/squawks/add`, { text: `By ${role}` }, cookies[role]);
    expect([added.status, added.headers.get('location')]).toEqual([303, `/airplanes/${aircraftId}`]);
  }
  const { $ } = await documentAt(`/airplanes/${aircraftId}`, cookies.administrator);
  const newestFirst = ['By student', 'By instructor', 'By administrator'];
  expect(textsOf($, '.note-list .user-text')).toEqual(newestFirst);
  const press = { intent: 'set-maintenance' };
  expect($('main form button[value="set-maintenance"]').length).toBe(1);
  expect((await documentAfter(`/airplanes/${aircraftId}?index`, press, cookies.administrator)).status).toBe(303);
  const grounded = await documentAt(`/airplanes/${aircraftId}`, cookies.student);
  expect(textOf(grounded.$('.screen-header .badge'))).toBe('In Maintenance');
  expect(grounded.$('form button[value="set-maintenance"], form button[value="mark-available"]').length).toBe(0);
});

it('an administrator defers, fixes and reopens; the history keeps who, when and what (B606, C84)', async () => {
  const id = await report();
  const post = (fields: Record<string, string>) => documentAfter(`/squawks/${id}`, fields, cookies.administrator);
  const refused = await post({ intent: 'fixed', remark: '' });
  expect([refused.status, textOf(refused.$('.error'))]).toEqual([400, 'Please say what was done']);
  expect((await post({ intent: 'deferred', dueAt: 'date', dueDate: '' })).status).toBe(400);
  const deferral = { intent: 'deferred', dueAt: 'tach', dueReading: '95,5', remark: 'Within limits' };
  for (const step of [deferral, { intent: 'fixed', remark: 'New pads' }, { intent: 'open', remark: 'Soft again' }]) {
    expect((await post(step)).status).toBe(303);
  }
  const { $ } = await documentAt(`/squawks/${id}`, cookies.student);
  const lines = $('ol.note-list li')
    .toArray()
    .map((line) => textsOf($, $(line).children()).map((part) => part.split(',')[0]));
  expect(lines).toEqual([
    ['Reported', people.student.username],
    ['Deferred until tach 95.5: Within limits', people.administrator.username],
    ['Fixed: New pads', people.administrator.username],
    ['Reopened: Soft again', people.administrator.username],
  ]);
  expect(await squawks()).toMatchObject([{ state: 'open', until_tach: null }]);
});

it('its author withdraws a squawk within 48 hours, an administrator later too, nobody else (B607, C84)', async () => {
  const withdraw = (id: number, as: Role) => call('PATCH', `/api/squawks/${id}`, { state: 'withdrawn' }, as);
  const [first, second] = [await report(), await report('Again')];
  expect((await withdraw(first, 'instructor')).status).toBe(403);
  const isOffered = async () => (await documentAt(`/squawks/${second}`, cookies.student)).$('#withdrawn').length === 1;
  expect(await isOffered()).toBe(true);
  expect((await withdraw(first, 'student')).status).toBe(200);
  await sql`update squawks set created_at = now() - interval '48 hours 1 second' where id = ${second}`.execute(db);
  expect(await withdraw(second, 'student')).toEqual({
    status: 409,
    body: 'A squawk can be withdrawn for 48 hours by who reported it. Please ask an administrator.',
  });
  expect(await isOffered()).toBe(false);
  expect((await withdraw(second, 'administrator')).status).toBe(200);
  const { $ } = await documentAt(`/squawks/${second}`, cookies.administrator);
  expect(textOf($('#open label'))).toBe('Reason');
  expect((await squawks()).map(({ state }) => state)).toEqual(['withdrawn', 'withdrawn']);
});

it('squawks are listed newest first, by aircraft and state; what is no change is refused in words (B608, C84, C93)', async () => {
  const id = await report();
  const point = 'This must be a reading of one meter or a date';
  for (const [change, text] of [
    [{ state: 'broken' }, "The state must be 'open', 'deferred', 'fixed' or 'withdrawn'"],
    [{ state: 'fixed', remark: ' ' }, 'Please say what was done'],
    [{ state: 'deferred' }, 'Please say until when: a reading or a date'],
    [{ state: 'deferred', until: { hobbs: 'soon' } }, point],
    [{ state: 'deferred', until: { date: '2026-02-30' } }, point],
    [{ state: 'deferred', until: { hobbs: '1', tach: '1' } }, point],
  ] as const)
    expect(await call('PATCH', `/api/squawks/${id}`, change)).toEqual({ status: 400, body: text });
  expect(await squawks()).toMatchObject([{ state: 'open' }]);
  const [first, second] = [id, await report('Second')];
  await call('PATCH', `/api/squawks/${first}`, { state: 'fixed', remark: 'Done' });
  const listed = async (query: string) => {
    const answer = await handleRequest(getRequest(`/api/squawks${query}`, cookies.student));
    return JSON.parse(await answer.text()).map(({ id }: { id: number }) => id);
  };
  expect(await listed('')).toEqual([second, first]);
  expect(await listed('?state=open,deferred')).toEqual([second]);
  expect(await listed(`?aircraftId=${aircraftId}&after=${second}`)).toEqual([first]);
});

it('squawks reported between flights are bounded to 30 of a user in an hour; check-ins are not (B609)', async () => {
  for (let count = 0; count < 30; count += 1) await report(`Squawk ${count}`);
  expect((await call('POST', '/api/squawks', { aircraftId, text: 'One more' }, 'student')).status).toBe(429);
  expect((await checkIn({ notes: 'Left brake soft.' })).status).toBe(303);
});
