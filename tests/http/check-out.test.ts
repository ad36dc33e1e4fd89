import { beforeEach, expect, it } from 'vitest';
import { action, loader } from '#app/routes/flight-log._index/route.tsx';
import { completed, expireSessions, makeFlight, type Member, testDatabase } from '#tests/support/makers.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';
import { call, cookieOf, formRequest, getRequest } from '#tests/support/requests.ts';
import { nightly } from '#tests/support/takes-all.ts';
import { texts } from '#app/domain/texts.ts';

const { db } = await testDatabase();

let schoolId: number, pilot: Member, cookie: string, aircraftId: number;

beforeEach(async () => {
  schoolId = await makeSchool(db);
  pilot = await makeUser(db, schoolId);
  cookie = await cookieOf(db, pilot);
  aircraftId = await makeAircraft(db, schoolId, { tail_number: 'N512FL' });
});

async function view(step: number | string = 0) {
  const shown = await loader(call(getRequest(`/flight-log?step=${step}`, cookie)));
  return shown.view;
}

const post = (step: number, fields: Record<string, string>) =>
  action(call(formRequest(`/flight-log?step=${step}`, fields, cookie)));

/** Where a post led to. */
async function ledTo(step: number, fields: Record<string, string>): Promise<string | null> {
  const answer = await post(step, fields);
  if (!(answer instanceof Response)) throw new Error(`refused: ${JSON.stringify(answer.data.result)}`);
  expect(answer.status).toBe(303);
  return answer.headers.get('location');
}

/** What a refused post came back with. */
async function refusal(step: number, fields: Record<string, string>) {
  const answer = await post(step, fields);
  if (answer instanceof Response) throw new Error(`led to ${answer.headers.get('location')}`);
  const { result, toast } = answer.data;
  return { status: answer.init?.status, errors: result?.error ?? {}, kept: result?.initialValue, toast };
}

const openFlights = () =>
  db.selectFrom('flight_logs').selectAll().where('user_id', '=', pilot.id).where('completed_at', 'is', null).execute();

const readings = { startHobbsTime: '1234.5', startTachTime: '1100.2' };

it('step 1 keeps a choice, and refuses what cannot be had (B142, B146, B147, B158, B293, B321, C04)', async () => {
  expect(await ledTo(0, { aircraftId: String(aircraftId) })).toBe('/flight-log?step=1');
  expect(await view(0)).toMatchObject({ selectedAircraftId: String(aircraftId) });
  expect(await view('junk')).toMatchObject({ step: 0, selectedAircraftId: String(aircraftId) });
  const down = await makeAircraft(db, schoolId, { maintenance_since: new Date() });
  const out = await makeAircraft(db, schoolId);
  await makeFlight(db, await makeUser(db, schoolId), out);
  const removed = await makeAircraft(db, schoolId, { deleted_at: new Date() });
  const elsewhere = await makeAircraft(db, await makeSchool(db));
  const refused = async (id: number) => {
    const { status, toast } = await refusal(0, { aircraftId: String(id) });
    return `${status} ${toast?.text}`;
  };
  expect(await refused(down)).toBe('409 This aircraft is currently under maintenance and cannot be used for flights.');
  expect(await refused(out)).toBe('409 This aircraft is already checked out.');
  expect(await refused(removed)).toBe('404 Aircraft not found');
  expect(await refused(elsewhere)).toBe('404 Aircraft not found');
  const none = { status: 400, errors: { aircraftId: ['Please select an aircraft'] } };
  for (const aircraftId of ['', 'abc', '-1', '1.5', '99999999999'])
    expect(await refusal(0, { aircraftId }), aircraftId).toMatchObject(none);
});

it('steps 2 and 3 have nothing before the step before is complete, nor of a removed aircraft (B151, B153)', async () => {
  expect(await view(1)).toMatchObject({ step: 1, checkOutDraft: { aircraft: null } });
  expect(await view(2)).toMatchObject({ review: null });
  await ledTo(0, { aircraftId: String(aircraftId) });
  expect(await view(2)).toMatchObject({ review: null });
  await ledTo(1, { aircraftId: String(aircraftId), ...readings, startTachTime: 'oops', intent: 'back' });
  expect(await view(2)).toMatchObject({ review: null });
  await db.updateTable('aircraft').set({ deleted_at: new Date() }).where('id', '=', aircraftId).execute();
  expect(await view(1)).toMatchObject({ step: 1, checkOutDraft: { aircraft: null } });
});

it('start readings that are missing or no numbers are refused beside their fields, and kept (B150, B597, C40)', async () => {
  const refused = (startHobbsTime: string, startTachTime: string) =>
    refusal(1, { aircraftId: String(aircraftId), startHobbsTime, startTachTime });
  for (const blank of ['', '   '])
    expect((await refused(blank, blank)).errors).toEqual({
      startHobbsTime: ['Hobbs time is required'],
      startTachTime: ['Tach time is required'],
    });
  for (const typed of ['abc', '-1', '1234567', '1e3', '12.', '.5', '0x10', 'NaN', '1 2'])
    expect(await refused(typed, '1100.2'), typed).toMatchObject({
      status: 400,
      errors: { startHobbsTime: ['Hobbs time must be a number'] },
      kept: { startHobbsTime: typed, startTachTime: '1100.2' },
    });
  expect((await refused('12.345', '')).errors).toEqual({
    startHobbsTime: ['Hobbs time may have at most two decimals'],
    startTachTime: ['Tach time is required'],
  });
});

nightly('start readings may have a comma, stay, and go with their aircraft (C40, B158)', async () => {
  const fields = { aircraftId: String(aircraftId), startHobbsTime: ' 1234,50 ', startTachTime: '1100' };
  expect(await ledTo(1, fields)).toBe('/flight-log?step=2');
  expect(await view(1)).toMatchObject({ checkOutDraft: { startHobbsTime: '1234.50', startTachTime: '1100' } });
  await ledTo(0, { aircraftId: String(aircraftId) });
  expect(await view(1)).toMatchObject({ checkOutDraft: { startHobbsTime: '1234.50' } });
  await ledTo(1, { aircraftId: String(aircraftId), ...readings });
  await ledTo(0, { aircraftId: String(await makeAircraft(db, schoolId)) });
  expect(await view(1)).toMatchObject({ checkOutDraft: { startHobbsTime: '', startTachTime: '' } });
});

it('start readings are dropped once the aircraft has flown since (C57)', async () => {
  await ledTo(1, { aircraftId: String(aircraftId), ...readings });
  expect(await view(1)).toMatchObject({ checkOutDraft: { hasFlownSince: false, startHobbsTime: '1234.5' } });
  const later = new Date(Date.now() + 60_000);
  await db
    .updateTable('aircraft')
    .set({ last_hobbs: '1236.0', last_hobbs_at: later, last_tach: '1101.0', last_tach_at: later })
    .where('id', '=', aircraftId)
    .execute();
  expect(await view(1)).toMatchObject({ checkOutDraft: { hasFlownSince: true, startHobbsTime: '' } });
  expect(await view(2)).toMatchObject({ review: null });
});

it("'Back' keeps the start readings as typed, and so does 'Use last reading' what it does not fill in (B141, C07)", async () => {
  const fields = { aircraftId: String(aircraftId), startHobbsTime: '12', startTachTime: '' };
  expect(await ledTo(1, { ...fields, intent: 'back' })).toBe('/flight-log?step=0');
  expect(await view(1)).toMatchObject({ checkOutDraft: { startHobbsTime: '12', startTachTime: '' } });
  await db.updateTable('aircraft').set({ last_hobbs: '1234.5', last_tach: '1100.2' }).execute();
  const readings = { aircraftId: String(aircraftId), startHobbsTime: '', startTachTime: 'oops' };
  expect(await view(1)).not.toMatchObject({ checkOutDraft: { startHobbsTime: '1234.5' } });
  expect(await ledTo(1, { ...readings, intent: 'use-last-hobbs' })).toBe('/flight-log?step=1');
  expect(await view(1)).toMatchObject({ checkOutDraft: { startHobbsTime: '1234.5', startTachTime: 'oops' } });
  await ledTo(1, { ...readings, intent: 'use-last-tach' });
  expect(await view(1)).toMatchObject({ checkOutDraft: { startHobbsTime: '', startTachTime: '1100.2' } });
});

const start = (fields: Record<string, string> = {}) => ({ aircraftId: String(aircraftId), ...readings, ...fields });

it('step 3 starts one flight, however often; a second start is refused (B155, B157, B159, B261, B326, C56, C58)', async () => {
  const form = start({ requestId: '7d5f1c62-2d0c-4f2e-9b43-0a5c7a1f9d11' });
  await ledTo(1, form);
  expect(await ledTo(2, form)).toBe('/');
  expect(await openFlights()).toMatchObject([
    { aircraft_id: aircraftId, start_hobbs: '1234.5', start_tach: '1100.2', school_id: schoolId },
  ]);
  expect(await db.selectFrom('drafts').selectAll().where('user_id', '=', pilot.id).execute()).toEqual([]);
  expect(await view(0)).toMatchObject({ step: 'in flight' });
  expect(await view(2)).toMatchObject({ step: 'in flight' });
  expect(await ledTo(2, form)).toBe('/');
  expect(await openFlights()).toHaveLength(1);
  const refused = await refusal(2, start({ aircraftId: String(await makeAircraft(db, schoolId)) }));
  expect(refused).toMatchObject({
    status: 409,
    toast: {
      title: 'Error',
      text: 'You have an active flight in progress. Please complete your current flight before starting a new one.',
    },
    kept: readings,
  });
  expect(await openFlights()).toHaveLength(1);
});

it('step 3 starts what it shows, whatever another tab has chosen, and says if that is grounded (B154, B157, B325)', async () => {
  const other = await makeAircraft(db, schoolId);
  await ledTo(1, start());
  await ledTo(1, { aircraftId: String(other), startHobbsTime: '7', startTachTime: '8' });
  await db.updateTable('aircraft').set({ maintenance_since: new Date() }).where('id', '=', aircraftId).execute();
  const refused = await refusal(2, start());
  expect(refused).toMatchObject({
    status: 409,
    toast: { text: 'This aircraft is currently under maintenance and cannot be used for flights.' },
  });
  expect(await view(2)).toMatchObject({
    checkOutDraft: { aircraft: { id: aircraftId, status: 'maintenance' } },
    review: readings,
  });
  expect(await openFlights()).toEqual([]);
  await db.updateTable('aircraft').set({ maintenance_since: null }).where('id', '=', aircraftId).execute();
  expect(await ledTo(2, start())).toBe('/');
  expect(await openFlights()).toMatchObject([{ aircraft_id: aircraftId, start_hobbs: '1234.5' }]);
});

it('start readings that differ are named, and refused until the box is ticked; an aircraft out at once (C06, C33)', async () => {
  const anna = await makeUser(db, schoolId, 'instructor', 'anna');
  const at = new Date('2026-05-12T10:00:00Z');
  await db
    .updateTable('aircraft')
    .set({ last_hobbs: '1234.5', last_hobbs_by: anna.id, last_hobbs_at: at })
    .set({ last_tach: '1099.5', last_tach_by: anna.id, last_tach_at: at })
    .where('id', '=', aircraftId)
    .execute();
  const form = start({ startHobbsTime: '1234.4' });
  await ledTo(1, form);
  expect(await view(2)).toMatchObject({
    review: {
      differences: {
        hobbs: 'Lower than the last recorded reading (1234.5 by anna, 12 May).',
        tach: '0.7 h not logged since the last flight.',
      },
    },
  });
  const message = 'Please read the meter again and tick the box.';
  expect(await refusal(2, form)).toMatchObject({ status: 400, errors: { readAgain: [message] } });
  expect(await openFlights()).toEqual([]);
  expect(await ledTo(2, { ...form, readAgain: 'on' })).toBe('/');
  expect((await openFlights())[0]?.reading_flags).toEqual([
    expect.objectContaining({ meter: 'hobbs', kind: 'below', last: '1234.5' }),
    expect.objectContaining({ meter: 'tachometer', kind: 'gap', last: '1099.5' }),
  ]);
  pilot = await makeUser(db, schoolId);
  cookie = await cookieOf(db, pilot);
  expect(await refusal(2, form)).toMatchObject({ status: 409 });
});

it('step 3 of the check-out shows the squawks of the aircraft’s last five completed flights, newest first (C77)', async () => {
  const flown = (hour: number, notes: string) =>
    makeFlight(db, pilot, aircraftId, {
      ...completed(`2026-05-12T${hour}:00:00Z`, `2026-05-12T${hour}:30:00Z`),
      notes,
    });
  const all = ['older than five', 'Left brake soft', '', '', '', 'Radio 2 dead'];
  for (const [index, notes] of all.entries()) await flown(10 + index, notes);
  await makeFlight(db, pilot, await makeAircraft(db, schoolId), {
    ...completed('2026-05-12T16:00:00Z', '2026-05-12T16:30:00Z'),
    notes: 'another aircraft',
  });
  await ledTo(1, start());
  await makeFlight(db, await makeUser(db, schoolId), aircraftId);
  expect(await view(2)).toMatchObject({
    review: {
      recentNotes: [
        { notes: 'Radio 2 dead', by: pilot.username, on: { text: '12 May 2026' } },
        { notes: 'Left brake soft' },
      ],
    },
  });
});

it('a start sent after the session ended is kept, offered again after sign-in, and gone once sent (C56)', async () => {
  await expireSessions(db, pilot);
  await post(1, { aircraftId: String(aircraftId), ...readings }).catch(() => undefined);
  const parked = await post(2, { aircraftId: String(aircraftId), ...readings }).catch((answer: unknown) => answer);
  expect(parked).toMatchObject({ status: 303 });
  if (!(parked instanceof Response)) throw new Error('not led to sign-in');
  expect(parked.headers.get('location')).toBe('/login?to=%2Fflight-log%3Fstep%3D2');

  cookie = await cookieOf(db, pilot);
  const offered = await loader(call(getRequest('/flight-log?step=2', cookie)));
  expect(offered).toMatchObject({ notice: texts.formRestored, view: { review: readings } });
  expect(await ledTo(2, { aircraftId: String(aircraftId), ...readings })).toBe('/');
  expect(await db.selectFrom('drafts').selectAll().where('user_id', '=', pilot.id).execute()).toEqual([]);
});
