import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { makeAircraft, makeFlight, makeSchool, makeUser, type Member, testDatabase } from '#tests/support/makers.ts';
import { detailOf, documentAfter, documentAt, nightly, textOf } from '#tests/support/pages.ts';
import { answerTo, cookieOf, formRequest, jsonRequest } from '#tests/support/ask.ts';
import { findFlightLog } from '#app/domain/flights/queries.server.ts';
import { blankTimesAsNull } from '#app/features/flights/flight-summary.server.ts';
import { toSchoolTime } from '#app/domain/times/school-time.server.ts';

const { db } = await testDatabase();
/** Where no clock is ever set: each of its times is one instant. */
const ZONE = 'America/Phoenix';
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let schoolId: number, admin: Member, pilot: Member, aircraftId: number, id: number;
/** To the minute, as forms have it. */
let now: number;
beforeEach(async () => {
  now = Math.floor(Date.now() / MINUTE) * MINUTE;
  schoolId = await makeSchool(db);
  await db.updateTable('schools').set({ time_zone: ZONE }).where('id', '=', schoolId).execute();
  admin = await makeUser(db, schoolId, 'administrator');
  pilot = await makeUser(db, schoolId);
  aircraftId = await makeAircraft(db, schoolId, { tail_number: 'N512FL', last_hobbs: '100.0', last_tach: '90.0' });
  id = await makeFlight(db, pilot, aircraftId, { created_at: new Date(now - 26 * HOUR) });
});

const ends = { endHobbsTime: '101.2', endTachTime: '91.0' };
const at = (hoursAgo: number) => new Date(now - hoursAgo * HOUR);
const local = (hoursAgo: number) => toSchoolTime(at(hoursAgo), ZONE);
const post = async (path: string, fields: Record<string, string>, user = pilot) =>
  answerTo(formRequest(path, fields, await cookieOf(db, user)));
const call = async (path: string, body: object, user = pilot) => {
  const answer = await answerTo(jsonRequest('POST', path, body, await cookieOf(db, user)));
  return { status: answer.status, body: answer.status < 300 ? JSON.parse(String(answer.body)) : answer.body };
};
const checkIn = (fields: Record<string, string>) => post(`/flight-log/${id}/post-check`, { ...ends, ...fields });
const errorsSchema = z.object({ result: z.object({ error: z.record(z.string(), z.array(z.string())) }) });
const errorsOf = ({ body }: { body: unknown }) => errorsSchema.parse(body).result.error;
const stored = () => findFlightLog(db, schoolId, id);

it('a form without fields of times leaves them as they are, and one that empties a field forgets its time (B650)', () => {
  const form = new FormData();
  form.set('landedAt', '');
  expect(blankTimesAsNull(form)).toEqual({ landedAt: null });
});

it('each field that asks for a time of a flight says in which zone it is asked (B1694)', async () => {
  const teacher = await makeUser(db, schoolId, 'instructor');
  const review = {
    aircraftId: String(await makeAircraft(db, schoolId)),
    startHobbsTime: '100.0',
    startTachTime: '90.0',
  };
  await documentAfter('/flight-log?step=1', { ...review, intent: 'next' }, await cookieOf(db, teacher));
  for (const [path, reader, fields] of [
    [`/flight-log/${id}/post-check`, pilot, 2],
    [`/flight-logs/${id}/close`, admin, 2],
    [`/flight-logs/${id}/correct`, admin, 1],
    ['/flight-logs/new', admin, 2],
    ['/flight-log?step=2', teacher, 1],
    ['/flight-log/offline', teacher, 1],
  ] as const) {
    const { $ } = await documentAt(path, await cookieOf(db, reader));
    const hints = $('input[type=datetime-local]')
      .toArray()
      .map((input) => textOf($(`#${$(input).attr('aria-describedby')?.split(' ')[0]}`)));
    expect(hints, path).toEqual(
      Array.from({ length: fields }, () => expect.stringMatching(/ Time in America\/Phoenix\.$/)),
    );
  }
});

it('times that cannot be are refused beside their fields; a check-in stores when it flew (B650, B651, C83)', async () => {
  const refused = async (fields: Record<string, string>) => errorsOf(await checkIn(fields));
  expect(await refused({ landedAt: local(27) })).toEqual({
    landedAt: ['A flight cannot have ended before it departed'],
  });
  expect(await refused({ departedAt: local(3), landedAt: local(4) })).toHaveProperty('landedAt');
  expect(await refused({ landedAt: local(-0.5) })).toEqual({
    landedAt: ['A flight cannot have ended in the future, or after its check-in'],
  });
  expect(await refused({ departedAt: local(-0.5) })).toHaveProperty('departedAt');
  expect(await refused({ departedAt: local(26 + 169) })).toHaveProperty('departedAt');
  expect(await refused({ landedAt: '2026-02-30T10:00' })).toEqual({ landedAt: ['Please give a date and a time'] });
  const page = await documentAfter(
    `/flight-log/${id}/post-check`,
    { ...ends, landedAt: local(27) },
    await cookieOf(db, pilot),
  );
  expect(page.$('input[name=landedAt]').val()).toBe(local(27));
  expect((await stored())?.status).toBe('in_progress');
  const answer = await checkIn({ departedAt: local(25.5), landedAt: local(24) });
  expect(answer.status).toBe(303);
  expect(await stored()).toMatchObject({ departedAt: at(25.5).toISOString(), landedAt: at(24).toISOString() });
  const details = await documentAt(`/flight-logs/${id}`, await cookieOf(db, pilot));
  expect(textOf(detailOf(details, 'Duration'))).toBe('26.0 hours');
  expect(textOf(detailOf(details, 'Block Hours'))).toBe('1.5 hours');
  expect(detailOf(details, 'Landed').find('time').attr('datetime')).toBe(at(24).toISOString());
  id = await makeFlight(db, pilot, aircraftId, { created_at: at(2), start_hobbs: '101.2', start_tach: '91.0' });
  const more = { endHobbsTime: '102.2', endTachTime: '92.0' };
  expect((await checkIn({ ...more, departedAt: '', landedAt: '' })).status).toBe(303);
  const log = await stored();
  expect([log?.departedAt, log?.landedAt]).toEqual([log?.createdAt, log?.completedAt]);
  const without = await documentAt(`/flight-logs/${id}`, await cookieOf(db, pilot));
  expect(detailOf(without, 'Landed')).toHaveLength(0);
});

nightly('a flight may have ended before its check-out, or in its minute (B650, B651)', async () => {
  expect((await checkIn({ departedAt: local(30), landedAt: local(28.5) })).status).toBe(303);
  expect(await stored()).toMatchObject({ landedAt: at(28.5).toISOString() });
  id = await makeFlight(db, pilot, aircraftId, { created_at: new Date(now - HOUR + 30_000) });
  expect((await checkIn({ landedAt: local(1) })).status).toBe(303);
});

it('the check-in asks when the flight ended where it is later than the hours flown would say (B652)', async () => {
  const asks = async (flight: number, fields: Record<string, string>) => {
    const page = await documentAfter(`/flight-log/${flight}/post-check`, fields, await cookieOf(db, pilot));
    return textOf(page.$('.flight-times [role=status]'));
  };
  const wrong = { ...ends, oilAdded: 'on', oilQuantity: 'x' };
  expect(await asks(id, {})).toBe('Checked out 26.0 h ago. When did the flight end?');
  expect(await asks(id, wrong)).toBe('Checked out 26.0 h ago, flown 1.2 h. When did the flight end?');
  expect(await asks(id, { ...wrong, landedAt: local(24.5) })).toBe('1.5 h from departure to landing.');
  await checkIn({});
  const timely = await makeFlight(db, pilot, aircraftId, { created_at: at(2) });
  expect(await asks(timely, {})).toBe('');
  expect(await asks(timely, wrong)).toBe('');
});

describe('a check-out that says when the flight departed', () => {
  const start = { startHobbsTime: '101.2', startTachTime: '91.0' };
  beforeEach(async () => void (await checkIn({})));
  const open = () =>
    db
      .selectFrom('flight_logs')
      .selectAll()
      .where('aircraft_id', '=', aircraftId)
      .where('completed_at', 'is', null)
      .executeTakeFirst();

  it('a check-out stores when the flight departed, the check-in may say it anew, and no hours of it are odd (B653)', async () => {
    const fields = { ...start, aircraftId: String(aircraftId), departedAt: local(0.5) };
    expect((await post('/flight-log?step=2', fields)).status).toBe(303);
    const flight = await open();
    expect(flight?.departed_at).toEqual(at(0.5));
    id = flight?.id ?? 0;
    const { $ } = await documentAt(`/flight-log/${id}/post-check`, await cookieOf(db, pilot));
    expect($('input[name=departedAt]').val()).toBe(local(0.5));
    await checkIn({ endHobbsTime: '102.0', endTachTime: '91.7', departedAt: '' });
    const log = await stored();
    expect(log?.departedAt).toBe(log?.createdAt);
    const late = { created_at: at(0.1), start_hobbs: '102.0', start_tach: '91.7' };
    id = await makeFlight(db, pilot, aircraftId, late);
    const fiveHours = { endHobbsTime: '107.0', endTachTime: '95.9' };
    expect(errorsOf(await checkIn(fiveHours))).toHaveProperty('readAgain');
    expect((await checkIn({ ...fiveHours, departedAt: local(5.5) })).status).toBe(303);
  });

  it('a departure in the future is refused and stays typed; one that was emptied does not come back (B653)', async () => {
    const fields = { ...start, aircraftId: String(aircraftId), departedAt: local(-1) };
    const page = await documentAfter('/flight-log?index&step=2', fields, await cookieOf(db, pilot));
    expect(page.status).toBe(400);
    expect(page.$('input[name=departedAt]').val()).toBe(local(-1));
    expect(await open()).toBeUndefined();
    const typed = { ...start, aircraftId: String(aircraftId) };
    const shown = async () => {
      const { $ } = await documentAt('/flight-log?step=2', await cookieOf(db, pilot));
      return $('input[name=departedAt]').val() ?? '';
    };
    await post('/flight-log?step=1', typed);
    await post('/drafts', { typedForm: '/flight-log#review', ...typed, departedAt: local(0.5) });
    expect(await shown()).toBe(local(0.5));
    await db.updateTable('aircraft').set({ maintenance_since: new Date() }).where('id', '=', aircraftId).execute();
    expect((await post('/flight-log?step=2', { ...typed, departedAt: '' })).status).toBe(409);
    expect(await shown()).toBe('');
  });
});

it('a past flight may have ended up to now by the clock of the school (B893)', async () => {
  const { $ } = await documentAt('/flight-logs/new', await cookieOf(db, admin));
  const latest = $('input[name=landedAt]').attr('max') ?? '';
  expect(latest >= local(0) && latest <= toSchoolTime(new Date(), ZONE)).toBe(true);
});

it('calls take and return times in UTC, keep what they do not name, and refuse those without a zone (B654, C83)', async () => {
  await checkIn({});
  const begun = { aircraftId, startHobbsTime: '101.2', startTachTime: '91.0', departedAt: at(1).toISOString() };
  const started = await call('/api/flight-logs', begun);
  expect(started).toMatchObject({ status: 201, body: { departedAt: at(1).toISOString(), landedAt: null } });
  id = z.object({ id: z.number() }).parse(started.body).id;
  const landedAt = toSchoolTime(at(0.25), 'Europe/Berlin');
  const offset = new Date(`${landedAt}Z`).getTime() - at(0.25).getTime() === HOUR ? '+01:00' : '+02:00';
  const end = { endHobbsTime: '101.9', endTachTime: '91.6', landedAt: `${landedAt}:00${offset}` };
  expect(await call(`/api/flight-logs/${id}/complete`, end)).toMatchObject({
    status: 200,
    body: { departedAt: at(1).toISOString(), landedAt: at(0.25).toISOString() },
  });
  id = await makeFlight(db, pilot, await makeAircraft(db, schoolId), { created_at: at(26) });
  const refused = async (landedAt: unknown) => call(`/api/flight-logs/${id}/complete`, { ...ends, landedAt });
  for (const wrong of [local(24), '2026-02-30T10:00:00Z', 7, 'now']) {
    expect(await refused(wrong)).toMatchObject({
      status: 400,
      body: 'Times must be given in ISO-8601 with a zone, such as 2026-05-12T14:05:00Z',
    });
  }
  expect((await refused(at(27).toISOString())).status).toBe(400);
  expect((await refused(at(-1).toISOString())).status).toBe(400);
  expect((await stored())?.status).toBe('in_progress');
});

const readings = { startHobbsTime: '100.0', startTachTime: '90.0', ...ends };
const previewSchema = z.object({ preview: z.object({ digest: z.string(), effects: z.array(z.unknown()) }) });
const correct = async (fields: Record<string, string>) => {
  const all = { ...readings, reason: 'Checked in the next day', ...fields };
  const shown = await post(`/flight-logs/${id}/correct`, { ...all, intent: 'preview' });
  const { digest, effects } = previewSchema.parse(shown.body).preview;
  const saved = await post(`/flight-logs/${id}/correct`, { ...all, intent: 'save', seen: digest });
  return { status: saved.status, effects };
};

it('times are corrected like readings: previewed, with a reason, a revision, and back again (B656)', async () => {
  await checkIn({});
  const { status, effects } = await correct({ departedAt: local(25.5), landedAt: local(24) });
  expect(status).toBe(303);
  expect(effects).toContainEqual({ what: 'Block Hours', before: '26.0', after: '1.5' });
  expect(await stored()).toMatchObject({ landedAt: at(24).toISOString(), corrected: true });
  const page = await documentAt(`/flight-logs/${id}`, await cookieOf(db, pilot));
  expect(page.$.text()).toContain('Checked in the next day');
  expect((await correct({ departedAt: '', landedAt: '' })).status).toBe(303);
  const log = await stored();
  expect(log?.landedAt).toBe(log?.completedAt);
  const revisions = await db.selectFrom('flight_log_revisions').selectAll().where('flight_log_id', '=', id).execute();
  expect(revisions.map(({ field, old_time, new_time }) => [field, old_time, new_time])).toEqual([
    ['departed_at', null, at(25.5)],
    ['landed_at', null, at(24)],
    ['departed_at', at(25.5), null],
    ['landed_at', at(24), null],
  ]);
});

it('the departure of a flight in progress is corrected, a landing after the check-in is refused (B656)', async () => {
  expect((await correct({ departedAt: local(25) })).status).toBe(303);
  expect(await stored()).toMatchObject({ departedAt: at(25).toISOString(), status: 'in_progress' });
  await checkIn({ departedAt: local(25) });
  await sql`update flight_logs set completed_at = ${at(20)} where id = ${id}`.execute(db);
  const late = { ...readings, reason: 'x', landedAt: local(19), intent: 'preview' };
  expect(errorsOf(await post(`/flight-logs/${id}/correct`, late))).toHaveProperty('landedAt');
});

it("an instructor's hours beyond flight, or its times, and ground school ask for a tick, with their total (B655)", async () => {
  const instructorId = String((await makeUser(db, schoolId, 'instructor')).id);
  const slip = { instructorId, instructorTimeIn: '14:00', instructorTimeOut: '05:00', groundSchoolTime: '0.5' };
  const errors = errorsOf(await checkIn(slip));
  expect(errors).toEqual({
    instructorTimeOut: ['Total: 15.00 hours, more than the flight (1.2 h) and ground school (0.5 h) together.'],
    instructionChecked: ["Please check the instructor's times and tick the box."],
  });
  const page = await documentAfter(
    `/flight-log/${id}/post-check`,
    { ...ends, ...slip, instructorTimeOut: '15:30', oilAdded: 'on', oilQuantity: 'x' },
    await cookieOf(db, pilot),
  );
  expect(page.$.text()).toContain('Total: 1.50 hours.');
  expect((await checkIn({ ...slip, instructionChecked: 'on' })).status).toBe(303);
  id = await makeFlight(db, pilot, await makeAircraft(db, schoolId), { created_at: at(26) });
  const hours = { instructorId, instructorTimeIn: '08:00', instructorTimeOut: '11:00' };
  expect((await checkIn({ ...hours, departedAt: local(26), landedAt: local(23) })).status).toBe(303);
});

const reason = 'Left for home';

it('an instructor closes a flight after 12 hours, with a mail to its pilot; an administrator at once (B658, C87)', async () => {
  const instructor = await makeUser(db, schoolId, 'instructor');
  const page = await documentAt(`/flight-logs?log=${id}`, await cookieOf(db, instructor));
  expect(page.$(`a[href="/flight-logs/${id}/close"]`)).toHaveLength(1);
  const fields = { ...ends, reason, landedAt: local(24.5) };
  expect((await post(`/flight-logs/${id}/close`, fields, instructor)).status).toBe(303);
  expect(await stored()).toMatchObject({ status: 'completed', landedAt: at(24.5).toISOString() });
  const mails = await db.selectFrom('mail_outbox').selectAll().where('school_id', '=', schoolId).execute();
  expect(mails).toMatchObject([{ to_address: pilot.email, subject: 'Your flight in N512FL was closed' }]);
  const open = await makeFlight(db, pilot, aircraftId, { created_at: at(11.9), start_hobbs: '101.2' });
  const body = { endHobbsTime: '102.0', endTachTime: '91.0', reason };
  const closedBy = async (user: Member) => call(`/api/flight-logs/${open}/close`, body, user);
  expect(await closedBy(instructor)).toMatchObject({
    status: 409,
    body: 'Instructors can close a flight that has been open for more than 12 hours.',
  });
  const early = await documentAt(`/flight-logs/${open}/close`, await cookieOf(db, instructor));
  expect(early.$(`main a[href="/flight-logs/${open}"]`).text()).toBe('View Flight Log');
  expect((await closedBy(await makeUser(db, schoolId))).status).toBe(403);
  expect(await closedBy(admin)).toMatchObject({ status: 200, body: { status: 'completed' } });
});
