import { beforeEach, describe, expect, it } from 'vitest';
import type { Member } from '#app/domain/actor.ts';
import { testDatabase } from '#tests/support/database.ts';
import { makeFlight } from '#tests/support/flight.ts';
import { cookieOf, formRequest, jsonRequest } from '#tests/support/requests.ts';
import { answerTo } from '#tests/support/routes.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';
import { nightly } from '#tests/support/takes-all.ts';

const { db } = await testDatabase();

let schoolId: number;
let admin: Member;
let pilot: Member;
let cookies: { admin: string; pilot: string };
beforeEach(async () => {
  schoolId = await makeSchool(db);
  admin = await makeUser(db, schoolId, 'administrator');
  pilot = await makeUser(db, schoolId);
  cookies = { admin: await cookieOf(db, admin), pilot: await cookieOf(db, pilot) };
});

const keep = (typedForm: string, fields: Record<string, string>, cookie: string) =>
  post('/drafts', { typedForm, ...fields }, cookie);
const post = (path: string, fields: Record<string, string>, cookie: string) =>
  answerTo(formRequest(path, fields, cookie));
const send = (path: string, body: unknown, cookie: string) => answerTo(jsonRequest('POST', path, body, cookie));
const draftsOf = (user: Member) =>
  db.selectFrom('drafts').select(['form', 'body']).where('user_id', '=', user.id).execute();

describe('the draft of a check-in', () => {
  const ends = { endHobbsTime: '101.2', endTachTime: '91.0' };
  let id: number;
  beforeEach(async () => {
    id = await makeFlight(db, pilot, await makeAircraft(db, schoolId));
    await keep(`/flight-log/${id}/post-check#check-in`, { notes: 'Flat tyre' }, cookies.pilot);
    expect(await draftsOf(pilot)).toHaveLength(1);
  });

  it.each<[string, () => ReturnType<typeof answerTo>, number]>([
    ['completed by the form', () => post(`/flight-log/${id}/post-check`, ends, cookies.pilot), 303],
    ['completed by the call', () => send(`/api/flight-logs/${id}/complete`, ends, cookies.pilot), 200],
    ['closed on behalf', () => post(`/flight-logs/${id}/close`, { ...ends, reason: 'Left' }, cookies.admin), 303],
    ['cancelled by its pilot', () => post(`/flight-logs/${id}/cancel`, { reason: 'Fog' }, cookies.pilot), 303],
    ['cancelled by an administrator', () => post(`/flight-logs/${id}/cancel`, { reason: 'Fog' }, cookies.admin), 303],
  ])('the draft of a check-in is gone once its flight is %s (C56)', async (_, end, status) => {
    expect((await end()).status).toBe(status);
    expect(await draftsOf(pilot)).toEqual([]);
  });

  nightly('the draft of a check-in stays while its flight cannot be completed (C56)', async () => {
    expect((await send(`/api/flight-logs/${id}/complete`, { ...ends, endHobbsTime: '1' }, cookies.pilot)).status).toBe(
      400,
    );
    expect(await draftsOf(pilot)).toHaveLength(1);
  });
});

describe('the draft of a check-out', () => {
  it('the draft of a check-out is gone once a flight is started by the call (C56)', async () => {
    const aircraftId = await makeAircraft(db, schoolId);
    await keep('/flight-log#read-meters', { aircraftId: String(aircraftId), startHobbsTime: '12' }, cookies.pilot);
    expect(await draftsOf(pilot)).toHaveLength(1);
    await send('/api/flight-logs', { aircraftId, startHobbsTime: '100.0', startTachTime: '90.0' }, cookies.pilot);
    expect(await draftsOf(pilot)).toEqual([]);
  });
});

describe('a user who is deleted', () => {
  it('a deleted user leaves no drafts, and those of others stay (C13, C56)', async () => {
    const other = await makeUser(db, schoolId);
    const typed = { aircraftId: '1', startHobbsTime: '12' };
    await keep('/flight-log#read-meters', typed, cookies.pilot);
    await keep('/flight-log#read-meters', typed, await cookieOf(db, other));
    await post('/users?index', { intent: 'delete-user', userId: String(pilot.id) }, cookies.admin);
    expect([await draftsOf(pilot), await draftsOf(other)]).toEqual([
      [],
      [expect.objectContaining({ form: '/flight-log#read-meters' })],
    ]);
  });
});
