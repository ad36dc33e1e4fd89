import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { loader as root } from '#app/root.tsx';
import { texts } from '#app/domain/texts.ts';
import { loader as wizard } from '#app/routes/flight-log._index/route.tsx';
import { testDatabase } from '#tests/support/database.ts';
import { documentAfter, documentAt } from '#tests/support/documents.ts';
import { makeFlight } from '#tests/support/flight.ts';
import { call, cookieOf, formRequest, getRequest, jsonRequest } from '#tests/support/requests.ts';
import { answerTo } from '#tests/support/routes.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';
import { nightly } from '#tests/support/takes-all.ts';

const { db } = await testDatabase();
const schoolId = await makeSchool(db);
let pilot: Awaited<ReturnType<typeof makeUser>>;
let cookie: string;
let aircraftId: number;
beforeEach(async () => {
  pilot = await makeUser(db, schoolId);
  cookie = await cookieOf(db, pilot);
  aircraftId = await makeAircraft(db, schoolId);
});

const keep = (path: string, fields: Record<string, string>, who = cookie) => answerTo(formRequest(path, fields, who));
const keepForm = (typedForm: string, fields: Record<string, string>, who = cookie) =>
  keep('/drafts', { typedForm, ...fields }, who);
const READINGS = '/flight-log#read-meters';
const REVIEW = '/flight-log#review';
const checkInForm = (id: string | number) => `/flight-log/${id}/post-check#check-in`;
const drafts = (of = pilot) => db.selectFrom('drafts').select('form').where('user_id', '=', of.id).execute();
const send = (path: string, body: unknown) => answerTo(jsonRequest('POST', path, body, cookie));
const adminCookie = await cookieOf(db, await makeUser(db, schoolId, 'administrator'));

describe('the draft of a check-out', () => {
  const typed = () => ({ aircraftId: String(aircraftId), startHobbsTime: '12', startTachTime: 'x' });

  it('what is typed into the check-out is kept and there again, for its pilot alone (C56)', async () => {
    const other = await cookieOf(db, await makeUser(db, schoolId));
    expect((await keepForm(READINGS, { ...typed(), startHobbsTime: '34' }, other)).status).toBe(200);
    expect((await keepForm(READINGS, typed())).status).toBe(200);
    const shownTo = async (who: string) => (await wizard(call(getRequest('/flight-log?step=1', who)))).view;
    const checkOutDraft = { aircraft: { id: aircraftId }, startHobbsTime: '12', startTachTime: 'x' };
    expect(await shownTo(cookie)).toMatchObject({ checkOutDraft });
    expect(await shownTo(other)).toMatchObject({ checkOutDraft: { ...checkOutDraft, startHobbsTime: '34' } });
  });

  const shownDraft = async () => (await wizard(call(getRequest('/flight-log?step=2', cookie)))).view;

  it('a departure typed at the review is kept, with the readings as they were, and goes with the aircraft (B808)', async () => {
    await keepForm(READINGS, { ...typed(), startTachTime: '11' });
    const stored = () =>
      db.selectFrom('drafts').selectAll().where('user_id', '=', pilot.id).where('form', '=', READINGS).execute();
    const before = await stored();
    const review = { ...typed(), startTachTime: '99', departedAt: '2026-05-12T10:30' };
    expect((await keepForm(REVIEW, review)).status).toBe(200);
    expect(await stored()).toEqual(before);
    expect(await shownDraft()).toMatchObject({
      checkOutDraft: { startTachTime: '11', departedAt: '2026-05-12T10:30' },
    });
    await keepForm(REVIEW, { ...review, departedAt: '' });
    expect(await shownDraft()).toMatchObject({ checkOutDraft: { startTachTime: '11', departedAt: '' } });
    await keepForm(REVIEW, { ...typed(), departedAt: '2026-05-12T10:30' });
    await keepForm(READINGS, { ...typed(), startTachTime: '12' });
    expect(await shownDraft()).toMatchObject({
      checkOutDraft: { startTachTime: '12', departedAt: '2026-05-12T10:30' },
    });
    const otherId = String(await makeAircraft(db, schoolId));
    await keepForm(READINGS, { ...typed(), aircraftId: otherId });
    expect(await shownDraft()).toMatchObject({ checkOutDraft: { departedAt: '' } });
    await keepForm(READINGS, typed());
    await keepForm(REVIEW, { ...typed(), aircraftId: otherId, departedAt: '2026-05-12T11:00' });
    expect(await shownDraft()).toMatchObject({ checkOutDraft: { departedAt: '' } });
  });

  it('typed in another sign-in is said to be so on each step, until it is sent on from here (B1635)', async () => {
    const elsewhere = await cookieOf(db, pilot);
    const saysSo = (who: string) =>
      Promise.all(
        [0, 1, 2].map(async (step) => {
          const { $ } = await documentAt(`/flight-log?step=${step}`, who);
          return $('main').text().split(texts.typedElsewhere).length - 1;
        }),
      );
    await keepForm(READINGS, { aircraftId: String(aircraftId) }, elsewhere);
    expect(await saysSo(cookie)).toEqual([1, 0, 0]);
    const readings = { ...typed(), startTachTime: '11' };
    await keepForm(READINGS, readings, elsewhere);
    expect([await saysSo(cookie), await saysSo(elsewhere)]).toEqual([
      [1, 1, 1],
      [0, 0, 0],
    ]);
    const { typed: known } = (await root(call(getRequest('/flight-log?step=1', cookie)))).data;
    expect(JSON.parse(known?.drafts ?? '')).toMatchObject({ 'read-meters': { isElsewhere: true } });
    await keep('/flight-log?step=1', { ...readings, intent: 'next' });
    expect(await saysSo(cookie)).toEqual([0, 0, 0]);
    await keepForm(REVIEW, { ...readings, departedAt: '2026-05-12T10:30' }, elsewhere);
    expect(await saysSo(cookie)).toEqual([0, 0, 1]);
    await keepForm('/flight-log#select-aircraft', { aircraftId: String(aircraftId) }, elsewhere);
    expect(await saysSo(cookie)).toEqual([1, 0, 1]);
  });

  it('hides no aircraft that a link checks out, whose readings may be asked for at once (B1639)', async () => {
    const other = await makeAircraft(db, schoolId);
    await keepForm('/flight-log#select-aircraft', { aircraftId: String(other) });
    for (const [path, id] of [
      ['/flight-log', other],
      [`/flight-log?aircraftId=${aircraftId}`, aircraftId],
    ] as const) {
      const { $ } = await documentAt(path, cookie);
      expect($('select[name=aircraftId] option[selected]').attr('value')).toBe(String(id));
    }
    await keepForm(READINGS, { ...typed(), aircraftId: String(other) });
    const before = await drafts();
    const page = `/flight-log?step=1&aircraftId=${aircraftId}`;
    const shown = (await documentAt(page, cookie)).$;
    const named = ['aircraftId', 'startHobbsTime', 'startTachTime'].map((name) =>
      shown(`main [name=${name}]`).attr('value'),
    );
    expect([named, await drafts()]).toEqual([[String(aircraftId), '', ''], before]);
    const refused = await documentAfter('/flight-log?step=1', { ...typed(), intent: 'next' }, cookie);
    const kept = ['aircraftId', 'startHobbsTime'].map((name) => refused.$(`main [name=${name}]`).attr('value'));
    expect([refused.status, kept]).toEqual([400, [String(aircraftId), '12']]);
    await makeFlight(db, await makeUser(db, schoolId), aircraftId);
    const led = await answerTo(getRequest(page, cookie));
    expect([led.status, led.headers.get('location')]).toEqual([302, `/flight-log?aircraftId=${aircraftId}`]);
  });

  it('the draft of an aircraft that is none has none; once the pilot is in flight none is kept (B321, C56)', async () => {
    for (const id of ['99999999999', '1.5', '-1', '1e400', 'x']) {
      expect((await keepForm(READINGS, { ...typed(), aircraftId: id })).status).toBe(200);
      for (const step of [0, 1, 2])
        expect((await answerTo(getRequest(`/flight-log?step=${step}`, cookie))).status, id).toBe(200);
    }
    await db.deleteFrom('drafts').execute();
    await makeFlight(db, pilot, aircraftId);
    expect((await keepForm(READINGS, typed())).status).toBe(200);
    expect(await drafts()).toEqual([]);
  });
});

describe('the draft of a check-in', () => {
  const typed = { endHobbsTime: '101', notes: 'Flat tyre', intent: 'read-hobbs', requestId: 'x' };

  it('what is typed into a check-in is kept and there again, for its pilot alone (C56)', async () => {
    const id = await makeFlight(db, pilot, aircraftId);
    expect((await keepForm(checkInForm(id), typed)).status).toBe(200);
    const { $ } = await documentAt(`/flight-log/${id}/post-check`, cookie);
    expect([$('input[name=endHobbsTime]').attr('value'), $('textarea[name=notes]').text()]).toEqual([
      '101',
      'Flat tyre',
    ]);
    expect(await storedDraft(checkInForm(id))).toMatchObject({ values: { endHobbsTime: '101', notes: 'Flat tyre' } });
    const other = await cookieOf(db, await makeUser(db, schoolId, 'administrator'));
    expect((await keepForm(checkInForm(id), typed, other)).status).toBe(403);
  });

  it('a draft for a flight that is none is 404, and 401 after the session ended; none is kept (B321, C29)', async () => {
    for (const id of ['0', 'x', '2147483647', '99999999999'])
      expect((await keepForm(checkInForm(id), typed)).status, id).toBe(404);
    const id = await makeFlight(db, pilot, aircraftId);
    expect((await keepForm(checkInForm(id), typed, '')).status).toBe(401);
    expect(await drafts()).toEqual([]);
  });
});

const timedDraft = z.object({ values: z.record(z.string(), z.string()).nullable(), typedAt: z.number().nullable() });

async function storedDraft(form: string) {
  const { body } = await answerTo(getRequest(`/drafts?form=${encodeURIComponent(form)}`, cookie));
  return timedDraft.parse(typeof body === 'string' ? JSON.parse(body) : body);
}

describe('drafts that overtake one another', () => {
  const CASES: [string, () => Promise<[string, Record<string, string>, string]>][] = [
    ['of any form', async () => ['/account#account', {}, 'make']],
    ['of a check-out', async () => [READINGS, { aircraftId: String(aircraftId) }, 'startHobbsTime']],
    ['of a check-in', async () => [checkInForm(await makeFlight(db, pilot, aircraftId)), {}, 'notes']],
  ];

  it.each(CASES)('a draft %s that was typed earlier and comes later replaces nothing (B914)', async (_, prepare) => {
    const [form, fields, name] = await prepare();
    const stored = () => storedDraft(form);
    const draft = (value: string, typedAt: string) => keepForm(form, { ...fields, [name]: value, typedAt });
    const later = Date.now();
    expect(await stored()).toEqual({ values: null, typedAt: null });
    const savedAt = (await draft('12', String(later))).body;
    expect((await draft('11', String(later - 1))).body).toEqual(savedAt);
    expect(await stored()).toMatchObject({ values: { [name]: '12' }, typedAt: later });
    await draft('13', String(later));
    expect(await stored()).toMatchObject({ values: { [name]: '13' } });
    for (const odd of ['', 'x', '-1', '1e300', '9'.repeat(19)]) expect((await draft(odd, odd)).status).toBe(200);
    expect(await stored()).toMatchObject({ values: { [name]: '9'.repeat(19) }, typedAt: null });
  });

  nightly('a draft of another session, or of a clock that was set back, counts as it comes (B914)', async () => {
    const form = '/account#account';
    const values = async () => (await storedDraft(form)).values;
    const later = Date.now();
    await keepForm(form, { make: 'Piper', typedAt: String(later) });
    const other = await cookieOf(db, pilot);
    await keepForm(form, { make: 'Cessna', typedAt: String(later - 1) }, other);
    expect(await values()).toEqual({ make: 'Cessna' });
    await keepForm(form, { make: 'Diamond', typedAt: String(later - 61_000) }, other);
    expect(await values()).toEqual({ make: 'Diamond' });
  });

  it('a draft of the readings that comes after their step was posted replaces nothing (B914)', async () => {
    const readings = { aircraftId: String(aircraftId), startHobbsTime: '12', startTachTime: '34' };
    const later = Date.now();
    const step = await keep('/flight-log?step=1', { ...readings, typedAt: String(later) });
    expect(step.status).toBe(303);
    await keepForm(READINGS, { ...readings, startHobbsTime: '1', typedAt: String(later - 500) });
    const { values } = await storedDraft(READINGS);
    expect(values).toMatchObject({ startHobbsTime: '12' });
    expect(values).not.toHaveProperty('typedAt');
  });
});

describe('the draft of a check-in whose flight ends', () => {
  const ends = { endHobbsTime: '101.2', endTachTime: '91.0' };
  let id: number;
  beforeEach(async () => {
    id = await makeFlight(db, pilot, aircraftId);
    await keepForm(checkInForm(id), { notes: 'Flat tyre' });
    expect(await drafts()).toHaveLength(1);
  });

  it.each<[string, () => ReturnType<typeof answerTo>, number]>([
    ['completed by the form', () => keep(`/flight-log/${id}/post-check`, ends), 303],
    ['completed by the call', () => send(`/api/flight-logs/${id}/complete`, ends), 200],
    ['closed on behalf', () => keep(`/flight-logs/${id}/close`, { ...ends, reason: 'Left' }, adminCookie), 303],
    ['cancelled by its pilot', () => keep(`/flight-logs/${id}/cancel`, { reason: 'Fog' }), 303],
    ['cancelled by an administrator', () => keep(`/flight-logs/${id}/cancel`, { reason: 'Fog' }, adminCookie), 303],
  ])('the draft of a check-in is gone once its flight is %s (C56)', async (_, end, status) => {
    expect((await end()).status).toBe(status);
    expect(await drafts()).toEqual([]);
  });

  nightly('the draft of a check-in stays while its flight cannot be completed (C56)', async () => {
    const low = { ...ends, endHobbsTime: '1' };
    expect((await send(`/api/flight-logs/${id}/complete`, low)).status).toBe(400);
    expect(await drafts()).toHaveLength(1);
  });
});

it('the draft of a check-out is gone once a flight is started by the call (C56)', async () => {
  await keepForm(READINGS, { aircraftId: String(aircraftId), startHobbsTime: '12' });
  expect(await drafts()).toHaveLength(1);
  await send('/api/flight-logs', { aircraftId, startHobbsTime: '100.0', startTachTime: '90.0' });
  expect(await drafts()).toEqual([]);
});
it('a deleted user leaves no drafts, and those of others stay (C13, C56)', async () => {
  const other = await makeUser(db, schoolId);
  const typed = { aircraftId: '1', startHobbsTime: '12' };
  await keepForm(READINGS, typed);
  await keepForm(READINGS, typed, await cookieOf(db, other));
  await keep('/users?index', { intent: 'delete-user', userId: String(pilot.id) }, adminCookie);
  expect([await drafts(), await drafts(other)]).toEqual([[], [{ form: READINGS }]]);
});
