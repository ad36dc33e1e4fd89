import type { Action } from '#app/domain/audit/actions.ts';
import type { ActivityEvent } from '#app/domain/audit/queries.server.ts';
import { changedValueTexts } from './changed-values.ts';

type Describe = (event: ActivityEvent) => string;

export function describeEvent(event: ActivityEvent): string {
  const describe = (SENTENCES as Partial<Record<string, Describe>>)[event.action];
  const sentence = describe?.(event) ?? `${event.action} (${event.subject})`;
  return event.times > 1 ? `${sentence}, ${event.times} times in a minute` : sentence;
}

export function describeDetails(event: ActivityEvent): string[] {
  const { reason, action } = event;
  const changes = NO_CHANGES.includes(action) ? [] : changedValueTexts(event);
  return reason ? [...changes, `Reason: ${reason}`] : changes;
}

const NO_CHANGES: string[] = [
  'signed in',
  'refused request',
  'refused request from another site',
  'refused unknown id',
  'alerted administrators',
  'mailed proof of activity',
  'removed old activity',
  'imported school',
  'asked for removal',
  'removed school',
] satisfies Action[];

const SENTENCES: Record<Action, Describe> = {
  'signed in': (event) => `${nameOf(event)} signed in${secondFactorOf(event)}`,
  'signed in by passkey': (event) => `${nameOf(event)} signed in with a passkey`,
  'signed in on a new device': (event) => `${nameOf(event)} signed in on a new device`,
  'signed out': (event) => `${nameOf(event)} signed out`,
  'failed to sign in': (event) => `Sign-in as ${nameOf(event)} failed: wrong password`,
  'passkey refused': (event) => `Sign-in as ${nameOf(event)} failed: passkey refused`,
  'refused without passkey': (event) => `Sign-in as ${nameOf(event)} refused: right password, but no passkey`,
  'locked out': (event) => `Sign-in as ${nameOf(event)} refused: too many attempts`,
  'guessed codes': (event) => `Too many wrong codes after the right password of ${nameOf(event)}`,
  'used recovery code': (event) => `${nameOf(event)} used a recovery code`,
  'refused request': (event) => `Not permitted: ${requestOf(event)}`,
  'refused request from another site': (event) => `Refused a request from another website: ${requestOf(event)}`,
  'refused unknown id': (event) => `Not there, or of another school: ${requestOf(event)}`,
  'added user': (event) => `User ${nameOf(event)} added`,
  'brought user back': (event) => `Former user ${nameOf(event)} brought back`,
  'changed user': (event) => `User ${nameOf(event)} changed`,
  'registered by invitation': (event) => `${nameOf(event)} registered with an invitation`,
  'deleted user': (event) => `User ${nameOf(event)} deleted`,
  'sent password link': (event) => `Link for a new password sent to ${nameOf(event)}`,
  'deleted password link': (event) => `Link for a new password of ${nameOf(event)} deleted`,
  'set password by link': (event) => `${nameOf(event)} chose a new password`,
  'signed user out': (event) => `${nameOf(event)} signed out everywhere by an administrator`,
  'set password on the command line': (event) => `Password of ${nameOf(event)} set on the server`,
  'made password link on the command line': (event) => `Link for a new password of ${nameOf(event)} made on the server`,
  'changed own password': (event) => `${nameOf(event)} changed their password`,
  'changed own email': (event) => `${nameOf(event)} changed their email`,
  'changed own name': (event) => `${nameOf(event)} changed their name`,
  'changed own keys': (event) => `${nameOf(event)} changed which keys do something`,
  'requested password link': (event) => `${nameOf(event)} asked for a link for a forgotten password`,
  'added second factor': (event) => `${nameOf(event)} added a second factor`,
  'removed second factor': (event) => `Second factor of ${nameOf(event)} removed`,
  'replaced recovery codes': (event) => `${nameOf(event)} replaced their recovery codes`,
  'added passkey': (event) => `${nameOf(event)} added a passkey`,
  'removed passkey': (event) => `${nameOf(event)} removed a passkey`,
  'added access token': (event) => `${nameOf(event)} added an access token`,
  'removed access token': (event) => `${nameOf(event)} removed an access token`,
  'made calendar link': (event) => `Link to the calendar of ${tailOf(event)} made`,
  'removed calendar link': (event) => `Link to the calendar of ${tailOf(event)} removed`,
  'ended own session': (event) => `${nameOf(event)} ended a session of theirs`,
  'signed out everywhere': (event) => `${nameOf(event)} signed out everywhere`,
  'sent invitation': (event) => `Invitation sent to ${inviteeOf(event)}`,
  'sent invitation again': (event) => `Invitation sent again to ${inviteeOf(event)}`,
  'changed invitation': (event) => `Invitation of ${inviteeOf(event)} changed and sent`,
  'ended invitation': (event) => `Invitation of ${inviteeOf(event)} ended: joined in another way`,
  'deleted invitation': (event) => `Invitation of ${inviteeOf(event)} deleted`,
  'added aircraft': (event) => `Aircraft ${tailOf(event)} added`,
  'deleted aircraft': (event) => `Aircraft ${tailOf(event)} deleted`,
  'set to maintenance': (event) => `Aircraft ${tailOf(event)} set to maintenance`,
  'marked as available': (event) => `Aircraft ${tailOf(event)} marked as available`,
  'saved last reading': (event) => `Last reading of ${tailOf(event)} saved`,
  'declared meter change': (event) => `New meter reading of ${tailOf(event)} after a meter was replaced or rolled over`,
  'closed flight on behalf': ({ subjectId }) => `Flight ${subjectId} closed on behalf of its pilot`,
  'cancelled check-out': ({ subjectId }) => `Check-out of flight ${subjectId} cancelled`,
  'corrected readings': ({ subjectId }) => `Flight ${subjectId} corrected`,
  'entered past flight': ({ subjectId }) => `Flight ${subjectId} entered after it had ended`,
  'opened squawk': (event) => `Squawk reported on ${tailOf(event)}`,
  'deferred squawk': (event) => `Squawk on ${tailOf(event)} deferred`,
  'fixed squawk': (event) => `Squawk on ${tailOf(event)} fixed`,
  'withdrew squawk': (event) => `Squawk on ${tailOf(event)} withdrawn`,
  'reopened squawk': (event) => `Squawk on ${tailOf(event)} reopened`,
  'added inspection': (event) => `Inspection of ${tailOf(event)} added`,
  'changed inspection': (event) => `Inspection of ${tailOf(event)} changed`,
  'completed inspection': (event) => `Inspection of ${tailOf(event)} done`,
  'removed inspection': (event) => `Inspection of ${tailOf(event)} removed`,
  'imported file': ({ after }) => `Imported from ${text(after.file)}: ${text(after.kind)}`,
  'undid import': ({ after }) => `Import of ${text(after.file)} undone: ${text(after.kind)}`,
  'exported flight logs': ({ after }) =>
    typeof after.aircraftId === 'number'
      ? 'Flight logs of one aircraft exported'
      : Object.keys(after).length > 1
        ? 'Part of the flight logs exported'
        : 'All flight logs exported',
  'exported hours': ({ after }) => `Hours by ${text(after.by)} exported`,
  'exported activity': () => 'Activity exported',
  'added webhook': (event) => `Webhook to ${urlOf(event)} added`,
  'changed webhook': (event) => `Webhook to ${urlOf(event)} changed`,
  'removed webhook': (event) => `Webhook to ${urlOf(event)} removed`,
  'replaced webhook secret': (event) => `Secret of the webhook to ${urlOf(event)} replaced`,
  'tested webhook': (event) => `Test sent to the webhook ${urlOf(event)}`,
  'sent event again': (event) => `Event ${text(event.after.event)} sent again to ${urlOf(event)}`,
  'exported everything': () => 'Everything of the school exported',
  'exported own data': (event) => `${nameOf(event)} took their own data out`,
  'created school': ({ after }) => `School ${text(after.name)} created`,
  'founded on the command line': ({ after }) => `Created on the server, with administrator ${text(after.username)}`,
  'saved school settings': () => 'School settings saved',
  'alerted administrators': (event) => `Administrators got a mail: ${alertOf(event)}`,
  'mailed proof of activity': ({ after }) => `Proof of the activity mailed, up to position ${text(after.position)}`,
  'imported school': ({ after }) => `School imported from a file of ${text(after.exportedAt)}`,
  'asked for removal': ({ after }) => `Deletion of the school asked for, due ${text(after.dueAt)}`,
  'called removal off': () => 'Deletion of the school called off',
  'removed school': ({ subjectId }) => `School ${subjectId} deleted`,
  'recorded rows': (event) => `${rowOf(event)} recorded as it stands`,
  'changed by hand': (event) => `${rowOf(event)} changed by hand in the database`,
  'accepted rows': (event) => `${rowOf(event)} accepted as it stands, on the server`,
  'removed old activity': ({ after }) => `Old activity removed: ${text(after.entries)} entries`,
};

const ALERTS: Partial<Record<string, string>> = {
  'new administrator': 'new administrator',
  'administrator locked out': 'too many sign-ins as',
  'refused requests': 'many refused requests of',
  'second factor removed': 'second factor removed of',
  'last passkey removed': 'last passkey removed of',
};

function alertOf(event: ActivityEvent): string {
  return `${ALERTS[text(event.after.about)] ?? text(event.after.about)} ${nameOf(event)}`;
}

function rowOf({ subject, subjectId }: ActivityEvent): string {
  const [one, many] = ROWS[subject] ?? [subject, subject];
  return subjectId === null ? many : `${one} ${subjectId}`;
}

const ROWS: Partial<Record<string, [one: string, many: string]>> = {
  flight_logs: ['Flight', 'Flights'],
  users: ['Role of user', 'Roles of users'],
  aircraft: ['Aircraft', 'Aircraft'],
  inspections: ['Inspection', 'Inspections'],
  inspection_completions: ['Done-record', 'Done-records'],
  accounts: ['Sign-in data of user', 'Sign-in data of users'],
  invitations: ['Invitation', 'Invitations'],
  schools: ['Protection of school', 'Protection of schools'],
  fuel_records: ['Fuel record', 'Fuel records'],
  squawks: ['Squawk', 'Squawks'],
  meter_segments: ['Meter', 'Meters'],
};

function secondFactorOf({ after }: ActivityEvent): string {
  const kind = optionalText(after.secondFactor);
  return kind === undefined ? '' : ` with password and ${kind}`;
}

function nameOf({ about, after, before, person }: ActivityEvent): string {
  return about ?? optionalText(after.username) ?? optionalText(before.username) ?? person ?? 'an unknown user';
}

function tailOf({ about, after, before, subjectId }: ActivityEvent): string {
  const [tailNumber, aircraft] = [after.tailNumber ?? before.tailNumber, after.aircraft ?? before.aircraft];
  return about ?? optionalText(tailNumber) ?? optionalText(aircraft) ?? String(subjectId);
}

function urlOf({ after, before }: ActivityEvent): string {
  return text(after.url ?? before.url);
}

function inviteeOf({ email, about, after, before }: ActivityEvent): string {
  return email || about || optionalText(after.name) || optionalText(before.name) || 'somebody';
}

function requestOf({ after }: ActivityEvent): string {
  const verb = after.method === 'GET' || after.method === 'HEAD' ? 'opening' : 'sending to';
  return `${verb} ${text(after.path)}`;
}

function optionalText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function text(value: unknown): string {
  return value === undefined ? '' : String(value);
}
