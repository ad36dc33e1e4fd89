import { beforeEach, describe, expect, it } from 'vitest';
import type { FlightRow } from '#app/domain/flights/queries.server.ts';
import type { Member } from '#app/domain/actor.ts';
import { cancelCheckOut } from '#app/domain/flights/cancel-check-out.server.ts';
import { completeFlight } from '#app/domain/flights/end-flight.server.ts';
import { startFlight } from '#app/domain/flights/start-flight.server.ts';
import { correctFlight, previewCorrection } from '#app/domain/flights/correction/correct-flight.server.ts';
import { findFlightDetails } from '#app/domain/flights/details/find-flight-details.server.ts';
import { findLastReadings } from '#app/domain/aircraft/queries.server.ts';
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

const flightOf = <Column extends keyof FlightRow>(flightId: number, ...columns: Column[]) =>
  db.selectFrom('flight_logs').select(columns).where('id', '=', flightId).executeTakeFirstOrThrow();

const times = () =>
  db.selectFrom('flight_logs').select(['completed_at', 'voided_at']).where('id', '=', id).executeTakeFirstOrThrow();

it.each([
  [
    'a check-in by call',
    () => pilot,
    (cookie: string) => jsonRequest('POST', `/api/flight-logs/${id}/complete`, ends, cookie),
  ],
  ['a check-in by form', () => pilot, (cookie: string) => formRequest(`/flight-log/${id}/post-check`, ends, cookie)],
  [
    'closing on behalf',
    () => admin,
    (cookie: string) => formRequest(`/flight-logs/${id}/close`, { ...ends, reason: 'Left' }, cookie),
  ],
])('%s ends a flight that began ahead of a clock that was set back (B507)', async (_, who, request) => {
  expect([200, 303]).toContain((await answerTo(request(await cookieOf(db, who())))).status);
  expect((await times()).completed_at).toEqual(AHEAD);
});

it('a check-out that began ahead of a clock that was set back is cancelled no earlier than it began (B507)', async () => {
  await cancelCheckOut(db, pilot, id, { reason: 'Fog' });
  expect((await times()).voided_at).toEqual(AHEAD);
});

describe('a flight that began after the clock was set back', () => {
  /** Started by the clock before the flight ahead, and after it by the meters and in truth. */
  let later: number;
  beforeEach(async () => {
    const { aircraft_id: aircraftId } = await flightOf(id, 'aircraft_id');
    await completeFlight(db, pilot, id, ends);
    later = (await startFlight(db, pilot, { aircraftId, startHobbsTime: '101.2', startTachTime: '91.0' })).id;
    await completeFlight(db, pilot, later, laterEnds);
  });

  const laterEnds = { endHobbsTime: '102.0', endTachTime: '91.6' };
  const correct = (flightId: number, endHobbsTime: string, by: Member) =>
    correctFlight(db, by, flightId, { endHobbsTime, reason: 'Misread' });
  const lastHobbs = async () => {
    const { aircraft_id: aircraftId } = await flightOf(id, 'aircraft_id');
    return (await findLastReadings(db, pilot.schoolId, aircraftId)).hobbs?.value;
  };

  it('moves the last reading when its pilot corrects it, who may not correct the one ahead of the clock (B1200)', async () => {
    await expect(correct(id, '101.3', pilot)).rejects.toMatchObject({ code: 'conflict' });
    expect(await correct(later, '102.5', pilot)).toMatchObject({ endHobbsTime: '102.5' });
    expect(await lastHobbs()).toBe('102.5');
  });

  it('is the next flight of the one ahead of the clock, in its corrections and on its page (B1200)', async () => {
    const { effects } = await previewCorrection(db, admin, id, { endHobbsTime: '101.1', reason: 'Misread' });
    const changed = Object.fromEntries(effects.map(({ what, after }) => [what, after]));
    expect(changed['Hobbs until the next flight']).toBe('0.1 h not logged');
    expect(changed['Last Hobbs of the aircraft']).toBe('102.0 (unchanged)');
    const details = await findFlightDetails(db, admin.schoolId, id);
    expect([details?.neighbours.previous, details?.neighbours.next?.id]).toEqual([null, later]);
    // Also where a past flight was entered before both.
    const { aircraft_id: aircraftId, created_at: start } = await flightOf(later, 'aircraft_id', 'created_at');
    const [created_at, completed_at] = [7_200_000, 3_600_000].map((ms) => new Date(start.getTime() - ms));
    const readings = { start_hobbs: '98.0', start_tach: '88.0', end_hobbs: '99.0', end_tach: '89.0' };
    const entered = { entered_at: new Date(), entered_by: admin.id, entry_reason: 'On paper' };
    const past = await makeFlight(db, pilot, aircraftId, { created_at, completed_at, ...readings, ...entered });
    const previousOf = async (flight: number) =>
      (await findFlightDetails(db, admin.schoolId, flight))?.neighbours.previous?.id;
    expect([await previousOf(past), await previousOf(id), await previousOf(later)]).toEqual([undefined, past, id]);
  });

  it('has its corrected end as the last reading once the check-out after it is cancelled (B1200)', async () => {
    const { aircraft_id: aircraftId } = await flightOf(later, 'aircraft_id');
    const open = await makeFlight(db, admin, aircraftId, { start_hobbs: '102.0', start_tach: '91.6' });
    await correct(later, '102.5', admin);
    expect(await lastHobbs()).toBe('102.0');
    await cancelCheckOut(db, admin, open, { reason: 'Fog' });
    expect(await lastHobbs()).toBe('102.5');
  });
});
