import { describe, expect, it } from 'vitest';
import { action as fleetAction, loader as fleetLoader } from '#app/routes/airplanes._index/route.tsx';
import { action as addAction } from '#app/routes/airplanes.add/route.tsx';
import { action as statusCall } from '#app/routes/api.aircraft.$id.status.ts';
import { action as deleteCall } from '#app/routes/api.aircraft.$id.ts';
import { action as addCall } from '#app/routes/api.aircraft._index.ts';
import { findAircraft } from '#app/domain/aircraft/queries.server.ts';
import { readToast } from '#app/server/flash.server.ts';
import { makeAircraft, makeFlight, makeSchool, makeUser, testDatabase } from '#tests/support/makers.ts';
import { call, cookieOf, formRequest, getRequest, jsonRequest } from '#tests/support/requests.ts';

const { db } = await testDatabase();
const schoolId = await makeSchool(db);
const admin = await cookieOf(db, await makeUser(db, schoolId, 'administrator'));

async function fleetFor(user: { id: number }) {
  return fleetLoader(call(getRequest('/airplanes', await cookieOf(db, user))));
}

const n512 = { tailNumber: 'N512FL', make: 'Cessna', model: '172S', year: 2004 };
const statusOf = async (id: number) => (await findAircraft(db, schoolId, id))?.status;

/** What a form post was answered with: the next page and its toast. */
async function landing(answer: unknown) {
  if (!(answer instanceof Response)) throw new Error(`no redirect: ${JSON.stringify(answer)}`);
  const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
  const { toast } = await readToast(getRequest('/', cookie));
  return { status: answer.status, to: answer.headers.get('location'), toast };
}

it('the fleet is the school’s; administrators may add; a failure says so (B080, B081, B083-B085, B233, B298, C30)', async () => {
  const schoolId = await makeSchool(db);
  const student = await makeUser(db, schoolId);
  await makeAircraft(db, await makeSchool(db), { tail_number: 'N0ELSE' });
  await makeAircraft(db, schoolId, { tail_number: 'N9GONE', deleted_at: new Date() });
  await makeAircraft(db, schoolId, { tail_number: 'N3FIX', maintenance_since: new Date() });
  await makeAircraft(db, schoolId, { tail_number: 'N1OK', last_hobbs: '1234.50', last_tach: '1180.3' });
  await makeFlight(
    db,
    student,
    await makeAircraft(db, schoolId, { tail_number: 'N2OUT', maintenance_since: new Date() }),
  );
  const { fleet, canManage } = await fleetFor(student);
  expect(canManage).toBe(false);
  expect((await fleetFor(await makeUser(db, schoolId, 'instructor'))).canManage).toBe(false);
  expect((await fleetFor(await makeUser(db, schoolId, 'administrator'))).canManage).toBe(true);
  expect(fleet.value).toMatchObject([
    { tailNumber: 'N3FIX', status: 'maintenance' },
    { tailNumber: 'N2OUT', status: 'checked_out', lastHobbsTime: null, lastTachTime: null },
    { tailNumber: 'N1OK', make: 'Cessna', model: '172S', year: 2004, status: null },
  ]);
  expect(fleet.value?.at(-1)).toMatchObject({ lastHobbsTime: '1234.50', lastTachTime: '1180.3' });
  const reader = await makeUser(db, await makeSchool(db), 'administrator');
  await db.schema.alterTable('aircraft').renameTo('aircraft_away').execute();
  try {
    expect(await fleetFor(reader)).toMatchObject({
      fleet: { value: null, failure: 'Failed to fetch aircraft' },
      canManage: true,
    });
  } finally {
    await db.schema.alterTable('aircraft_away').renameTo('aircraft').execute();
  }
});

const post = (fields: Record<string, string>, cookie = admin) =>
  fleetAction(call(formRequest('/airplanes?index', fields, cookie)));
const change = (intent: string, id: number | string, cookie = admin) =>
  post({ intent, aircraftId: String(id) }, cookie);

it('an aircraft is set to maintenance and back, with toasts, and by no other intent (B090, B091, B291, C05)', async () => {
  const id = await makeAircraft(db, schoolId);
  const said = {
    status: 303,
    to: '/airplanes',
    toast: { title: 'Aircraft status updated successfully', tone: 'default' },
  };
  expect(await landing(await change('set-maintenance', id))).toMatchObject(said);
  expect(await statusOf(id)).toBe('maintenance');
  expect(await landing(await change('mark-available', id))).toMatchObject(said);
  expect(await statusOf(id)).toBeNull();
  const { toast } = await landing(await change('set-maintenance', await flying()));
  expect(toast?.text).toBe('It will be in maintenance once it is back.');
  for (const intent of ['', 'fly', 'constructor', '__proto__'])
    expect(await change(intent, id), intent).toMatchObject({ init: { status: 400 } });
});

it('an aircraft whose deletion is confirmed leaves the fleet, unless it is in flight, in words (B093, B095, C12)', async () => {
  expect(await change('delete-aircraft', await flying())).toMatchObject({
    init: { status: 409 },
    data: {
      toast: { title: 'Error', text: 'This aircraft is checked out and cannot be deleted.', tone: 'destructive' },
    },
  });
  const id = await makeAircraft(db, schoolId);
  expect(await landing(await change('delete-aircraft', id))).toMatchObject({
    to: '/airplanes',
    toast: { title: 'Aircraft deleted successfully' },
  });
  expect(await statusOf(id)).toBeUndefined();
});

describe('/airplanes/add', () => {
  const typed = { ...n512, year: '2004' };
  const post = (fields: Record<string, string>, cookie = admin) =>
    addAction(call(formRequest('/airplanes/add', fields, cookie)));

  it('an aircraft added by the form is available; what is taken or empty is said beside it (B099-B102, B104, C15)', async () => {
    const answer = await post({ ...typed, tailNumber: 'n104ok' });
    expect(await landing(answer)).toMatchObject({ to: '/airplanes', toast: { title: 'Aircraft added successfully' } });
    const { fleet } = await fleetLoader(call(getRequest('/airplanes', admin)));
    expect(fleet.value).toContainEqual(expect.objectContaining({ tailNumber: 'N104OK', year: 2004, status: null }));
    await makeAircraft(db, schoolId, { tail_number: 'N15TAKEN' });
    const taken = await post({ ...typed, tailNumber: 'n15taken ' });
    expect(taken).toMatchObject({ init: { status: 409 } });
    expect(errorsOf(taken)).toEqual({ tailNumber: ['An aircraft with this tail number already exists'] });
    const empty = await post({ tailNumber: ' ', make: '', model: '', year: '' });
    expect(errorsOf(empty)).toEqual({
      tailNumber: ['Tail number is required'],
      make: ['Make is required'],
      model: ['Model is required'],
      year: ['Must be a valid year'],
    });
    expect(errorsOf(await post({ ...typed, year: ' ' }))).toEqual({ year: ['Must be a valid year'] });
    expect(errorsOf(await post({}))).toHaveProperty('tailNumber', ['Tail number is required']);
    expect(await post({ ...typed, year: '1899' })).toMatchObject({
      init: { status: 400 },
      data: { result: { initialValue: { ...typed, year: '1899' } } },
    });
  });
});

const add = (body: unknown, cookie = admin, headers = {}) =>
  addCall(call(jsonRequest('POST', '/api/aircraft', body, cookie, headers)));
const setStatus = (id: number | string, body: unknown, cookie = admin) =>
  statusCall(call(jsonRequest('PUT', `/api/aircraft/${id}/status`, body, cookie), { id: String(id) }));
const remove = (id: number | string, cookie = admin, headers = {}) =>
  deleteCall(call(jsonRequest('DELETE', `/api/aircraft/${id}`, undefined, cookie, headers), { id: String(id) }));

it('POST /api/aircraft answers with the aircraft, or in words why not (B251, B233, C15, C59)', async () => {
  const answer = await add({ ...n512, tailNumber: 'n251api' });
  expect(answer.status).toBe(201);
  const empty = { lastHobbsTime: null, lastTachTime: null, status: null, groundedOnReturn: false };
  const id = expect.any(Number);
  const added = { ...n512, ...empty, id, tailNumber: 'N251API', condition: null, conditions: [] };
  expect(await answer.json()).toEqual(added);
  const long = { ...n512, tailNumber: 'N'.repeat(51) };
  for (const body of [null, [], 'N1', 7, {}, { ...n512, year: 'abcd' }, { ...n512, make: 7 }, long]) {
    const refused = await add(body);
    expect([refused.status, await refused.text()], JSON.stringify(body)).toEqual([400, expect.stringMatching(/\w/)]);
  }
  const taken = await add({ ...n512, tailNumber: 'N251api' });
  expect([taken.status, await taken.text()]).toEqual([409, 'An aircraft with this tail number already exists']);
});

it('PUT takes the status maintenance or null; DELETE is {}, 404 again, 409 in flight (B252-B254, B309, C12, C59)', async () => {
  const id = await makeAircraft(db, schoolId);
  const grounded = await setStatus(id, { status: 'maintenance' });
  expect([grounded.status, await grounded.json()]).toMatchObject([200, { id, status: 'maintenance' }]);
  for (const status of ['checked_out', 'available', '', 'MAINTENANCE', 0, false, [], {}, undefined]) {
    const answer = await setStatus(id, { status });
    expect([answer.status, await answer.text()]).toEqual([400, "The status must be 'maintenance' or null"]);
  }
  expect(await statusOf(id)).toBe('maintenance');
  expect(await (await setStatus(id, { status: null })).json()).toMatchObject({ status: null });
  const answer = await remove(id);
  expect([answer.status, await answer.json()]).toEqual([200, {}]);
  expect((await remove(id)).status).toBe(404);
  const flown = await remove(await flying());
  expect([flown.status, await flown.text()]).toEqual([409, 'This aircraft is checked out and cannot be deleted.']);
});

async function flying(): Promise<number> {
  const id = await makeAircraft(db, schoolId);
  await makeFlight(db, await makeUser(db, schoolId), id);
  return id;
}

function errorsOf(answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null || !('data' in answer)) throw new Error('no reply');
  return (answer.data as { result: { error: unknown } }).result.error;
}
