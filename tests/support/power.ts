import { sql } from 'kysely';
import type { Db } from '#db/connect.server.ts';
import type { Member } from '#app/domain/actor.ts';
import { uploadImport } from '#app/domain/imports/upload-import.server.ts';
import { NO_OPTIONS } from '#app/domain/imports/options.server.ts';
import { makeInvitation } from './invitation.ts';
import { formRequest, getRequest, jsonRequest, ORIGIN } from './requests.ts';
import { makeAircraft, makeSchool, makeUser } from './school.ts';
import { makeSecondFactor } from './second-factor.ts';
import { insertWebhook } from './webhooks.ts';

/** The ids that an act may name. */
interface Targets {
  school: number;
  user: number;
  aircraft: number;
  webhook: number;
  /** Of a student. */
  invitation: number;
  administratorInvitation: number;
  /** Of people, administrators among them, which waits. */
  importedFile: number;
}

export interface Act {
  name: string;
  /** Without who sends it. */
  request: (targets: Targets) => Request;
}

const PEOPLE = 'username,name,email,role\n';
const ADMINISTRATORS_FILE = `${PEOPLE}import-chief,Carol Chief,carol@chief.example,administrator\n`;
const studentsFile = ({ school }: Targets) =>
  `${PEOPLE}import-stan-${school},Stan Student,sten@student.example,student\n`;
const SCHOOL = { name: 'Cascade', address: '1 Field Road', phone: '555 0100' };
const SETTINGS = { ...SCHOOL, timeZone: 'UTC', administratorsNeedSecondFactor: 'on' };
// Usernames are those of the whole installation.
const chief = ({ school }: Targets) => ({
  ...{ username: `made-chief-${school}`, email: 'chief@chief.example', role: 'administrator' },
});
const stan = ({ school }: Targets) => ({ username: `stan-${school}`, email: 'stan@student.example', role: 'student' });
const INVITED_CHIEF = { name: 'Carol Chief', email: 'carol@chief.example', role: 'administrator' };
const INVITED_IVAN = { name: 'Ivan Student', email: 'ivan@student.example', role: 'student' };
const INVITED_INA = { ...INVITED_IVAN, name: 'Ina Student', email: 'ina@student.example' };
const password = 'gull over marsh 9';

const send = (method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: object) =>
  jsonRequest(method, path, body);
const post = (path: string, fields: Record<string, string>) => formRequest(path, fields);

function sendPeople(content: string, fields: Record<string, string>): Request {
  const body = new FormData();
  for (const [name, value] of Object.entries({ kind: 'people', ...fields })) body.append(name, value);
  body.append('file', new File([content], 'people.csv'));
  return new Request(`${ORIGIN}/api/imports`, { method: 'POST', headers: { origin: ORIGIN }, body });
}

/** Calls that give or keep power, or take protection away. */
export const POWER_CALLS: Act[] = [
  {
    name: 'POST /api/register of an administrator',
    request: (targets) => send('POST', '/api/register', { ...chief(targets), password }),
  },
  {
    name: 'POST /api/invitations of an administrator',
    request: () => send('POST', '/api/invitations', INVITED_CHIEF),
  },
  {
    name: 'PATCH /api/invitations to an administrator',
    request: ({ invitation }) => send('PATCH', `/api/invitations/${invitation}`, { role: 'administrator' }),
  },
  {
    name: 'PATCH /api/invitations to another address',
    request: ({ invitation }) => send('PATCH', `/api/invitations/${invitation}`, { email: 'other@chief.example' }),
  },
  {
    name: 'PATCH /api/invitations of an administrator to another address',
    request: ({ administratorInvitation: id }) =>
      send('PATCH', `/api/invitations/${id}`, { email: 'other-chief@chief.example' }),
  },
  {
    name: 'PATCH /api/invitations of an administrator, with a new link',
    request: ({ administratorInvitation: id }) => send('PATCH', `/api/invitations/${id}`, { name: 'Carol C.' }),
  },
  {
    name: 'PATCH /api/users to an administrator',
    request: ({ user }) => send('PATCH', `/api/users/${user}`, { role: 'administrator' }),
  },
  {
    name: 'PATCH /api/users to another email',
    request: ({ user }) => send('PATCH', `/api/users/${user}`, { email: 'mine@chief.example' }),
  },
  { name: 'DELETE /api/users', request: ({ user }) => send('DELETE', `/api/users/${user}`) },
  { name: 'DELETE /api/aircraft', request: ({ aircraft }) => send('DELETE', `/api/aircraft/${aircraft}`) },
  {
    name: 'POST /api/imports of administrators',
    request: () => sendPeople(ADMINISTRATORS_FILE, { administrators: '1', sendInvitations: '1' }),
  },
  {
    name: 'PUT /api/flight-school with fewer days of activity',
    request: () => send('PUT', '/api/flight-school', { ...SCHOOL, activityKeptDays: 90 }),
  },
  {
    name: 'POST /api/webhooks',
    request: () => send('POST', '/api/webhooks', { url: 'https://mine.example/', events: ['flight.started'] }),
  },
  {
    name: 'PATCH /api/webhooks to another address',
    request: ({ webhook }) => send('PATCH', `/api/webhooks/${webhook}`, { url: 'https://mine.example/' }),
  },
];

/** Forms that do. */
export const POWER_FORMS: Act[] = [
  {
    name: 'POST /users/add of an administrator',
    request: (targets) => post('/users/add', { ...chief(targets), password }),
  },
  {
    name: 'POST /users/invitations of an administrator',
    request: () => post('/users/invitations', INVITED_CHIEF),
  },
  {
    name: 'POST /users/invitations of an administrator again',
    request: ({ administratorInvitation: id }) =>
      post('/users/invitations', { intent: 'resend-invitation', invitationId: String(id) }),
  },
  {
    name: 'POST /users/invitations/:id to an administrator',
    request: ({ invitation }) => post(`/users/invitations/${invitation}`, INVITED_CHIEF),
  },
  {
    name: 'POST /users/invitations/:id to another address',
    request: ({ invitation }) => post(`/users/invitations/${invitation}`, { ...INVITED_IVAN, email: 'x@y.example' }),
  },
  {
    name: 'POST /users/:id to an administrator',
    request: ({ user }) =>
      post(`/users/${user}`, { username: `user-${user}`, email: `u${user}@x.example`, role: 'administrator' }),
  },
  {
    name: 'POST /users remove-second-factor',
    request: ({ user }) => post('/users?index', { intent: 'remove-second-factor', userId: String(user) }),
  },
  {
    name: 'POST /users send-password-link',
    request: ({ user }) => post('/users?index', { intent: 'send-password-link', userId: String(user) }),
  },
  {
    name: 'POST /school-settings without the second factor of administrators',
    request: () => post('/school-settings', { ...SCHOOL, timeZone: 'UTC' }),
  },
  {
    name: 'POST /school-settings with fewer days of activity',
    request: () => post('/school-settings', { ...SETTINGS, activityKeptDays: '90' }),
  },
  {
    name: 'POST /school-settings/import/:id of administrators',
    request: ({ importedFile }) => post(`/school-settings/import/${importedFile}`, { intent: 'apply' }),
  },
  {
    name: 'POST /account/token',
    request: () => post('/account/token', { name: 'Books', scope: 'manage', days: '365' }),
  },
  {
    name: 'POST /airplanes/:id/calendar',
    request: ({ aircraft }) => post(`/airplanes/${aircraft}/calendar`, { intent: 'make' }),
  },
];

export const EXPORTS: Act[] = [
  { name: 'GET /api/export', request: () => getRequest('/api/export') },
  {
    name: 'POST /api/export',
    request: () => new Request(`${ORIGIN}/api/export`, { method: 'POST', headers: { origin: ORIGIN } }),
  },
];

/** The work of the day with the same calls, which asks for nothing. */
export const DAILY_CALLS: Act[] = [
  {
    name: 'POST /api/register of a student',
    request: (targets) => send('POST', '/api/register', { ...stan(targets), password }),
  },
  {
    name: 'POST /api/invitations of an instructor',
    request: () => send('POST', '/api/invitations', { ...INVITED_INA, role: 'instructor' }),
  },
  {
    name: 'PATCH /api/invitations of a student, of name and role',
    request: ({ invitation }) => send('PATCH', `/api/invitations/${invitation}`, { name: 'Stan', role: 'instructor' }),
  },
  {
    name: 'POST /api/imports of students',
    request: (targets) => sendPeople(studentsFile(targets), { sendInvitations: '1' }),
  },
  {
    name: 'POST /api/imports of administrators, as a preview',
    request: () => sendPeople(ADMINISTRATORS_FILE, { administrators: '1', preview: '1' }),
  },
  {
    name: 'PUT /api/flight-school with more days of activity',
    request: () => send('PUT', '/api/flight-school', { ...SCHOOL, activityKeptDays: 3650 }),
  },
  {
    name: 'DELETE /api/invitations of an administrator',
    request: ({ administratorInvitation: id }) => send('DELETE', `/api/invitations/${id}`),
  },
];

/** The same with forms. */
export const DAILY_FORMS: Act[] = [
  { name: 'POST /users/add of a student', request: (targets) => post('/users/add', { ...stan(targets), password }) },
  { name: 'POST /users/invitations of a student', request: () => post('/users/invitations', INVITED_INA) },
  {
    name: 'POST /users/invitations of a student again',
    request: ({ invitation }) =>
      post('/users/invitations', { intent: 'resend-invitation', invitationId: String(invitation) }),
  },
  {
    name: 'POST /users sign-out-user',
    request: ({ user }) => post('/users?index', { intent: 'sign-out-user', userId: String(user) }),
  },
  {
    name: 'POST /school-settings as it is',
    request: () => post('/school-settings', { ...SETTINGS, activityKeptDays: '730' }),
  },
  {
    name: 'POST /school-settings/import/:id check, with administrators',
    request: ({ importedFile }) =>
      post(`/school-settings/import/${importedFile}`, { intent: 'check', administrators: 'on' }),
  },
];

/** A school that asks its administrators for a second factor, and what an attacker finds in it. */
export async function makeGuardedSchool(db: Db): Promise<Targets & { administrator: Member }> {
  const schoolId = await makeSchool(db, { administrators_need_second_factor: true });
  const administrator = await makeUser(db, schoolId, 'administrator');
  const user = await makeUser(db, schoolId);
  for (const guarded of [administrator, user]) await makeSecondFactor(db, guarded);
  const onServer = { ...administrator, member: null };
  const file = { content: Buffer.from(ADMINISTRATORS_FILE.replaceAll('chief', `chief-${schoolId}`)), name: 'a.csv' };
  const options = { ...NO_OPTIONS, administrators: true };
  return {
    school: schoolId,
    administrator,
    user: user.id,
    aircraft: await makeAircraft(db, schoolId),
    webhook: await insertWebhook(db, schoolId),
    invitation: (await makeInvitation(db, administrator, { role: 'student', email: 'ivan@student.example' })).id,
    administratorInvitation: (await makeInvitation(db, administrator, { role: 'administrator' })).id,
    importedFile: (await uploadImport(db, onServer, file, 'people', { options })).id,
  };
}

interface Power {
  /** Each is a way in, or to the data. */
  held: string[];
  /** Each protects something, or is kept. */
  kept: string[];
  activityKeptDays: number;
}

/** Who and what has power in a school, and what protects it. */
export async function powerIn(db: Db, schoolId: number): Promise<Power> {
  const people = sql`(select id from users where school_id = ${schoolId})`;
  const { rows } = await sql<{ what: 'held' | 'kept' | 'days'; text: string }>`
    select 'held' as what, concat_ws(' ', 'administrator', id, email, password_generation) as text from users
      where school_id = ${schoolId} and role = 'administrator' and deleted_at is null
    union all select 'held', concat_ws(' ', 'invitation', id, email, token_hash) from invitations
      where school_id = ${schoolId} and role = 'administrator' and accepted_at is null
    union all select 'held', concat_ws(' ', 'password link', user_id, token_hash) from password_links
      where user_id in (select id from users where school_id = ${schoolId} and username not like 'import-stan-%')
    union all select 'held', concat_ws(' ', 'access token', token_hash) from access_tokens where user_id in ${people}
    union all select 'held', concat_ws(' ', 'calendar', link_hash) from calendar_links where school_id = ${schoolId}
    union all select 'held', concat_ws(' ', 'webhook', url, secret) from webhooks
      where school_id = ${schoolId} and removed_at is null
    union all select 'held', concat_ws(' ', 'passkey', id) from passkeys where user_id in ${people}
    union all select 'held', concat_ws(' ', 'export', id) from audit_entries
      where school_id = ${schoolId} and action = 'exported everything' and outcome = 'done'
    union all select 'kept', concat_ws(' ', 'user', id, email) from users
      where school_id = ${schoolId} and deleted_at is null
    union all select 'kept', concat_ws(' ', 'aircraft', id) from aircraft
      where school_id = ${schoolId} and deleted_at is null
    union all select 'kept', concat_ws(' ', 'second factor', user_id, secret) from second_factors
      where user_id in ${people}
    union all select 'kept', 'demand of a second factor' from schools
      where id = ${schoolId} and administrators_need_second_factor
    union all select 'kept', 'the school' from schools where id = ${schoolId} and removal_due_at is null
    union all select 'days', activity_kept_days::text from schools where id = ${schoolId}`.execute(db);
  const textsOf = (kind: string) => rows.filter(({ what }) => what === kind).map(({ text }) => text);
  return { held: textsOf('held'), kept: textsOf('kept'), activityKeptDays: Number(textsOf('days')[0]) };
}

/** What somebody has got, or taken away, between the two. */
export function powerGained(before: Power, after: Power): string[] {
  return [
    ...after.held.filter((one) => !before.held.includes(one)),
    ...before.kept.filter((one) => !after.kept.includes(one)).map((one) => `without ${one}`),
    ...(after.activityKeptDays < before.activityKeptDays ? ['fewer days of activity'] : []),
  ];
}
