import { beforeEach, expect, it } from 'vitest';
import { insert, makeFlight, type Member, testDatabase } from '#tests/support/makers.ts';
import { makeAircraft, makeSchool, makeSquawk, makeUser } from '#tests/support/school.ts';
import { answerTo, cookieOf, formRequest, getRequest, jsonRequest } from '#tests/support/ask.ts';

const { db } = await testDatabase();

let schoolId: number, admin: Member, cookie: string, aircraftId: number;
beforeEach(async () => {
  schoolId = await makeSchool(db, { time_zone: 'America/Los_Angeles' });
  admin = await makeUser(db, schoolId, 'administrator');
  cookie = await cookieOf(db, admin);
  aircraftId = await makeAircraft(db, schoolId, { last_hobbs: '100.0', last_tach: '90.0' });
});

const call = async (path: string, body: object, method: 'POST' | 'PATCH' = 'POST') =>
  (await answerTo(jsonRequest(method, path, body, cookie))).status;
const form = async (path: string, fields: Record<string, string>) =>
  (await answerTo(formRequest(path, fields, cookie))).status;
const get = async (path: string) => (await answerTo(getRequest(path, cookie))).status;

/** Years that Postgres has not, or writes otherwise, in UTC or at the school. */
const DAYS = ['0000-05-12', '0000-01-01'];
const INSTANTS = ['0000-05-12T10:00:00Z', '0001-01-01T00:00:00+14:00', '9999-12-31T23:00:00-14:00'];
const SCHOOL_TIMES = ['0000-05-12T10:00', '9999-12-31T23:00'];

const readings = { startHobbsTime: '100.0', startTachTime: '90.0', endHobbsTime: '101.2', endTachTime: '91.0' };
const past = () => ({ ...readings, aircraftId, pilotId: admin.id, reason: 'On paper' });

async function reportSquawk(): Promise<number> {
  const id = await makeSquawk(db, admin, aircraftId);
  await insert(db, 'squawk_events', { school_id: schoolId, squawk_id: id, user_id: admin.id, state: 'open' });
  return id;
}

async function makeInspection(columns: object): Promise<string> {
  const inspection = { school_id: schoolId, aircraft_id: aircraftId, name: '100 h', ...columns };
  const { id } = await db.insertInto('inspections').values(inspection).returning('id').executeTakeFirstOrThrow();
  return `/inspections/${id}`;
}

it('times of years that no calendar here has are refused in words, by every door (B1659)', async () => {
  const status: Record<string, number> = {};
  for (const at of INSTANTS) {
    status[`past from ${at}`] = await call('/api/flight-logs/past', {
      ...past(),
      departedAt: at,
      landedAt: '2026-05-12T11:00:00Z',
    });
    status[`past until ${at}`] = await call('/api/flight-logs/past', {
      ...past(),
      departedAt: '2026-05-12T11:00:00Z',
      landedAt: at,
    });
    for (const list of ['flight-logs', 'aircraft', 'squawks', 'users'])
      status[`${list} since ${at}`] = await get(`/api/${list}?since=${encodeURIComponent(at)}`);
    const { startHobbsTime, startTachTime } = readings;
    status[`start ${at}`] = await call('/api/flight-logs', {
      aircraftId,
      startHobbsTime,
      startTachTime,
      departedAt: at,
    });
  }
  const flight = await makeFlight(db, admin, aircraftId);
  for (const at of INSTANTS)
    status[`complete ${at}`] = await call(`/api/flight-logs/${flight}/complete`, { ...readings, landedAt: at });
  for (const at of SCHOOL_TIMES) {
    const people = { aircraftId: String(aircraftId), pilotId: String(admin.id) };
    const times = { departedAt: at, landedAt: '2026-05-12T11:00' };
    status[`past form ${at}`] = await form('/flight-logs/new', {
      ...readings,
      ...people,
      ...times,
      reason: 'On paper',
    });
    const ends = { endHobbsTime: '101.2', endTachTime: '91.0', departedAt: at };
    status[`check-in ${at}`] = await form(`/flight-log/${flight}/post-check`, ends);
  }
  const squawk = await reportSquawk();
  const dated = await makeInspection({ name: 'Annual', due_on: '2027-01-01', interval_months: 12 });
  for (const day of DAYS) {
    status[`deferral ${day}`] = await call(`/api/squawks/${squawk}`, { state: 'deferred', until: day }, 'PATCH');
    status[`deferral form ${day}`] = await form(`/squawks/${squawk}`, {
      intent: 'deferred',
      dueAt: 'date',
      dueDate: day,
    });
    status[`done ${day}`] = await form(dated, { intent: 'done', doneOn: day });
    status[`due ${day}`] = await form(dated, { intent: 'save', name: 'Annual', dueAt: 'date', dueDate: day });
  }
  expect(Object.entries(status).filter(([, code]) => code !== 400)).toEqual([]);
});

it('an inspection or a changed meter beyond meters, calendars or a flight is refused beside its field (B1659)', async () => {
  const metered = await makeInspection({ due_tach: '100.0', interval_hours: '100' });
  const fields = { intent: 'done', doneOn: '2026-05-12', reading: '999950.0' };
  const answer = await answerTo(formRequest(metered, fields, cookie));
  const text = 'From here the next one would be due beyond all meters and calendars';
  expect(answer).toMatchObject({ status: 400, body: { result: { error: { reading: [text] } } } });
  const monthly = await makeInspection({ name: 'Annual', due_on: '2027-01-01', interval_months: 99_999 });
  const dated = await answerTo(formRequest(monthly, { intent: 'done', doneOn: '2026-05-12' }, cookie));
  expect(dated).toMatchObject({ status: 400, body: { result: { error: { doneOn: [text] } } } });
  const flight = await makeFlight(db, admin, aircraftId, { start_hobbs: '0.0' });
  const meterChanges = { hobbs: { oldLast: '999999.9', newFirst: '0.0', reason: 'replaced' } };
  const ends = { endHobbsTime: '999999.9', endTachTime: '91.0', meterChanges };
  const refused = await answerTo(jsonRequest('POST', `/api/flight-logs/${flight}/complete`, ends, cookie));
  expect(refused).toMatchObject({ status: 400, body: 'These readings make more hours than a flight can have' });
});
