import { randomUUID } from 'node:crypto';
import { codedMeter } from '../coded-meter.ts';
import { formRequest, getRequest } from '../requests.ts';
import { PASSWORD } from '../school.ts';
import { inBody, inPath, type MatrixRow } from './cells.ts';
import type { Fixtures } from './fixtures.ts';
import { pastFlight, pastFlights } from './past-flights.ts';

const image = new Uint8Array(await codedMeter('12345'));

const get = (path: string) => (cookie: string) => getRequest(path, cookie);
const post = (path: string, fields: Record<string, string>) => (cookie: string) => formRequest(path, fields, cookie);

// Signed out: to the sign-in page by 303 (C29).
const form = { can: 'anyRole', success: 303, signedOut: 303 } as const;
const readings = { startHobbsTime: '100.0', startTachTime: '90.0' };
const ends = { endHobbsTime: '101.4', endTachTime: '91.2' };
const meterChange = { meter: 'hobbs', reason: 'replaced', oldLast: '123456.7', newFirst: '0.0' };
// A route that is registered only for administrators (B007).
const hidden = { can: 'manage invitations', refusal: 404 } as const;
const newcomer = { username: 'newcomer', email: 'newcomer@school.example', role: 'student' };
const reason = 'Fog';
const school = { name: 'Cascade', address: '1 Field Road', phone: '555 0100', timeZone: 'UTC' };
const diamond = { tailNumber: 'N40FL', make: 'Diamond', model: 'DA40', year: '2012' };

const hundredHours = { name: '100 h', dueAt: 'tach', dueReading: '1300', interval: '100', intervalUnit: 'hours' };

const webhook = { url: 'https://receiver.example/events', flightStarted: 'on' };

const everywhere = { intent: 'sign-out-everywhere' };
const newPassword = { password: 'quite another one', confirmPassword: 'quite another one' };

const onFleet = (intent: string, id: string) => post('/airplanes?index', { intent, aircraftId: id });

/** C33, form intent by form intent, and what is asked of a page by its address. */
export function formRows(fixtures: Fixtures): MatrixRow[] {
  const {
    aircraft,
    openFlight,
    completedFlight,
    user,
    pilotInFlight,
    invitation,
    squawk,
    fixedSquawk,
    inspection,
    importedFile,
  } = fixtures;
  const past = pastFlights(fixtures);
  return [
    { name: 'POST /logout', ...form, valid: () => post('/logout', {}) },
    {
      name: 'POST /airplanes set-maintenance',
      ...form,
      can: 'set aircraft status',
      id: inBody(aircraft, { malformed: 404 }),
      valid: (id) => onFleet('set-maintenance', id),
    },
    {
      name: 'POST /airplanes mark-available',
      ...form,
      can: 'set aircraft status',
      id: inBody(fixtures.aircraftInMaintenance, { malformed: 404 }),
      valid: (id) => onFleet('mark-available', id),
    },
    {
      name: 'POST /airplanes delete-aircraft',
      ...form,
      can: 'manage aircraft',
      id: inBody(aircraft, { malformed: 404, conflicting: fixtures.aircraftInFlight }),
      valid: (id) => onFleet('delete-aircraft', id),
    },
    {
      name: 'POST /airplanes with an unknown intent',
      ...form,
      can: 'set aircraft status',
      success: 400,
      valid: () => onFleet('paint-it', '1'),
    },
    {
      name: 'POST /airplanes/:id/meters',
      ...form,
      can: 'change meters',
      id: inPath(aircraft, { conflicting: fixtures.aircraftInFlight }),
      valid: (id) => post(`/airplanes/${id}/meters`, meterChange),
      invalid: (id) => post(`/airplanes/${id}/meters`, { ...meterChange, newFirst: 'x' }),
    },
    {
      name: 'POST /airplanes/add',
      ...form,
      can: 'manage aircraft',
      valid: () => post('/airplanes/add', diamond),
      invalid: () => post('/airplanes/add', { ...diamond, year: '1899' }),
    },
    {
      name: 'POST /flight-logs/new',
      ...form,
      can: 'enter past flights',
      id: inBody(past.aircraftAndPilot),
      valid: (id) =>
        post('/flight-logs/new', { aircraftId: id, pilotId: String(past.pilot()), ...pastFlight, readAgain: 'on' }),
      invalid: (id) =>
        post('/flight-logs/new', { aircraftId: id, pilotId: String(past.pilot()), ...pastFlight, reason: '' }),
    },
    {
      name: 'POST /airplanes/:id set-maintenance',
      ...form,
      can: 'set aircraft status',
      id: inPath(aircraft),
      valid: (id) => post(`/airplanes/${id}?index`, { intent: 'set-maintenance' }),
      invalid: (id) => post(`/airplanes/${id}?index`, { intent: 'paint-it' }),
    },
    {
      name: 'POST /airplanes/:id/calendar make',
      ...form,
      success: 200,
      id: inPath(aircraft),
      valid: (id) => post(`/airplanes/${id}/calendar`, { intent: 'make' }),
      invalid: (id) => post(`/airplanes/${id}/calendar`, { intent: 'share-it' }),
    },
    {
      name: 'POST /airplanes/:id/squawks/add',
      ...form,
      id: inPath(aircraft),
      valid: (id) => post(`/airplanes/${id}/squawks/add`, { text: 'Left brake soft.', unsafe: 'on' }),
      invalid: (id) => post(`/airplanes/${id}/squawks/add`, { text: ' ' }),
    },
    {
      name: 'POST /airplanes/:id/inspections/add',
      ...form,
      can: 'manage inspections',
      id: inPath(aircraft),
      valid: (id) => post(`/airplanes/${id}/inspections/add`, hundredHours),
      invalid: (id) => post(`/airplanes/${id}/inspections/add`, { ...hundredHours, dueReading: 'soon' }),
    },
    {
      name: 'POST /squawks/:id withdrawn',
      ...form,
      id: inPath(squawk, {
        another: { can: 'manage squawks', status: 303, others: 403 },
        conflicting: fixedSquawk,
      }),
      valid: (id) => post(`/squawks/${id}`, { intent: 'withdrawn', remark: '' }),
      invalid: (id) => post(`/squawks/${id}`, { intent: 'withdrawn', remark: 'x'.repeat(2001) }),
    },
    {
      name: 'POST /squawks/:id deferred',
      ...form,
      can: 'manage squawks',
      isRoleAskedByBody: true,
      id: inPath(squawk, { another: 303, conflicting: fixedSquawk }),
      valid: (id) => post(`/squawks/${id}`, { intent: 'deferred', dueAt: 'hobbs', dueReading: '1300' }),
      invalid: (id) => post(`/squawks/${id}`, { intent: 'deferred', dueAt: 'date', dueDate: '' }),
    },
    {
      name: 'POST /airplanes/maintenance',
      ...form,
      can: 'manage squawks',
      id: inBody(squawk, { malformed: 404, another: 303, conflicting: fixedSquawk }),
      valid: (id) => post('/airplanes/maintenance', { squawkIds: id, remark: 'New pads' }),
      invalid: (id) => post('/airplanes/maintenance', { squawkIds: id, remark: 'x'.repeat(2001) }),
    },
    {
      name: 'POST /inspections/:id done',
      ...form,
      can: 'manage inspections',
      id: inPath(inspection),
      valid: (id) => post(`/inspections/${id}`, { intent: 'done', reading: '1299.5', doneOn: '2026-05-12' }),
      invalid: (id) => post(`/inspections/${id}`, { intent: 'done', reading: '', doneOn: '2026-05-12' }),
    },
    {
      name: 'POST /inspections/:id save',
      ...form,
      can: 'manage inspections',
      id: inPath(inspection),
      valid: (id) => post(`/inspections/${id}`, { intent: 'save', ...hundredHours }),
      invalid: (id) => post(`/inspections/${id}`, { intent: 'save', ...hundredHours, name: '' }),
    },
    {
      name: 'POST /inspections/:id remove',
      ...form,
      can: 'manage inspections',
      id: inPath(inspection),
      valid: (id) => post(`/inspections/${id}`, { intent: 'remove' }),
    },
    {
      name: 'POST /ocr',
      ...form,
      id: inBody(aircraft),
      valid: (id) => scan(id, 'hobbs'),
      invalid: (id) => scan(id, 'altimeter'),
    },
    {
      name: 'POST /flight-log, step 1',
      ...form,
      can: 'check out aircraft',
      id: inBody(aircraft, { conflicting: fixtures.aircraftInMaintenance }),
      valid: (id) => post('/flight-log?step=0', { aircraftId: id }),
    },
    {
      name: 'POST /flight-log, step 2',
      ...form,
      can: 'check out aircraft',
      id: inBody(aircraft, { conflicting: fixtures.aircraftInMaintenance }),
      valid: (id) => post('/flight-log?step=1', { aircraftId: id, ...readings, intent: 'next' }),
      invalid: (id) => post('/flight-log?step=1', { aircraftId: id, ...readings, startTachTime: '' }),
    },
    {
      name: 'POST /flight-log, step 3',
      ...form,
      can: 'check out aircraft',
      id: inBody(aircraft, { conflicting: fixtures.aircraftInMaintenance }),
      valid: (id) => post('/flight-log?step=2', { aircraftId: id, ...readings }),
      invalid: (id) => post('/flight-log?step=2', { aircraftId: id, ...readings, startTachTime: 'x' }),
    },
    {
      name: 'POST /flight-log/offline',
      ...form,
      can: 'check out aircraft',
      id: inBody(aircraft, { conflicting: fixtures.aircraftInMaintenance }),
      valid: (id) => post('/flight-log/offline', { aircraftId: id, ...readings }),
      invalid: (id) => post('/flight-log/offline', { aircraftId: id, ...readings, startTachTime: 'x' }),
    },
    {
      name: 'GET /flight-logs?log=:id',
      can: 'anyRole',
      success: 200,
      signedOut: 302,
      id: inPath(completedFlight, { another: 200 }),
      valid: (id) => get(`/flight-logs?log=${encodeURIComponent(id)}`),
    },
    {
      name: 'POST /flight-log/:id/post-check',
      ...form,
      id: inPath(openFlight, { another: 403, conflicting: completedFlight }),
      valid: (id) => post(`/flight-log/${id}/post-check`, ends),
      invalid: (id) => post(`/flight-log/${id}/post-check`, { ...ends, endTachTime: '1' }),
    },
    {
      name: "POST /flight-logs/:id 'Set to Maintenance'",
      ...form,
      can: 'set aircraft status',
      id: inPath(completedFlight, { another: 303 }),
      valid: (id) => post(`/flight-logs/${id}?index`, {}),
    },
    {
      name: 'POST /flight-logs/:id/close',
      ...form,
      can: 'close flights on behalf',
      id: inPath(fixtures.forgottenFlightOfAnotherPilot, { conflicting: completedFlight }),
      valid: (id) => post(`/flight-logs/${id}/close`, { ...ends, reason }),
      invalid: (id) => post(`/flight-logs/${id}/close`, { ...ends, reason: '' }),
    },
    {
      name: 'POST /flight-logs/:id/cancel',
      ...form,
      id: inPath(openFlight, {
        another: { can: 'cancel any check-out', status: 303, others: 403 },
        conflicting: completedFlight,
      }),
      valid: (id) => post(`/flight-logs/${id}/cancel`, { reason }),
      invalid: (id) => post(`/flight-logs/${id}/cancel`, { reason: '' }),
    },
    {
      name: 'POST /flight-logs/:id/correct',
      ...form,
      success: 200,
      id: inPath(completedFlight, { another: { can: 'correct any flight', status: 200, others: 403 } }),
      valid: (id) => post(`/flight-logs/${id}/correct`, { ...readings, ...ends, reason, intent: 'preview' }),
      invalid: (id) => post(`/flight-logs/${id}/correct`, { ...readings, ...ends, reason: '', intent: 'preview' }),
    },
    {
      name: 'POST /ocr/:id/save',
      ...form,
      can: 'save last readings',
      id: inPath(fixtures.scan),
      valid: (id) => post(`/ocr/${id}/save`, {}),
    },
    {
      name: 'POST /school-settings/import',
      ...form,
      can: 'manage school',
      valid: () => uploadFile('club.csv'),
      invalid: () => uploadFile(''),
    },
    ...(['check', 'apply', 'remove'] as const).map((intent) => ({
      name: `POST /school-settings/import/:id ${intent}`,
      ...form,
      can: 'manage school' as const,
      id: inPath(importedFile),
      valid: (id: string) => post(`/school-settings/import/${id}`, { intent }),
    })),
    {
      name: 'POST /school-settings',
      ...form,
      can: 'manage school',
      valid: () => post('/school-settings', school),
      invalid: () => post('/school-settings', { ...school, phone: '' }),
    },
    {
      name: 'POST /school-settings/export',
      ...form,
      can: 'manage school',
      valid: () => post('/school-settings/export', { currentPassword: PASSWORD }),
      invalid: () => post('/school-settings/export', { currentPassword: 'wrong' }),
    },
    {
      name: 'POST /school-settings/delete ask',
      ...form,
      can: 'manage school',
      // Without an export.
      success: 409,
      valid: () => post('/school-settings/delete', { intent: 'ask', schoolName: 'X', currentPassword: PASSWORD }),
      invalid: () => post('/school-settings/delete', { intent: 'ask', schoolName: '', currentPassword: PASSWORD }),
    },
    {
      name: 'POST /school-settings/delete call-off',
      ...form,
      can: 'manage school',
      // Nobody has asked for it.
      success: 409,
      valid: () => post('/school-settings/delete', { intent: 'call-off' }),
    },
    {
      name: 'POST /account end-session',
      ...form,
      id: inBody(fixtures.session, { malformed: 404, another: 404 }),
      valid: (id) => post('/account', { intent: 'end-session', session: id }),
    },
    {
      name: 'POST /account remove-passkey',
      ...form,
      id: inBody(fixtures.passkey, { malformed: 404, another: 404 }),
      valid: (id) => post('/account', { intent: 'remove-passkey', passkey: id }),
    },
    {
      name: 'POST /account remove-access-token',
      ...form,
      id: inBody(fixtures.accessToken, { malformed: 404, another: 404 }),
      valid: (id) => post('/account', { intent: 'remove-access-token', accessToken: id }),
    },
    {
      name: 'POST /account/token',
      ...form,
      success: 200,
      valid: () => post('/account/token', { name: 'Books', scope: 'read', days: '90' }),
      invalid: () => post('/account/token', { name: 'Books', scope: 'all', days: '90' }),
    },
    {
      name: 'POST /school-settings/webhooks/add',
      ...form,
      can: 'manage school',
      success: 200,
      valid: () => post('/school-settings/webhooks/add', webhook),
      invalid: () => post('/school-settings/webhooks/add', { ...webhook, url: 'http://receiver.example' }),
    },
    {
      name: 'POST /school-settings/webhooks/:id',
      ...form,
      can: 'manage school',
      id: inPath(fixtures.webhook),
      valid: (id) => post(`/school-settings/webhooks/${id}`, webhook),
      invalid: (id) => post(`/school-settings/webhooks/${id}`, { url: webhook.url }),
    },
    ...['test', 'pause', 'resume', 'remove', 'new-secret'].map((intent) => ({
      name: `POST /school-settings/webhooks/:id ${intent}`,
      ...form,
      can: 'manage school' as const,
      success: intent === 'new-secret' ? 200 : 303,
      id: inPath(fixtures.webhook),
      valid: (id: string) => post(`/school-settings/webhooks/${id}`, { intent }),
    })),
    { name: 'POST /account turn-keys-off', ...form, valid: () => post('/account', { intent: 'turn-keys-off' }) },
    { name: 'POST /account turn-keys-on', ...form, valid: () => post('/account', { intent: 'turn-keys-on' }) },
    { name: 'POST /account sign-out-everywhere', ...form, valid: () => post('/account', everywhere) },
    {
      name: 'POST /account/password',
      ...form,
      valid: () => post('/account/password', { currentPassword: PASSWORD, ...newPassword }),
      invalid: () => post('/account/password', { currentPassword: 'wrong', ...newPassword }),
    },
    {
      name: 'POST /account/second-factor',
      ...form,
      success: 400,
      valid: () => post('/account/second-factor', { intent: 'begin', currentPassword: 'wrong' }),
    },
    {
      name: 'POST /account/passkey ask',
      ...form,
      success: 200,
      valid: () => post('/account/passkey', { intent: 'ask', name: 'Phone', currentPassword: PASSWORD }),
      invalid: () => post('/account/passkey', { intent: 'ask', name: '', currentPassword: 'wrong' }),
    },
    {
      name: 'POST /account/email',
      ...form,
      valid: () => post('/account/email', { currentPassword: PASSWORD, email: `${randomUUID()}@school.example` }),
      invalid: () => post('/account/email', { currentPassword: PASSWORD, email: 'anna@' }),
    },
    {
      name: 'POST /users delete-user',
      ...form,
      can: 'manage users',
      id: inBody(user, { malformed: 404, another: 303, conflicting: pilotInFlight }),
      valid: (id) => post('/users?index', { intent: 'delete-user', userId: id }),
    },
    {
      name: 'POST /users send-password-link',
      ...form,
      can: 'manage users',
      id: inBody(user, { malformed: 404, another: 303 }),
      valid: (id) => post('/users?index', { intent: 'send-password-link', userId: id }),
    },
    {
      name: 'POST /users sign-out-user',
      ...form,
      can: 'manage users',
      id: inBody(user, { malformed: 404, another: 303 }),
      valid: (id) => post('/users?index', { intent: 'sign-out-user', userId: id }),
    },
    {
      name: 'POST /users/add',
      ...form,
      can: 'manage users',
      valid: () => post('/users/add', { ...newcomer, password: 'long enough' }),
      invalid: () => post('/users/add', { ...newcomer, password: 'short' }),
    },
    {
      name: 'POST /users/:id',
      ...form,
      can: 'manage users',
      id: inPath(user, { another: 303 }),
      valid: (id) => post(`/users/${id}`, { ...edited(id), role: 'instructor' }),
      invalid: (id) => post(`/users/${id}`, { ...edited(id), role: 'owner' }),
    },
    {
      name: 'POST /account/name',
      ...form,
      valid: () => post('/account/name', { name: 'Anna Berg' }),
      invalid: () => post('/account/name', { name: 'x'.repeat(101) }),
    },
    {
      name: 'POST /users/invitations/:id',
      ...form,
      ...hidden,
      id: inPath(invitation, { another: 303 }),
      valid: (id) => post(`/users/invitations/${id}`, { ...friend, email: `friend-${id}@mail.example` }),
      invalid: (id) => post(`/users/invitations/${id}`, { ...friend, email: 'ben' }),
    },
    {
      name: 'POST /users/invitations',
      ...form,
      ...hidden,
      valid: () => post('/users/invitations', { name: 'Ben', email: 'ben@friends.example', role: 'instructor' }),
      invalid: () => post('/users/invitations', { name: 'Ben', email: 'ben', role: 'instructor' }),
    },
    {
      name: 'POST /users/invitations delete-invitation',
      ...form,
      ...hidden,
      id: inBody(invitation, { malformed: 404, another: 303 }),
      valid: (id) => post('/users/invitations', { intent: 'delete-invitation', invitationId: id }),
    },
  ];
}

function uploadFile(name: string) {
  return (cookie: string) => {
    const body = new FormData();
    body.set('kind', 'fleet');
    body.set('file', new File(name ? ['Tail Number,Make,Model,Year\nN1,Cessna,152,1980'] : [], name));
    const headers = { cookie, origin: 'http://localhost:3000' };
    return new Request('http://localhost:3000/school-settings/import?index', { method: 'POST', headers, body });
  };
}

const friend = { name: 'Ben', role: 'instructor' };

function edited(id: string) {
  return { username: `edited-${id}`, name: 'Edited', email: `edited-${encodeURIComponent(id)}@school.example` };
}

function scan(aircraftId: string, meterType: string) {
  return (cookie: string) => {
    const body = new FormData();
    body.set('aircraftId', aircraftId);
    body.set('meterType', meterType);
    body.set('image', new File([image], 'meter.jpg', { type: 'image/jpeg' }));
    const headers = { cookie, origin: 'http://localhost:3000' };
    return new Request('http://localhost:3000/ocr?index', { method: 'POST', headers, body });
  };
}
