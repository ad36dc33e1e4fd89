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

const act = (name: string, request: Act['request']): Act => ({ name, request });

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
  act('POST /api/register of an administrator', (targets) =>
    send('POST', '/api/register', { ...chief(targets), password }),
  ),
  act('POST /api/invitations of an administrator', () => send('POST', '/api/invitations', INVITED_CHIEF)),
  act('PATCH /api/invitations to an administrator', ({ invitation }) =>
    send('PATCH', `/api/invitations/${invitation}`, { role: 'administrator' }),
  ),
  act('PATCH /api/invitations to another address', ({ invitation }) =>
    send('PATCH', `/api/invitations/${invitation}`, { email: 'other@chief.example' }),
  ),
  act('PATCH /api/invitations of an administrator to another address', ({ administratorInvitation: id }) =>
    send('PATCH', `/api/invitations/${id}`, { email: 'other-chief@chief.example' }),
  ),
  act('PATCH /api/invitations of an administrator, with a new link', ({ administratorInvitation: id }) =>
    send('PATCH', `/api/invitations/${id}`, { name: 'Carol C.' }),
  ),
  act('PATCH /api/users to an administrator', ({ user }) =>
    send('PATCH', `/api/users/${user}`, { role: 'administrator' }),
  ),
  act('PATCH /api/users to another email', ({ user }) =>
    send('PATCH', `/api/users/${user}`, { email: 'mine@chief.example' }),
  ),
  act('DELETE /api/users', ({ user }) => send('DELETE', `/api/users/${user}`)),
  act('DELETE /api/aircraft', ({ aircraft }) => send('DELETE', `/api/aircraft/${aircraft}`)),
  act('POST /api/imports of administrators', () =>
    sendPeople(ADMINISTRATORS_FILE, { administrators: '1', sendInvitations: '1' }),
  ),
  act('PUT /api/flight-school with fewer days of activity', () =>
    send('PUT', '/api/flight-school', { ...SCHOOL, activityKeptDays: 90 }),
  ),
  act('POST /api/webhooks', () =>
    send('POST', '/api/webhooks', { url: 'https://mine.example/', events: ['flight.started'] }),
  ),
  act('PATCH /api/webhooks to another address', ({ webhook }) =>
    send('PATCH', `/api/webhooks/${webhook}`, { url: 'https://mine.example/' }),
  ),
];

/** Forms that do. */
export const POWER_FORMS: Act[] = [
  act('POST /users/add of an administrator', (targets) => post('/users/add', { ...chief(targets), password })),
  act('POST /users/invitations of an administrator', () => post('/users/invitations', INVITED_CHIEF)),
  act('POST /users/invitations of an administrator again', ({ administratorInvitation: id }) =>
    post('/users/invitations', { intent: 'resend-invitation', invitationId: String(id) }),
  ),
  act('POST /users/invitations/:id to an administrator', ({ invitation }) =>
    post(`/users/invitations/${invitation}`, INVITED_CHIEF),
  ),
  act('POST /users/invitations/:id to another address', ({ invitation }) =>
    post(`/users/invitations/${invitation}`, { ...INVITED_IVAN, email: 'x@y.example' }),
  ),
  act('POST /users/:id to an administrator', ({ user }) =>
    post(`/users/${user}`, { username: `user-${user}`, email: `u${user}@x.example`, role: 'administrator' }),
  ),
  act('POST /users remove-second-factor', ({ user }) =>
    post('/users?index', { intent: 'remove-second-factor', userId: String(user) }),
  ),
  act('POST /users send-password-link', ({ user }) =>
    post('/users?index', { intent: 'send-password-link', userId: String(user) }),
  ),
  act('POST /school-settings without the second factor of administrators', () =>
    post('/school-settings', { ...SCHOOL, timeZone: 'UTC' }),
  ),
  act('POST /school-settings with fewer days of activity', () =>
    post('/school-settings', { ...SETTINGS, activityKeptDays: '90' }),
  ),
  act('POST /school-settings/import/:id of administrators', ({ importedFile }) =>
    post(`/school-settings/import/${importedFile}`, { intent: 'apply' }),
  ),
  act('POST /account/token', () => post('/account/token', { name: 'Books', scope: 'manage', days: '365' })),
  act('POST /airplanes/:id/calendar', ({ aircraft }) => post(`/airplanes/${aircraft}/calendar`, { intent: 'make' })),
];

export const EXPORTS: Act[] = [
  act('GET /api/export', () => getRequest('/api/export')),
  act('POST /api/export', () => new Request(`${ORIGIN}/api/export`, { method: 'POST', headers: { origin: ORIGIN } })),
];

/** The work of the day with the same calls, which asks for nothing. */
export const DAILY_CALLS: Act[] = [
  act('POST /api/register of a student', (targets) => send('POST', '/api/register', { ...stan(targets), password })),
  act('POST /api/invitations of an instructor', () =>
    send('POST', '/api/invitations', { ...INVITED_INA, role: 'instructor' }),
  ),
  act('PATCH /api/invitations of a student, of name and role', ({ invitation }) =>
    send('PATCH', `/api/invitations/${invitation}`, { name: 'Stan', role: 'instructor' }),
  ),
  act('POST /api/imports of students', (targets) => sendPeople(studentsFile(targets), { sendInvitations: '1' })),
  act('POST /api/imports of administrators, as a preview', () =>
    sendPeople(ADMINISTRATORS_FILE, { administrators: '1', preview: '1' }),
  ),
  act('PUT /api/flight-school with more days of activity', () =>
    send('PUT', '/api/flight-school', { ...SCHOOL, activityKeptDays: 3650 }),
  ),
  act('DELETE /api/invitations of an administrator', ({ administratorInvitation: id }) =>
    send('DELETE', `/api/invitations/${id}`),
  ),
];

/** The same with forms. */
export const DAILY_FORMS: Act[] = [
  act('POST /users/add of a student', (targets) => post('/users/add', { ...stan(targets), password })),
  act('POST /users/invitations of a student', () => post('/users/invitations', INVITED_INA)),
  act('POST /users/invitations of a student again', ({ invitation }) =>
    post('/users/invitations', { intent: 'resend-invitation', invitationId: String(invitation) }),
  ),
  act('POST /users sign-out-user', ({ user }) =>
    post('/users?index', { intent: 'sign-out-user', userId: String(user) }),
  ),
  act('POST /school-settings as it is', () => post('/school-settings', { ...SETTINGS, activityKeptDays: '730' })),
  act('POST /school-settings/import/:id check, with administrators', ({ importedFile }) =>
    post(`/school-settings/import/${importedFile}`, { intent: 'check', administrators: 'on' }),
  ),
];

/** A school that asks its administrators for a second factor, and what an attacker finds in it. */
export async function makeGuardedSchool(db: Db): Promise<Targets & { administrator: Member }> {
  const schoolId = await makeSchool(db, { administrators_need_second_factor: true });
  const administrator = await makeUser(db, schoolId, 'administrator');
  const user = await makeUser(db, schoolId);
  for (const guarded of [administrator, user]) await makeSecondFactor(db, guarded);
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
    importedFile: (await uploadImport(db, { member: administrator }, file, 'people', { options })).id,
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
