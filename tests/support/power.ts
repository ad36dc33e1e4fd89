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

type Body = object | ((targets: Targets) => object);

/** The call that its name begins with, of an id as it says. */
const call = (name: string, of: keyof Targets | undefined, body?: Body): Act => ({
  name,
  request: (targets) => {
    const [method = '', path = ''] = name.split(/,? /);
    const sent = typeof body === 'function' ? body(targets) : body;
    return jsonRequest(method, of ? `${path}/${targets[of]}` : path, sent);
  },
});
const form = (name: string, of: keyof Targets | undefined, fields: Body, query = ''): Act => ({
  name,
  request: (targets) => {
    const path = (name.split(' ')[1] ?? '').replace(':id', String(of && targets[of]));
    const sent = Object.entries(typeof fields === 'function' ? fields(targets) : fields);
    return formRequest(path + query, Object.fromEntries(sent.map(([field, value]) => [field, String(value)])));
  },
});
const people = (name: string, content: (targets: Targets) => string, fields: Record<string, string>): Act => ({
  name,
  request: (targets) => sendPeople(content(targets), fields),
});

function sendPeople(content: string, fields: Record<string, string>): Request {
  const body = new FormData();
  for (const [name, value] of Object.entries({ kind: 'people', ...fields })) body.append(name, value);
  body.append('file', new File([content], 'people.csv'));
  return new Request(`${ORIGIN}/api/imports`, { method: 'POST', headers: { origin: ORIGIN }, body });
}

/** Calls that give or keep power, or take protection away. */
export const POWER_CALLS: Act[] = [
  call('POST /api/register of an administrator', undefined, (targets) => ({ ...chief(targets), password })),
  call('POST /api/invitations of an administrator', undefined, INVITED_CHIEF),
  call('PATCH /api/invitations to an administrator', 'invitation', { role: 'administrator' }),
  call('PATCH /api/invitations to another address', 'invitation', { email: 'other@chief.example' }),
  call('PATCH /api/invitations of an administrator to another address', 'administratorInvitation', {
    email: 'other-chief@chief.example',
  }),
  call('PATCH /api/invitations of an administrator, with a new link', 'administratorInvitation', { name: 'Carol C.' }),
  call('PATCH /api/users to an administrator', 'user', { role: 'administrator' }),
  call('PATCH /api/users to another email', 'user', { email: 'mine@chief.example' }),
  call('DELETE /api/users', 'user'),
  call('DELETE /api/aircraft', 'aircraft'),
  people('POST /api/imports of administrators', () => ADMINISTRATORS_FILE, {
    administrators: '1',
    sendInvitations: '1',
  }),
  call('PUT /api/flight-school with fewer days of activity', undefined, { ...SCHOOL, activityKeptDays: 90 }),
  call('POST /api/webhooks', undefined, { url: 'https://mine.example/', events: ['flight.started'] }),
  call('PATCH /api/webhooks to another address', 'webhook', { url: 'https://mine.example/' }),
];

const again = (id: number) => ({ intent: 'resend-invitation', invitationId: id });

/** Forms that do. */
export const POWER_FORMS: Act[] = [
  form('POST /users/add of an administrator', undefined, (targets) => ({ ...chief(targets), password })),
  form('POST /users/invitations of an administrator', undefined, INVITED_CHIEF),
  form('POST /users/invitations of an administrator again', undefined, (of) => again(of.administratorInvitation)),
  form('POST /users/invitations/:id to an administrator', 'invitation', INVITED_CHIEF),
  form('POST /users/invitations/:id to another address', 'invitation', { ...INVITED_IVAN, email: 'x@y.example' }),
  form('POST /users/:id to an administrator', 'user', ({ user }) => ({
    ...{ username: `user-${user}`, email: `u${user}@x.example`, role: 'administrator' },
  })),
  ...['remove-second-factor', 'send-password-link'].map((intent) => onUser(intent)),
  form('POST /school-settings without the second factor of administrators', undefined, { ...SCHOOL, timeZone: 'UTC' }),
  form('POST /school-settings with fewer days of activity', undefined, { ...SETTINGS, activityKeptDays: '90' }),
  form('POST /school-settings/import/:id of administrators', 'importedFile', { intent: 'apply' }),
  form('POST /account/token', undefined, { name: 'Books', scope: 'manage', days: '365' }),
  form('POST /airplanes/:id/calendar', 'aircraft', { intent: 'make' }),
];

function onUser(intent: string): Act {
  return form(`POST /users ${intent}`, undefined, ({ user }) => ({ intent, userId: user }), '?index');
}

export const EXPORTS: Act[] = [
  { name: 'GET /api/export', request: () => getRequest('/api/export') },
  {
    name: 'POST /api/export',
    request: () => new Request(`${ORIGIN}/api/export`, { method: 'POST', headers: { origin: ORIGIN } }),
  },
];

/** The work of the day with the same calls, which asks for nothing. */
export const DAILY_CALLS: Act[] = [
  call('POST /api/register of a student', undefined, (targets) => ({ ...stan(targets), password })),
  call('POST /api/invitations of an instructor', undefined, { ...INVITED_INA, role: 'instructor' }),
  call('PATCH /api/invitations of a student, of name and role', 'invitation', { name: 'Stan', role: 'instructor' }),
  people('POST /api/imports of students', studentsFile, { sendInvitations: '1' }),
  people('POST /api/imports of administrators, as a preview', () => ADMINISTRATORS_FILE, {
    ...{ administrators: '1', preview: '1' },
  }),
  call('PUT /api/flight-school with more days of activity', undefined, { ...SCHOOL, activityKeptDays: 3650 }),
  call('DELETE /api/invitations of an administrator', 'administratorInvitation'),
];

/** The same with forms. */
export const DAILY_FORMS: Act[] = [
  form('POST /users/add of a student', undefined, (targets) => ({ ...stan(targets), password })),
  form('POST /users/invitations of a student', undefined, INVITED_INA),
  form('POST /users/invitations of a student again', undefined, ({ invitation }) => again(invitation)),
  onUser('sign-out-user'),
  form('POST /school-settings as it is', undefined, { ...SETTINGS, activityKeptDays: '730' }),
  form('POST /school-settings/import/:id check, with administrators', 'importedFile', {
    ...{ intent: 'check', administrators: 'on' },
  }),
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
