import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { cancelCheckOut } from '#app/domain/flights/cancel-check-out.server.ts';
import { findFlightDetails } from '#app/domain/flights/details/find-flight-details.server.ts';
import { enterPastFlight } from '#app/domain/flights/past/enter-past-flight.server.ts';
import type { PastFlightInput } from '#app/domain/flights/past/past-flight-schema.server.ts';
import { nextReadingMismatchText, meterAroundPastFlight } from '#app/domain/flights/past/review-past-flight.server.ts';
import { testDatabase } from '#tests/support/database.ts';
import { completed, makeFlight } from '#tests/support/flight.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';

const { db } = await testDatabase();
const schoolId = await makeSchool(db, { time_zone: 'America/Los_Angeles' });
const admin = { ...(await makeUser(db, schoolId, 'administrator', 'ada')), timeZone: 'America/Los_Angeles' };
const pilot = await makeUser(db, schoolId, 'student');

const asked = { isConfirmed: false, isInstructionConfirmed: false };
const reason = 'The tablet was empty';

/** Of the 12th of May, from 10:00 to 11:00 at the school. */
function flown(aircraftId: number, more: Partial<PastFlightInput> = {}): PastFlightInput {
  return {
    ...{ aircraftId, pilotId: pilot.id, reason },
    ...{ departedAt: '2026-05-12T10:00', landedAt: '2026-05-12T11:00' },
    ...{ startHobbsTime: '101.2', endHobbsTime: '102.2', startTachTime: '91.0', endTachTime: '91.8' },
    ...more,
  };
}

const lastReadings = (id: number) =>
  db.selectFrom('aircraft').select(['last_hobbs', 'last_tach']).where('id', '=', id).executeTakeFirstOrThrow();

/** An aircraft added long ago, whose last flight ended with 101.2 and 91.0. */
async function flownAircraft(): Promise<number> {
  const id = await makeAircraft(db, schoolId, {
    created_at: new Date('2020-01-01T00:00:00Z'),
    ...{ last_hobbs: '101.2', last_hobbs_at: new Date('2026-05-11T12:00:00Z') },
    ...{ last_tach: '91.0', last_tach_at: new Date('2026-05-11T12:00:00Z') },
  });
  const other = await makeUser(db, schoolId);
  await makeFlight(db, other, id, completed('2026-05-11T10:00:00Z', '2026-05-11T12:00:00Z'));
  return id;
}

describe('a past flight', () => {
  it('is a completed flight at the school time given, with who entered it and why (B893)', async () => {
    const aircraftId = await flownAircraft();
    const fuelRecords = [{ refueled: true, oilAdded: true, oilQuantity: 1.5, notes: 'Full' }];
    const input = flown(aircraftId, { fuelRecords, notes: 'Left brake soft' });
    const log = await enterPastFlight(db, admin, input, 'once', asked);
    expect(log).toMatchObject({
      status: 'completed',
      ...{ createdAt: '2026-05-12T17:00:00.000Z', completedAt: '2026-05-12T18:00:00.000Z' },
      ...{ user: { id: pilot.id }, hobbsHours: '1.00', tachHours: '0.80', notes: 'Left brake soft', readingFlags: [] },
      fuelRecords: [{ refueled: true, oilAdded: true, oilQuantity: 1.5, notes: 'Full' }],
    });
    const entered = { by: { username: 'ada' }, reason };
    expect((await findFlightDetails(db, schoolId, log.id))?.recorded.entered).toMatchObject(entered);
    const entry = { action: 'entered past flight', subject_id: log.id, reason };
    const audit = db.selectFrom('audit_entries').select(['action', 'subject_id', 'reason']);
    expect(await audit.where('user_id', '=', admin.id).where('subject_id', '=', log.id).execute()).toEqual([entry]);
    expect(await db.selectFrom('mail_outbox').selectAll().where('school_id', '=', schoolId).execute()).toEqual([]);
    expect(await db.selectFrom('squawks').selectAll().where('aircraft_id', '=', aircraftId).execute()).toEqual([]);
    expect((await enterPastFlight(db, admin, input, 'once', asked)).id).toBe(log.id);
    // Never in the future, whoever writes the row.
    const later = sql`update flight_logs set completed_at = entered_at + interval '1 second' where id = ${log.id}`;
    await expect(later.execute(db)).rejects.toMatchObject({ constraint: 'flight_logs_entered_after_landing' });
  });

  it('is refused where it cannot have been so, whether or not odd readings are asked about (B893)', async () => {
    const stranger = await makeUser(db, await makeSchool(db));
    const aircraftId = await flownAircraft();
    const wrongs: [Partial<PastFlightInput>, field: string][] = [
      [{ landedAt: '2026-05-12T10:00' }, 'landedAt'],
      [{ landedAt: '2999-05-12T10:00' }, 'landedAt'],
      [{ departedAt: '1926-05-12T10:00' }, 'departedAt'],
      [{ endTachTime: '90.9' }, 'endTachTime'],
      [{ pilotId: stranger.id }, 'pilotId'],
      [{ instructorId: pilot.id }, 'instructorId'],
      // Odd readings of no time at all.
      [{ landedAt: '2026-05-12T10:00', startHobbsTime: '1.2' }, 'landedAt'],
    ];
    for (const [wrong, field] of wrongs) {
      const refused = (options?: typeof asked) =>
        enterPastFlight(db, admin, flown(aircraftId, wrong), undefined, options).catch((thrown: unknown) => thrown);
      const error = await refused();
      expect(await refused(asked)).toEqual(error);
      expect(error).toMatchObject({ code: 'invalid' });
      expect(error).toHaveProperty('fields', { [field]: expect.any(String) });
    }
  });

  it('overlaps no flight of its aircraft or its pilot, but may begin where one ends (B894)', async () => {
    const aircraftId = await flownAircraft();
    const { id: pilotId } = await makeUser(db, schoolId);
    const { id } = await enterPastFlight(db, admin, flown(aircraftId, { pilotId }));
    const within = { departedAt: '2026-05-12T10:59', landedAt: '2026-05-12T11:30' };
    const other = await makeUser(db, schoolId);
    const enter = (aircraft: number, columns: Partial<PastFlightInput>) =>
      enterPastFlight(db, admin, flown(aircraft, columns));
    const text = `This aircraft was on flight #${id} then, from 12 May 2026, 10:00 PDT until 12 May 2026, 11:00 PDT.`;
    const conflict = { code: 'conflict', fields: { aircraftId: text } };
    await expect(enter(aircraftId, { ...within, pilotId: other.id })).rejects.toMatchObject(conflict);
    const fields = { pilotId: expect.stringContaining(`This pilot was on flight #${id} then`) };
    await expect(enter(await flownAircraft(), { ...within, pilotId })).rejects.toMatchObject({ fields });
    const after = { departedAt: '2026-05-12T11:00', landedAt: '2026-05-12T11:30' };
    const hobbs = { startHobbsTime: '102.2', endHobbsTime: '102.7' };
    await enter(aircraftId, { ...after, ...hobbs, pilotId, startTachTime: '91.8', endTachTime: '92.2' });
    await enter(aircraftId, { departedAt: '2026-05-12T09:30', landedAt: '2026-05-12T10:00', pilotId });
  });

  it('overlaps no flight that is not checked in, and two entries at once are not both accepted (B894)', async () => {
    const flying = await makeUser(db, schoolId);
    await makeFlight(db, flying, await makeAircraft(db, schoolId), { created_at: new Date('2026-05-12T17:30:00Z') });
    const open = enterPastFlight(db, admin, flown(await flownAircraft(), { pilotId: flying.id }));
    await expect(open).rejects.toMatchObject({ code: 'conflict' });
    const twice = await makeUser(db, schoolId);
    const entries = [await flownAircraft(), await flownAircraft()].map((aircraftId) =>
      enterPastFlight(db, admin, flown(aircraftId, { pilotId: twice.id })),
    );
    const results = await Promise.allSettled(entries);
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });

  it('moves the last readings where it is the newest, each meter against the time of its own last one (B896)', async () => {
    const aircraftId = await flownAircraft();
    const one = await makeUser(db, schoolId);
    await enterPastFlight(db, admin, flown(aircraftId, { pilotId: one.id }), undefined, asked);
    expect(await lastReadings(aircraftId)).toEqual({ last_hobbs: '102.2', last_tach: '91.8' });
    const times = { departedAt: '2026-05-13T10:00', landedAt: '2026-05-13T11:00', pilotId: one.id };
    const hobbs = { startHobbsTime: '102.2', endHobbsTime: '103.2' };
    const second = flown(aircraftId, { ...times, ...hobbs, startTachTime: '91.8', endTachTime: '92.6' });
    await enterPastFlight(db, admin, second, undefined, asked);
    expect(await lastReadings(aircraftId)).toEqual({ last_hobbs: '103.2', last_tach: '92.6' });
    const id = await flownAircraft();
    const saved = {
      ...{ last_hobbs: '110.0', last_hobbs_at: new Date('2026-05-14T12:00:00Z') },
      ...{ last_tach: '91.5', last_tach_at: new Date('2026-05-11T15:00:00Z') },
    };
    await db.updateTable('aircraft').set(saved).where('id', '=', id).execute();
    const { id: pilotId } = await makeUser(db, schoolId);
    await enterPastFlight(db, admin, flown(id, { pilotId, startTachTime: '91.5', endTachTime: '92.3' }));
    expect(await lastReadings(id)).toEqual({ last_hobbs: '110.0', last_tach: '92.3' });
  });

  it('before other flights keeps the last readings, and asks where it does not fit the one before or after (B896)', async () => {
    const aircraftId = await flownAircraft();
    const later = completed('2026-05-20T10:00:00Z', '2026-05-20T11:00:00Z');
    const people = [await makeUser(db, schoolId), await makeUser(db, schoolId)] as const;
    const readings = { start_hobbs: '102.0', start_tach: '91.8', end_hobbs: '103.0', end_tach: '92.6' };
    await makeFlight(db, people[0], aircraftId, { ...later, ...readings });
    const input = flown(aircraftId, { pilotId: people[1].id, startTachTime: '90.5', endTachTime: '91.3' });
    await expect(enterPastFlight(db, admin, input, undefined, asked)).rejects.toMatchObject({
      fields: {
        endHobbsTime: 'Higher than the start of the next flight (102.0).',
        startTachTime: 'Lower than the last recorded reading (91.0).',
        endTachTime: '0.5 h not logged until the start of the next flight (91.8).',
        readAgain: expect.any(String),
      },
    });
    const { readingFlags } = await enterPastFlight(db, admin, input);
    expect(readingFlags).toMatchObject([{ meter: 'tachometer', at: 'start', kind: 'below' }]);
    expect(await lastReadings(aircraftId)).toEqual({ last_hobbs: '101.2', last_tach: '91.0' });
  });

  it('entered while its aircraft is out sets the last readings once that check-out is cancelled (B896)', async () => {
    const aircraftId = await flownAircraft();
    const out = await makeUser(db, schoolId);
    const open = await makeFlight(db, out, aircraftId, { start_hobbs: '102.2', start_tach: '91.8' });
    const before = await makeUser(db, schoolId);
    await enterPastFlight(db, admin, flown(aircraftId, { pilotId: before.id }), undefined, asked);
    expect(await lastReadings(aircraftId)).toEqual({ last_hobbs: '101.2', last_tach: '91.0' });
    await cancelCheckOut(db, admin, open, { reason: 'Fog' });
    expect(await lastReadings(aircraftId)).toEqual({ last_hobbs: '102.2', last_tach: '91.8' });
  });
});

describe('a meter around a past flight', () => {
  const around = { previousEnd: '100', changesBefore: [], nextStart: null, changesAfter: [], last: '100' };
  const [before, departed, landed, after] = [9, 10, 11, 12].map((hour) => new Date(Date.UTC(2026, 4, 12, hour)));
  const place = (more: object) =>
    meterAroundPastFlight(
      { ...around, lastAt: after ?? new Date(), ...more },
      departed ?? new Date(),
      landed ?? new Date(),
    );

  it('stood where the flight before ended, unless a reading was saved since, or the meter was replaced (B896)', () => {
    expect(place({})).toEqual({ before: '100', after: null, becomesLast: true });
    expect(place({ last: '100.3', lastAt: before })).toEqual({ before: '100.3', after: null, becomesLast: true });
    const during = new Date(Date.UTC(2026, 4, 12, 10, 30));
    expect(place({ last: '100.3', lastAt: during })).toEqual({ before: '100', after: null, becomesLast: true });
    expect(place({ changesBefore: [{ oldLast: '100', newFirst: '0' }] }).before).toBe('0');
    expect(place({ previousEnd: null, last: null })).toEqual({ before: null, after: null, becomesLast: true });
  });

  it('went on from the end to the next flight, a saved reading or the last of a replaced meter (B896)', () => {
    const saved = { reading: '102', of: 'last recorded reading' };
    expect(place({ last: '102' })).toEqual({ before: '100', after: saved, becomesLast: false });
    expect(place({ nextStart: '101' })).toMatchObject({ after: { reading: '101' }, becomesLast: false });
    const changed = place({ changesAfter: [{ oldLast: '101.5', newFirst: '0' }], nextStart: '3' });
    expect(changed).toMatchObject({ after: { reading: '101.5' }, becomesLast: false });
    expect(nextReadingMismatchText('101.9', saved)).toBeUndefined();
    expect(nextReadingMismatchText('102', saved)).toBeUndefined();
    expect(nextReadingMismatchText('102.1', saved)).toBe('Higher than the last recorded reading (102).');
    expect(nextReadingMismatchText('101.8', saved)).toBe('0.2 h not logged until the last recorded reading (102).');
    expect(nextReadingMismatchText('9', null)).toBeUndefined();
  });
});
