import { z } from 'zod';
import type { Db } from '#db/connect.server.ts';
import type { Role } from '#db/roles.ts';
import { completed, makeFlight } from '../flight.ts';
import { makeInvitation } from '../invitation.ts';
import { linkIn } from '../read-mail.ts';
import { makeScan } from '../scanned-photo.ts';
import { cookiesOf, formRequest, getRequest, jsonRequest } from '../requests.ts';
import { answerTo } from '../routes.ts';
import { makeAircraft, makePeople, makeSchool, PASSWORD } from '../school.ts';

export type ActivityScene = Awaited<ReturnType<typeof activityScene>>;

export const ADDRESS = '203.0.113.7';
export const landed = completed('2026-05-12T08:00:00Z', '2026-05-12T09:00:00Z');
export const aircraft = { tailNumber: 'N46FL', make: 'Cessna', model: '172S', year: '2004' };
export const settings = { name: 'Sound Aviation', address: '1 Field Road', phone: '555 0100' };

export async function tenTimes(work: () => Promise<unknown>): Promise<void> {
  for (let count = 0; count < 10; count += 1) await work();
}

/** A school with a signed-in user of each role, and what they do, from one address. */
export async function activityScene(db: Db) {
  const schoolId = await makeSchool(db);
  const people = await makePeople(db, schoolId);
  const cookies = await cookiesOf(db, people);
  async function send(request: Request): Promise<unknown> {
    request.headers.set('x-client-address', ADDRESS);
    return (await answerTo(request)).body;
  }
  const post = (path: string, fields: Record<string, string>, as: Role | '' = 'administrator') =>
    send(formRequest(path, fields, as && cookies[as]));
  const call = (
    method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
    as: Role | '' = 'administrator',
  ) => send(jsonRequest(method, path, body, as && cookies[as]));
  const open = (path: string, as: Role = 'administrator') => send(getRequest(path, cookies[as]));
  const plane = (columns = {}) => makeAircraft(db, schoolId, { tail_number: 'N46FL', ...columns });
  const foreignPlane = async () => makeAircraft(db, await makeSchool(db));
  const flight = async (columns = {}) => makeFlight(db, people.instructor, await plane(), columns);
  const invitation = () => makeInvitation(db, people.administrator, { email: 'ben@mail.example' });
  const signIn = (password: string) => post('/login', { username: people.student.username, password }, '');
  const signInByCall = (password: string) =>
    call('POST', '/api/login', { username: people.student.username, password }, '');
  const fromElsewhere = (request: Request) => {
    request.headers.delete('origin');
    request.headers.set('sec-fetch-site', 'cross-site');
    return send(request);
  };
  async function saveReading() {
    const aircraftId = await plane({ last_hobbs: '200.0' });
    const id = await makeScan(db, people.administrator, aircraftId, { detected_text: '201.5' });
    await post(`/ocr/${id}/save`, {});
  }

  async function correct() {
    const id = await flight(landed);
    const starts = { startHobbsTime: '100.0', startTachTime: '90.0' };
    const readings = { ...starts, endHobbsTime: '101.4', endTachTime: '91.0', reason: 'Misread' };
    const body = await post(`/flight-logs/${id}/correct`, { intent: 'preview', ...readings });
    const { digest } = z.object({ preview: z.object({ digest: z.string() }) }).parse(body).preview;
    await post(`/flight-logs/${id}/correct`, { intent: 'save', seen: digest, ...readings });
  }

  async function reportSquawk(): Promise<number> {
    const squawk = { aircraftId: await plane(), text: 'Left brake soft.', unsafe: true };
    return z.object({ id: z.number() }).parse(JSON.parse(String(await call('POST', '/api/squawks', squawk)))).id;
  }

  async function changeSquawk(...changes: object[]) {
    const id = await reportSquawk();
    for (const change of changes) await call('PATCH', `/api/squawks/${id}`, change);
  }

  async function addInspection() {
    const hundredHours = { name: '100 h', dueAt: 'tach', dueReading: '250.0', interval: '100', intervalUnit: 'hours' };
    await post(`/airplanes/${await plane()}/inspections/add`, hundredHours);
  }

  async function changeInspection(fields: Record<string, string>) {
    await addInspection();
    const inspection = db.selectFrom('inspections').select('id').where('school_id', '=', schoolId);
    await post(`/inspections/${(await inspection.executeTakeFirstOrThrow()).id}`, fields);
  }

  async function choosePassword() {
    await post('/users?index', { intent: 'send-password-link', userId: String(people.student.id) });
    const mails = db.selectFrom('mail_outbox').selectAll().where('school_id', '=', schoolId);
    const mail = await mails.executeTakeFirstOrThrow();
    const token = new URL(linkIn({ text: mail.body_text }), 'http://x').searchParams.get('token') ?? '';
    await post('/reset-password', { token, password: 'chosen-by-link', confirmPassword: 'chosen-by-link' }, '');
  }

  async function register() {
    const { token } = await invitation();
    const typed = { password: PASSWORD, confirmPassword: PASSWORD };
    await post('/register', { token, username: `guest-${schoolId}`, ...typed }, '');
  }
  const newUser = (role: Role) => ({ username: `new-${schoolId}`, email: 'new@b.example', password: PASSWORD, role });

  return {
    ...{ schoolId, people, cookies, send, post, call, open, plane, foreignPlane, flight, invitation },
    ...{ signIn, signInByCall },
    ...{ reportSquawk, changeSquawk, addInspection, changeInspection },
    ...{ fromElsewhere, saveReading, correct, choosePassword, register, newUser },
  };
}
