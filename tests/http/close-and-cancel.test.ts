import { beforeEach, describe, expect, it } from 'vitest';
import { makeAircraft, makeFlight, makeSchool, makeUser, type Member, testDatabase } from '#tests/support/makers.ts';
import { cookieOf, formRequest, getRequest, jsonRequest, toastAfter } from '#tests/support/ask.ts';
import { answerTo, answerWithText } from '#tests/support/routes.ts';
import { documentAfter, documentAt, fieldsOf, linksIn, textOf } from '#tests/support/pages.ts';
import { findAircraft } from '#app/domain/aircraft/queries.server.ts';
import { findFlightLog } from '#app/domain/flights/queries.server.ts';
import { eventsOf } from '#tests/support/audit.ts';

const { db } = await testDatabase();

let schoolId: number, admin: Member, pilot: Member, aircraftId: number, id: number;
beforeEach(async () => {
  schoolId = await makeSchool(db);
  admin = await makeUser(db, schoolId, 'administrator');
  pilot = await makeUser(db, schoolId);
  aircraftId = await makeAircraft(db, schoolId, { tail_number: 'N512FL', last_hobbs: '100.0', last_tach: '90.0' });
  id = await makeFlight(db, pilot, aircraftId);
});

const ended = { endHobbsTime: '101.2', endTachTime: '91.0' };
const get = async (path: string, user: Member) => answerWithText(getRequest(path, await cookieOf(db, user)));
const post = async (path: string, user: Member, fields: Record<string, string>) =>
  answerWithText(formRequest(path, fields, await cookieOf(db, user)));

const close = (fields: Record<string, string>, user = admin) => post(`/flight-logs/${id}/close`, user, fields);
const reason = 'Pilot left without checking in';

it('closing on behalf completes a flight, frees aircraft and pilot, is audited, mailed and shown (C08, C76)', async () => {
  const answer = await close({ ...ended, reason });
  expect([answer.status, answer.headers.get('location')]).toEqual([303, `/flight-logs/${id}`]);
  expect(await toastAfter(answer)).toMatchObject({ title: 'Flight closed', tone: 'default' });

  expect(await findFlightLog(db, schoolId, id)).toMatchObject({
    status: 'completed',
    user: { id: pilot.id },
    ...ended,
  });
  const aircraft = { status: null, lastHobbsTime: '101.2', lastTachTime: '91.0' };
  expect(await findAircraft(db, schoolId, aircraftId)).toMatchObject(aircraft);
  expect(await eventsOf(db, schoolId)).toMatchObject([
    { action: 'closed flight on behalf', user_id: admin.id, subject_id: id, after: ended, reason },
  ]);
  const mail = await db.selectFrom('mail_outbox').selectAll().where('school_id', '=', schoolId).execute();
  expect(mail).toMatchObject([
    { to_name: pilot.username, to_address: pilot.email, subject: 'Your flight in N512FL was closed' },
  ]);
  for (const message of [admin.username, reason, '101.2', '91.0', `http://localhost:3000/flight-logs/${id}`]) {
    expect(mail[0]?.body_text).toContain(message);
  }
  const { body } = await get(`/flight-logs?log=${id}`, pilot);
  expect(body).toMatchObject({ flight: { details: { closed: { by: admin.username, reason } } } });
  const body2 = { aircraftId, startHobbsTime: '101.2', startTachTime: '91.0' };
  const start = await answerTo(jsonRequest('POST', '/api/flight-logs', body2, await cookieOf(db, pilot)));
  expect(start.status).toBe(201);
});

it('closing on behalf takes another’s flight, a reason, and end readings by the rules of the check-in (C08)', async () => {
  const answer = await close({ endHobbsTime: '100', endTachTime: 'x', reason: '  ' });
  expect(answer.status).toBe(400);
  expect(answer.body).toMatchObject({
    result: { error: { endTachTime: ['End Tach time must be a number'], reason: ['Please give a reason'] } },
  });
  const low = await close({ endHobbsTime: '100.00', endTachTime: '89', reason });
  expect(low.body).toMatchObject({
    result: {
      initialValue: { endHobbsTime: '100.00', reason },
      error: {
        endHobbsTime: ['End Hobbs time must be greater than start time'],
        endTachTime: ['End Tach time must be greater than start time'],
      },
    },
  });
  expect(await findFlightLog(db, schoolId, id)).toMatchObject({ status: 'in_progress' });
  const own = await makeFlight(db, admin, await makeAircraft(db, schoolId));
  const refused = await post(`/flight-logs/${own}/close`, admin, { ...ended, reason });
  expect(refused).toMatchObject({
    status: 409,
    text: 'This flight is your own. Please complete its post-flight check.',
  });
});

describe('a form of a flight that has ended meanwhile', () => {
  const reason = 'Left for home';
  const closing = () => `/flight-logs/${id}/close`;
  const after = async (path: string, fields: Record<string, string>) => {
    const { status, $ } = await documentAfter(path, fields, await cookieOf(db, admin));
    return { status, text: textOf($('main')), links: linksIn($, 'main') };
  };
  const viewed = () => `View Flight Log → /flight-logs/${id}`;

  it('of closing on behalf keeps its notes for a squawk, shows what was typed and leads to the flight (B1690)', async () => {
    await post(`/flight-log/${id}/post-check`, pilot, ended);
    const typed = { endHobbsTime: '101.7', endTachTime: '91.4', notes: 'Flap loose', reason };
    const refused = await after(closing(), { ...typed, unsafe: 'on' });
    const says =
      '409: This flight has already been completed.What you entered was not saved:End Hobbs Time101.7End Tach Time91.4';
    expect(refused).toMatchObject({ status: 409, text: expect.stringContaining(says) });
    for (const value of Object.values(typed)) expect(refused.text).toContain(value);
    const squawk = `/airplanes/${aircraftId}/squawks/add`;
    expect(refused.links).toEqual(expect.arrayContaining([viewed(), `Report Your Notes as a Squawk → ${squawk}`]));
    const { $ } = await documentAt(squawk, await cookieOf(db, admin));
    expect(fieldsOf($, 'main form')).toMatchObject({ text: 'Flap loose', unsafe: 'on' });
  });

  it('of cancelling and of correcting says what was typed, and leads to the flight where there is one (B1690)', async () => {
    await post(`/flight-log/${id}/post-check`, pilot, ended);
    const cancelling = await after(`/flight-logs/${id}/cancel`, { reason });
    expect(cancelling).toMatchObject({ status: 409, text: expect.stringContaining(reason) });
    expect(cancelling.links).toContain(viewed());
    id = await makeFlight(db, pilot, aircraftId, { voided_at: new Date(), voided_by: pilot.id, void_reason: 'Fog' });
    for (const path of [closing(), `/flight-logs/${id}/correct`]) {
      const refused = await after(path, { ...ended, startHobbsTime: '99.5', startTachTime: '90', reason });
      expect(refused).toMatchObject({ status: 409, text: expect.stringContaining('99.5') });
      expect(refused.links).not.toContain(viewed());
    }
    const gone = await after('/flight-logs/987654/close', { reason });
    expect(gone).toMatchObject({ status: 404, text: expect.stringContaining(`Flight log not found`) });
  });
});

const cancel = (user: Member, fields: Record<string, string> = { reason: 'Fog' }) =>
  post(`/flight-logs/${id}/cancel`, user, fields);

it.each(['pilot', 'administrator'] as const)(
  'a check-out cancelled by the %s frees the aircraft and the pilot, and is audited (C09, C76)',
  async (who) => {
    const user = who === 'pilot' ? pilot : admin;
    const answer = await cancel(user);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/']);
    expect(await toastAfter(answer)).toMatchObject({ title: 'Check-out cancelled' });
    expect(await findAircraft(db, schoolId, aircraftId)).toMatchObject({ status: null, lastHobbsTime: '100.0' });
    expect(await eventsOf(db, schoolId)).toMatchObject([
      { action: 'cancelled check-out', user_id: user.id, subject_id: id, reason: 'Fog' },
    ]);
    const listed = { id, pilot: pilot.username, by: user.username, reason: 'Fog' };
    expect((await get('/flight-logs?show=cancelled', admin)).body).toMatchObject({ cancelled: [listed] });
    const again = { aircraftId, startHobbsTime: '100.0', startTachTime: '90.0' };
    const start = await answerTo(jsonRequest('POST', '/api/flight-logs', again, await cookieOf(db, pilot)));
    expect(start.status).toBe(201);
  },
);

it('a cancelled check-out is in no list but behind a filter; its aircraft stays grounded (C05, C09)', async () => {
  await db.updateTable('aircraft').set({ maintenance_since: new Date() }).where('id', '=', aircraftId).execute();
  await cancel(pilot, { reason: 'Fog over the field' });
  expect((await get('/flight-logs', admin)).body).toMatchObject({ logs: [], cancelled: null });
  expect((await get(`/flight-logs?log=${id}`, admin)).status).toBe(404);
  expect((await get('/api/flight-logs', admin)).body).toBe('[]');
  expect((await get('/api/flight-logs/open', admin)).body).toBe('[]');
  expect((await get(`/api/flight-logs/${id}`, admin)).status).toBe(404);
  expect(
    String((await get('/api/flight-logs/export', admin)).body)
      .trim()
      .split('\r\n'),
  ).toHaveLength(1);

  const shown = { tailNumber: 'N512FL', pilot: pilot.username, by: pilot.username, reason: 'Fog over the field' };
  expect((await get('/flight-logs?show=cancelled', admin)).body).toMatchObject({ cancelled: [{ id, ...shown }] });
  const elsewhere = await makeAircraft(db, schoolId);
  const filtered = await get(`/flight-logs?show=cancelled&aircraftId=${elsewhere}`, admin);
  expect(filtered.body).toMatchObject({ cancelled: [] });
  expect((await get('/flight-logs?show=cancelled', pilot)).body).toMatchObject({
    canSeeCancelled: false,
    cancelled: null,
  });
  const foreignUser = await makeUser(db, await makeSchool(db), 'administrator');
  expect((await get('/flight-logs?show=cancelled', foreignUser)).body).toMatchObject({ cancelled: [] });
  expect(await findAircraft(db, schoolId, aircraftId)).toMatchObject({ status: 'maintenance' });
});

it('cancelling another’s or a cancelled check-out is refused before the fields, such as a long reason (C09, C33)', async () => {
  const other = await makeUser(db, schoolId, 'instructor');
  const refused = { status: 403, text: 'Only the pilot who started this flight or an administrator can cancel it.' };
  expect(await cancel(other, { reason: '' })).toMatchObject(refused);
  expect(await get(`/flight-logs/${id}/cancel`, other)).toMatchObject(refused);
  for (const reason of ['', ' ', 'x'.repeat(501)]) expect((await cancel(pilot, { reason })).status).toBe(400);
  expect(await findFlightLog(db, schoolId, id)).toMatchObject({ status: 'in_progress' });
  await cancel(pilot);
  const gone = { status: 409, text: 'This check-out was cancelled.' };
  expect(await cancel(pilot, { reason: '' })).toMatchObject(gone);
  expect(await get(`/flight-logs/${id}/cancel`, pilot)).toMatchObject(gone);
  expect(await post(`/flight-log/${id}/post-check`, pilot, ended)).toMatchObject(gone);
});

it("'Set to Maintenance' in the details of a flight grounds its aircraft and returns to the flight (C77)", async () => {
  const offered = (ground: boolean) => ({ flight: { details: { permissions: { ground } } } });
  expect((await get(`/flight-logs?log=${id}`, admin)).body).toMatchObject(offered(true));
  expect((await get(`/flight-logs?log=${id}`, pilot)).body).toMatchObject(offered(false));
  const answer = await post(`/flight-logs/${id}?index`, admin, {});
  expect([answer.status, answer.headers.get('location')]).toEqual([303, `/flight-logs/${id}`]);
  expect(await toastAfter(answer)).toMatchObject({ title: 'Aircraft status updated successfully' });
  expect(await findAircraft(db, schoolId, aircraftId)).toMatchObject({
    status: 'checked_out',
    groundedOnReturn: true,
  });
  expect((await get(`/flight-logs?log=${id}`, admin)).body).toMatchObject(offered(false));
});
