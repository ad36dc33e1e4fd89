import { beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { makeAircraft, makeFlight, makeSchool, makeUser, type Member, testDatabase } from '#tests/support/makers.ts';
import { answerWithText, cookieOf, formRequest, getRequest, toastAfter } from '#tests/support/ask.ts';
import { documentAt, nightly } from '#tests/support/pages.ts';
import { findAircraft, findLastReadings } from '#app/domain/aircraft/queries.server.ts';
import { cancelCheckOut } from '#app/domain/flights/cancel-check-out.server.ts';
import { findFlightLog } from '#app/domain/flights/queries.server.ts';
import type { NewRow } from '#db/tables.ts';
import { eventsOf } from '#tests/support/audit.ts';

const { db } = await testDatabase();
const HOUR = 60 * 60 * 1000;

let schoolId: number, admin: Member, pilot: Member, aircraftId: number, first: number, second: number;
// Two flights, one after the other; the aircraft stands where the second one left it.
beforeEach(async () => {
  schoolId = await makeSchool(db);
  admin = await makeUser(db, schoolId, 'administrator');
  pilot = await makeUser(db, schoolId);
  aircraftId = await makeAircraft(db, schoolId, { tail_number: 'N512FL', last_hobbs: '103.0', last_tach: '92.5' });
  first = await makeFlight(db, pilot, aircraftId, flown(5, ['100.0', '101.2'], ['90.0', '91.0']));
  second = await makeFlight(db, pilot, aircraftId, flown(2, ['101.2', '103.0'], ['91.0', '92.5']));
});

function flown(hoursAgo: number, hobbs: [string, string], tach: [string, string]): Partial<NewRow<'flight_logs'>> {
  return {
    ...{ start_hobbs: hobbs[0], end_hobbs: hobbs[1], start_tach: tach[0], end_tach: tach[1] },
    created_at: new Date(Date.now() - (hoursAgo + 1) * HOUR),
    completed_at: new Date(Date.now() - hoursAgo * HOUR),
  };
}

const asSecond = { startHobbsTime: '101.2', endHobbsTime: '103.0', startTachTime: '91.0', endTachTime: '92.5' };
const reason = 'Misread the drum';
const get = async (path: string, user: Member) => answerWithText(getRequest(path, await cookieOf(db, user)));
const post = async (id: number, user: Member, fields: Record<string, string>) =>
  answerWithText(formRequest(`/flight-logs/${id}/correct`, { reason, ...fields }, await cookieOf(db, user)));
const previewed = z.object({
  preview: z.object({
    digest: z.string(),
    effects: z.array(z.object({ what: z.string(), before: z.string(), after: z.string() })),
  }),
});

async function preview(id: number, user: Member, fields: Record<string, string>) {
  const { body } = await post(id, user, { intent: 'preview', ...fields });
  const { digest, effects } = previewed.parse(body).preview;
  return { digest, effects: effects.map(({ what, before, after }) => `${what}: ${before} -> ${after}`) };
}

async function correct(id: number, user: Member, fields: Record<string, string>) {
  const { digest } = await preview(id, user, fields);
  return post(id, user, { intent: 'save', seen: digest, ...fields });
}

const lastReadings = async () => {
  const { lastHobbsTime, lastTachTime } = (await findAircraft(db, schoolId, aircraftId)) ?? {};
  return [lastHobbsTime, lastTachTime];
};
const revisionsOf = (id: number) =>
  db.selectFrom('flight_log_revisions').selectAll().where('flight_log_id', '=', id).orderBy('id').execute();

it('a correction is previewed with its effects, then stored, shown, audited and marked in the export (C10, C76)', async () => {
  const { effects } = await preview(first, admin, { ...asFirst(), endHobbsTime: '101.0', startTachTime: '90.2' });
  expect(effects).toEqual([
    ...['Hobbs End: 101.2 -> 101.0', 'Hobbs Hours: 1.2 -> 1.0'],
    'Hobbs until the next flight: No gap -> 0.2 h not logged',
    ...['Last Hobbs of the aircraft: 103.0 -> 103.0 (unchanged)', 'Tach Start: 90.0 -> 90.2'],
    'Tach Hours: 1.0 -> 0.8',
  ]);
  expect(
    (await preview(second, admin, { ...asSecond, startHobbsTime: '101.1', endHobbsTime: '102.8' })).effects,
  ).toEqual([
    ...['Hobbs Start: 101.2 -> 101.1', 'Hobbs End: 103.0 -> 102.8', 'Hobbs Hours: 1.8 -> 1.7'],
    ...['Hobbs since the flight before: No gap -> 0.1 h logged twice', 'Last Hobbs of the aircraft: 103.0 -> 102.8'],
  ]);
  expect(await revisionsOf(first)).toEqual([]);
  expect(await findFlightLog(db, schoolId, second)).toMatchObject({ ...asSecond, corrected: false });
  const answer = await correct(second, admin, { ...asSecond, endHobbsTime: '102.8', endTachTime: '92,4' });
  expect([answer.status, answer.headers.get('location')]).toEqual([303, `/flight-logs/${second}`]);
  expect(await toastAfter(answer)).toMatchObject({ title: 'Flight corrected' });
  const by = { user_id: admin.id, reason, created_at: expect.any(Date) };
  expect(await revisionsOf(second)).toMatchObject([
    { field: 'end_hobbs', old_value: '103.0', new_value: '102.8', ...by },
    { field: 'end_tach', old_value: '92.5', new_value: '92.4', ...by },
  ]);
  expect(await findFlightLog(db, schoolId, second)).toMatchObject({
    endHobbsTime: '102.8',
    endTachTime: '92.4',
    corrected: true,
  });
  expect(await eventsOf(db, schoolId)).toMatchObject([
    {
      action: 'corrected readings',
      subject_id: second,
      before: { end_hobbs: '103.0', end_tach: '92.5' },
      after: { end_hobbs: '102.8', end_tach: '92.4' },
      reason,
    },
  ]);
  await correct(second, admin, { ...asSecond, endHobbsTime: '102.9', endTachTime: '92.4' });
  const { body } = await get(`/flight-logs?log=${second}`, pilot);
  const revision = { what: 'Hobbs End', reason, by: admin.username, at: { text: expect.stringMatching(/UTC$/) } };
  expect(body).toMatchObject({
    flight: {
      details: {
        revisions: [
          { ...revision, before: '103.0', after: '102.8' },
          { what: 'Tach End', before: '92.5', after: '92.4' },
          { ...revision, before: '102.8', after: '102.9' },
        ],
      },
    },
  });
  const csv = String((await get('/api/flight-logs/export', admin)).body)
    .split('\r\n')
    .map((line) => line.split(','));
  const column = csv[0]?.indexOf('corrected') ?? -1;
  expect(csv.slice(1, 3).map((line) => line[column])).toEqual(['y', 'n']);
});

nightly('a correction of the newest flight alone changes the last readings (C10, C46)', async () => {
  await correct(first, admin, { ...asFirst(), endHobbsTime: '101.0' });
  expect(await lastReadings()).toEqual(['103.0', '92.5']);
  await correct(second, admin, { ...asSecond, endHobbsTime: '102.8' });
  expect(await lastReadings()).toEqual(['102.8', '92.5']);
  await db.updateTable('aircraft').set({ last_hobbs: '103.4' }).where('id', '=', aircraftId).execute();
  await correct(second, admin, { ...asSecond, endHobbsTime: '102.8', endTachTime: '92.4' });
  expect(await lastReadings()).toEqual(['103.4', '92.4']);
});

nightly('a correction is saved only as previewed, of the newest flight (C10)', async () => {
  const voided = { voided_at: new Date(), voided_by: admin.id, void_reason: 'Fog' };
  await makeFlight(db, pilot, aircraftId, { start_hobbs: '103.0', start_tach: '92.5', ...voided });
  await correct(second, admin, { ...asSecond, endHobbsTime: '102.8' });
  expect(await findAircraft(db, schoolId, aircraftId)).toMatchObject({ lastHobbsTime: '102.8' });
  await makeFlight(db, pilot, aircraftId, { start_hobbs: '102.8', start_tach: '92.5' });
  await correct(second, admin, { ...asSecond, endHobbsTime: '102.6' });
  expect(await findAircraft(db, schoolId, aircraftId)).toMatchObject({ lastHobbsTime: '102.8' });
  const fields = { ...asSecond, endHobbsTime: '102.5' };
  const { digest } = await preview(second, admin, fields);
  const lookAgain = {
    status: 409,
    text: 'What you are about to change is not what was shown. Please look at it once more.',
  };
  expect(await post(second, admin, { intent: 'save', ...fields })).toMatchObject(lookAgain);
  expect(await post(second, admin, { intent: 'save', seen: digest, ...fields, endHobbsTime: '102.7' })).toMatchObject(
    lookAgain,
  );
  await db.deleteFrom('flight_logs').where('aircraft_id', '=', aircraftId).where('completed_at', 'is', null).execute();
  expect(await post(second, admin, { intent: 'save', seen: digest, ...fields })).toMatchObject(lookAgain);
  expect(await revisionsOf(second)).toHaveLength(2);
});

it('an end corrected during a cancelled check-out is the last reading, unless another was saved (B671, C09, C10)', async () => {
  const cancelled = async (corrections: string[]) => {
    const open = await makeFlight(db, pilot, aircraftId, { start_hobbs: '102.8', start_tach: '92.5' });
    for (const endHobbsTime of corrections) await correct(second, admin, { ...asSecond, endHobbsTime });
    await cancelCheckOut(db, pilot, open, { reason: 'Fog' });
    const { hobbs, tach } = await findLastReadings(db, schoolId, aircraftId);
    return [hobbs?.value, hobbs?.by, tach?.value];
  };
  const saved = { last_hobbs_at: new Date(), last_hobbs_by: pilot.id };
  await db.updateTable('aircraft').set(saved).where('id', '=', aircraftId).execute();
  expect(await cancelled(['102.7', '102.8'])).toEqual(['102.8', admin.username, '92.5']);
  expect(await cancelled([])).toEqual(['102.8', admin.username, '92.5']);
  const later = { last_hobbs: '103.0', last_hobbs_at: new Date(), last_hobbs_by: pilot.id };
  await db.updateTable('aircraft').set(later).where('id', '=', aircraftId).execute();
  expect(await cancelled([])).toEqual(['103.0', pilot.username, '92.5']);
  expect(await cancelled(['102.6'])).toEqual(['103.0', pilot.username, '92.5']);
});

it('the flags of a start reading follow its correction, and stay at one of the end (C06, C10)', async () => {
  const flags = JSON.stringify([{ at: 'start', meter: 'hobbs', kind: 'gap', last: '101.2', reading: '102.0' }]);
  await db
    .updateTable('flight_logs')
    .set({ start_hobbs: '102.0', reading_flags: flags })
    .where('id', '=', second)
    .execute();
  await correct(second, admin, { ...asSecond, startHobbsTime: '101.2' });
  expect(await findFlightLog(db, schoolId, second)).toMatchObject({ readingFlags: [] });
  await correct(second, admin, { ...asSecond, readAgain: 'on', startHobbsTime: '101.0' });
  const readingFlags = [{ meter: 'hobbs', kind: 'below', last: '101.2' }];
  expect(await findFlightLog(db, schoolId, second)).toMatchObject({ readingFlags });
  await correct(second, admin, { ...asSecond, startHobbsTime: '101.0', endHobbsTime: '102.9' });
  expect(await findFlightLog(db, schoolId, second)).toMatchObject({ endHobbsTime: '102.9', readingFlags });
});

nightly('the form of a correction has the times that were stated alone (C10)', async () => {
  const timesAt = async () => {
    const { $ } = await documentAt(`/flight-logs/${second}/correct`, await cookieOf(db, admin));
    return ['departedAt', 'landedAt'].map((name) => $(`input[name=${name}]`).val() ?? '');
  };
  expect(await timesAt()).toEqual(['', '']);
  const stated = { departed_at: new Date(Date.now() - 2.9 * HOUR), landed_at: new Date(Date.now() - 2.1 * HOUR) };
  await db.updateTable('flight_logs').set(stated).where('id', '=', second).execute();
  expect(await timesAt()).toEqual([expect.stringMatching(/T\d\d:\d\d$/), expect.stringMatching(/T\d\d:\d\d$/)]);
});

it('a correction needs a reason, valid readings, ends above starts, and something that changes (C10)', async () => {
  const errorsOf = async (fields: Record<string, string>) => {
    const { status, body } = await post(second, admin, { ...asSecond, ...fields });
    expect(status).toBe(400);
    return z.object({ result: z.object({ error: z.record(z.string(), z.array(z.string())) }) }).parse(body).result
      .error;
  };
  expect(await errorsOf({ reason: ' ', endHobbsTime: '' })).toEqual({
    reason: ['Please give a reason'],
    endHobbsTime: ['End Hobbs time is required'],
  });
  expect(await errorsOf({ startTachTime: '92.50' })).toEqual({
    endTachTime: ['End Tach time must be greater than start time'],
  });
  expect(await errorsOf({ endHobbsTime: '103.00' })).toEqual({
    '': ['This is the flight as it stands. Please change what is wrong.'],
  });
});

const fields = { ...asSecond, endHobbsTime: '102.8' };
const tooLate =
  "A pilot can correct their last flight until the aircraft's next check-out, at most 48 hours. Please ask an administrator.";
const offered = async (user: Member, id = second) => {
  const { body } = await get(`/flight-logs?log=${id}`, user);
  return z
    .object({ flight: z.object({ details: z.object({ permissions: z.object({ correct: z.boolean() }) }) }) })
    .parse(body).flight.details.permissions.correct;
};

it('a pilot corrects their last flight alone, until its aircraft or they are in flight again (C11)', async () => {
  expect(await offered(pilot)).toBe(true);
  expect((await correct(second, pilot, fields)).status).toBe(303);
  expect(await revisionsOf(second)).toMatchObject([{ user_id: pilot.id, field: 'end_hobbs', reason }]);
  expect(await findAircraft(db, schoolId, aircraftId)).toMatchObject({ lastHobbsTime: '102.8' });
  expect(await offered(pilot, first)).toBe(false);
  expect(await post(first, pilot, asFirst())).toMatchObject({ status: 409, text: tooLate });
  const other = await makeUser(db, schoolId);
  const next = await makeFlight(db, other, aircraftId, { start_hobbs: '103.0', start_tach: '92.5' });
  expect(await offered(pilot)).toBe(false);
  expect(await post(second, pilot, fields)).toMatchObject({ status: 409, text: tooLate });
  await db.deleteFrom('flight_logs').where('id', '=', next).execute();
  expect(await offered(pilot)).toBe(true);
  await makeFlight(db, pilot, await makeAircraft(db, schoolId));
  expect(await offered(pilot)).toBe(false);
});

function asFirst() {
  return { startHobbsTime: '100.0', endHobbsTime: '101.2', startTachTime: '90.0', endTachTime: '91.0' };
}
