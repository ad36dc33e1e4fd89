import { beforeEach, expect, it } from 'vitest';
import type { Member } from '#app/domain/actor.ts';
import { cancelCheckOut } from '#app/domain/flights/cancel-check-out.server.ts';
import { testDatabase } from '#tests/support/database.ts';
import { makeFlight } from '#tests/support/flight.ts';
import { cookieOf, formRequest, jsonRequest } from '#tests/support/requests.ts';
import { answerTo } from '#tests/support/routes.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';

const { db } = await testDatabase();

/** A flight that began an hour ahead of the clock, which was set back since. */
const AHEAD = new Date(Date.now() + 3_600_000);
const ends = { endHobbsTime: '101.2', endTachTime: '91.0' };

let pilot: Member;
let admin: Member;
let id: number;
beforeEach(async () => {
  const schoolId = await makeSchool(db);
  admin = await makeUser(db, schoolId, 'administrator');
  pilot = await makeUser(db, schoolId);
  id = await makeFlight(db, pilot, await makeAircraft(db, schoolId), { created_at: AHEAD });
});

const times = () =>
  db.selectFrom('flight_logs').select(['completed_at', 'voided_at']).where('id', '=', id).executeTakeFirstOrThrow();

it('a check-in by call ends a flight that began ahead of a clock that was set back (B507)', async () => {
  const answer = await answerTo(
    jsonRequest('POST', `/api/flight-logs/${id}/complete`, ends, await cookieOf(db, pilot)),
  );
  expect(answer.status).toBe(200);
  expect((await times()).completed_at).toEqual(AHEAD);
});

it('a check-in by form ends a flight that began ahead of a clock that was set back (B507)', async () => {
  const answer = await answerTo(formRequest(`/flight-log/${id}/post-check`, ends, await cookieOf(db, pilot)));
  expect(answer.status).toBe(303);
  expect((await times()).completed_at).toEqual(AHEAD);
});

it('closing on behalf ends a flight that began ahead of a clock that was set back (B507)', async () => {
  const fields = { ...ends, reason: 'Left' };
  const answer = await answerTo(formRequest(`/flight-logs/${id}/close`, fields, await cookieOf(db, admin)));
  expect(answer.status).toBe(303);
  expect((await times()).completed_at).toEqual(AHEAD);
});

it('a check-out that began ahead of a clock that was set back is cancelled no earlier than it began (B507)', async () => {
  await cancelCheckOut(db, pilot, id, { reason: 'Fog' });
  expect((await times()).voided_at).toEqual(AHEAD);
});
