import { randomUUID } from 'node:crypto';
import { codedMeter } from '../coded-meter.ts';
import { getRequest } from '../requests.ts';
import { PASSWORD } from '../school.ts';
import { inBody, inPath, type MatrixRow } from './cells.ts';
import type { Fixtures } from './fixtures.ts';
import { form } from './form.ts';
import { pastFlight, pastFlights } from './past-flights.ts';

const image = new File([new Uint8Array(await codedMeter('12345'))], 'meter.jpg', { type: 'image/jpeg' });
const fleetFile = new File(['Tail Number,Make,Model,Year\nN1,Cessna,152,1980'], 'club.csv');

const readings = { startHobbsTime: '100.0', startTachTime: '90.0' };
const ends = { endHobbsTime: '101.4', endTachTime: '91.2' };
const meterChange = { meter: 'hobbs', reason: 'replaced', oldLast: '123456.7', newFirst: '0.0' };
const newcomer = { username: 'newcomer', email: 'newcomer@school.example', role: 'student', password: 'long enough' };
const friend = { name: 'Ben', email: 'ben@friends.example', role: 'instructor' };
const reason = 'Fog';
const school = { name: 'Cascade', address: '1 Field Road', phone: '555 0100', timeZone: 'UTC' };
const diamond = { tailNumber: 'N40FL', make: 'Diamond', model: 'DA40', year: '2012' };
const hundredHours = { name: '100 h', dueAt: 'tach', dueReading: '1300', interval: '100', intervalUnit: 'hours' };
const webhook = { url: 'https://receiver.example/events', flightStarted: 'on' };
const newPassword = { password: 'quite another one', confirmPassword: 'quite another one' };

/** C33, form intent by form intent, and what is asked of a page by its address. */
export function formRows(fixtures: Fixtures): MatrixRow[] {
  const { aircraft, openFlight, completedFlight, user, invitation, squawk, inspection } = fixtures;
  const past = pastFlights(fixtures);
  const freeAircraft = { id: inBody(aircraft, { conflicting: fixtures.aircraftInMaintenance }) };
  const fixed = { conflicting: fixtures.fixedSquawk };
  const own = { malformed: 404, another: 404 };
  return [
    form('POST /logout', 'anyRole'),
    form('POST /airplanes set-maintenance', 'set aircraft status', {
      at: '/airplanes?index',
      id: inBody(aircraft, { malformed: 404 }),
      fields: (aircraftId) => ({ intent: 'set-maintenance', aircraftId }),
    }),
    form('POST /airplanes mark-available', 'set aircraft status', {
      at: '/airplanes?index',
      id: inBody(fixtures.aircraftInMaintenance, { malformed: 404 }),
      fields: (aircraftId) => ({ intent: 'mark-available', aircraftId }),
    }),
    form('POST /airplanes delete-aircraft', 'manage aircraft', {
      at: '/airplanes?index',
      id: inBody(aircraft, { malformed: 404, conflicting: fixtures.aircraftInFlight }),
      fields: (aircraftId) => ({ intent: 'delete-aircraft', aircraftId }),
    }),
    form('POST /airplanes with an unknown intent', 'set aircraft status', {
      at: '/airplanes?index',
      success: 400,
      fields: { intent: 'paint-it', aircraftId: '1' },
    }),
    form('POST /airplanes/:id/meters', 'change meters', {
      id: inPath(aircraft, { conflicting: fixtures.aircraftInFlight }),
      fields: meterChange,
      invalid: { newFirst: 'x' },
    }),
    form('POST /airplanes/add', 'manage aircraft', { fields: diamond, invalid: { year: '1899' } }),
    form('POST /flight-logs/new', 'enter past flights', {
      id: inBody(past.aircraftAndPilot),
      fields: (id) => ({ aircraftId: id, pilotId: String(past.pilot()), ...pastFlight, readAgain: 'on' }),
      invalid: { reason: '' },
    }),
    form('POST /airplanes/:id set-maintenance', 'set aircraft status', {
      at: '/airplanes/:id?index',
      id: inPath(aircraft),
      fields: { intent: 'set-maintenance' },
      invalid: { intent: 'paint-it' },
    }),
    form('POST /airplanes/:id/calendar make', 'anyRole', {
      success: 200,
      id: inPath(aircraft),
      fields: { intent: 'make' },
      invalid: { intent: 'share-it' },
    }),
    form('POST /airplanes/:id/squawks/add', 'anyRole', {
      id: inPath(aircraft),
      fields: { text: 'Left brake soft.', unsafe: 'on' },
      invalid: { text: ' ' },
    }),
    form('POST /airplanes/:id/inspections/add', 'manage inspections', {
      id: inPath(aircraft),
      fields: hundredHours,
      invalid: { dueReading: 'soon' },
    }),
    form('POST /squawks/:id withdrawn', 'anyRole', {
      id: inPath(squawk, { another: { can: 'manage squawks', status: 303, others: 403 }, ...fixed }),
      fields: { intent: 'withdrawn', remark: '' },
      invalid: { remark: 'x'.repeat(2001) },
    }),
    form('POST /squawks/:id deferred', 'manage squawks', {
      isRoleAskedByBody: true,
      id: inPath(squawk, { another: 303, ...fixed }),
      fields: { intent: 'deferred', dueAt: 'hobbs', dueReading: '1300' },
      invalid: { dueAt: 'date', dueReading: undefined, dueDate: '' },
    }),
    form('POST /airplanes/maintenance', 'manage squawks', {
      id: inBody(squawk, { malformed: 404, another: 303, ...fixed }),
      fields: (id) => ({ squawkIds: id, remark: 'New pads' }),
      invalid: { remark: 'x'.repeat(2001) },
    }),
    form('POST /inspections/:id done', 'manage inspections', {
      id: inPath(inspection),
      fields: { intent: 'done', reading: '1299.5', doneOn: '2026-05-12' },
      invalid: { reading: '' },
    }),
    form('POST /inspections/:id save', 'manage inspections', {
      id: inPath(inspection),
      fields: { intent: 'save', ...hundredHours },
      invalid: { name: '' },
    }),
    form('POST /inspections/:id remove', 'manage inspections', {
      id: inPath(inspection),
      fields: { intent: 'remove' },
    }),
    form('POST /ocr', 'anyRole', {
      at: '/ocr?index',
      id: inBody(aircraft),
      fields: (aircraftId) => ({ aircraftId, meterType: 'hobbs', image }),
      invalid: { meterType: 'altimeter' },
    }),
    form('POST /flight-log, step 1', 'check out aircraft', {
      at: '/flight-log?step=0',
      ...freeAircraft,
      fields: (aircraftId) => ({ aircraftId }),
    }),
    form('POST /flight-log, step 2', 'check out aircraft', {
      at: '/flight-log?step=1',
      ...freeAircraft,
      fields: (aircraftId) => ({ aircraftId, ...readings, intent: 'next' }),
      invalid: { startTachTime: '' },
    }),
    form('POST /flight-log, step 3', 'check out aircraft', {
      at: '/flight-log?step=2',
      ...freeAircraft,
      fields: (aircraftId) => ({ aircraftId, ...readings }),
      invalid: { startTachTime: 'x' },
    }),
    form('POST /flight-log/offline', 'check out aircraft', {
      ...freeAircraft,
      fields: (aircraftId) => ({ aircraftId, ...readings }),
      invalid: { startTachTime: 'x' },
    }),
    form('GET /flight-logs?log=:id', 'anyRole', {
      ...{ success: 200, signedOut: 302 },
      id: inPath(completedFlight, { another: 200 }),
      valid: (id) => (cookie) => getRequest(`/flight-logs?log=${encodeURIComponent(id)}`, cookie),
    }),
    form('POST /flight-log/:id/post-check', 'anyRole', {
      id: inPath(openFlight, { another: 403, conflicting: completedFlight }),
      fields: ends,
      invalid: { endTachTime: '1' },
    }),
    form("POST /flight-logs/:id 'Set to Maintenance'", 'set aircraft status', {
      at: '/flight-logs/:id?index',
      id: inPath(completedFlight, { another: 303 }),
    }),
    form('POST /flight-logs/:id/close', 'close flights on behalf', {
      id: inPath(fixtures.forgottenFlightOfAnotherPilot, { conflicting: completedFlight }),
      fields: { ...ends, reason },
      invalid: { reason: '' },
    }),
    form('POST /flight-logs/:id/cancel', 'anyRole', {
      id: inPath(openFlight, {
        another: { can: 'cancel any check-out', status: 303, others: 403 },
        conflicting: completedFlight,
      }),
      fields: { reason },
      invalid: { reason: '' },
    }),
    form('POST /flight-logs/:id/correct', 'anyRole', {
      success: 200,
      id: inPath(completedFlight, { another: { can: 'correct any flight', status: 200, others: 403 } }),
      fields: { ...readings, ...ends, reason, intent: 'preview' },
      invalid: { reason: '' },
    }),
    form('POST /ocr/:id/save', 'save last readings', { id: inPath(fixtures.scan) }),
    form('POST /school-settings/import', 'manage school', {
      at: '/school-settings/import?index',
      fields: { kind: 'fleet', file: fleetFile },
      invalid: { file: new File([], '') },
    }),
    ...['answer', 'check', 'apply', 'remove'].map((intent) =>
      form(`POST /school-settings/import/:id ${intent}`, 'manage school', {
        id: inPath(fixtures.importedFile),
        fields: { intent },
      }),
    ),
    form('POST /school-settings', 'manage school', { fields: school, invalid: { phone: '' } }),
    form('POST /school-settings/export', 'manage school', {
      fields: { currentPassword: PASSWORD },
      invalid: { currentPassword: 'wrong' },
    }),
    // Without an export.
    form('POST /school-settings/delete ask', 'manage school', {
      success: 409,
      fields: { intent: 'ask', schoolName: 'X', currentPassword: PASSWORD },
      invalid: { schoolName: '' },
    }),
    // Nobody has asked for it.
    form('POST /school-settings/delete call-off', 'manage school', { success: 409, fields: { intent: 'call-off' } }),
    form('POST /account end-session', 'anyRole', {
      id: inBody(fixtures.session, own),
      fields: (session) => ({ intent: 'end-session', session }),
    }),
    form('POST /account remove-passkey', 'anyRole', {
      id: inBody(fixtures.passkey, own),
      fields: (passkey) => ({ intent: 'remove-passkey', passkey }),
    }),
    form('POST /account remove-access-token', 'anyRole', {
      id: inBody(fixtures.accessToken, own),
      fields: (accessToken) => ({ intent: 'remove-access-token', accessToken }),
    }),
    form('POST /account/token', 'anyRole', {
      success: 200,
      fields: { name: 'Books', scope: 'read', days: '90' },
      invalid: { scope: 'all' },
    }),
    form('POST /school-settings/webhooks/add', 'manage school', {
      success: 200,
      fields: webhook,
      invalid: { url: 'http://receiver.example' },
    }),
    form('POST /school-settings/webhooks/:id', 'manage school', {
      id: inPath(fixtures.webhook),
      fields: webhook,
      invalid: { flightStarted: undefined },
    }),
    ...['test', 'pause', 'resume', 'remove', 'new-secret'].map((intent) =>
      form(`POST /school-settings/webhooks/:id ${intent}`, 'manage school', {
        success: intent === 'new-secret' ? 200 : 303,
        id: inPath(fixtures.webhook),
        fields: { intent },
      }),
    ),
    ...['turn-keys-off', 'turn-keys-on', 'sign-out-everywhere'].map((intent) =>
      form(`POST /account ${intent}`, 'anyRole', { fields: { intent } }),
    ),
    form('POST /account/password', 'anyRole', {
      fields: { currentPassword: PASSWORD, ...newPassword },
      invalid: { currentPassword: 'wrong' },
    }),
    form('POST /account/second-factor', 'anyRole', {
      success: 400,
      fields: { intent: 'begin', currentPassword: 'wrong' },
    }),
    form('POST /account/passkey ask', 'anyRole', {
      success: 200,
      fields: { intent: 'ask', name: 'Phone', currentPassword: PASSWORD },
      invalid: { name: '', currentPassword: 'wrong' },
    }),
    form('POST /account/email', 'anyRole', {
      fields: () => ({ currentPassword: PASSWORD, email: `${randomUUID()}@school.example` }),
      invalid: { email: 'anna@' },
    }),
    form('POST /users delete-user', 'manage users', {
      at: '/users?index',
      id: inBody(user, { malformed: 404, another: 303, conflicting: fixtures.pilotInFlight }),
      fields: (userId) => ({ intent: 'delete-user', userId }),
    }),
    ...['send-password-link', 'sign-out-user'].map((intent) =>
      form(`POST /users ${intent}`, 'manage users', {
        at: '/users?index',
        id: inBody(user, { malformed: 404, another: 303 }),
        fields: (userId) => ({ intent, userId }),
      }),
    ),
    form('POST /users remove-second-factor', 'manage users', {
      at: '/users?index',
      id: inBody(fixtures.userWithSecondFactor, { malformed: 404, another: 303 }),
      fields: (userId) => ({ intent: 'remove-second-factor', userId }),
    }),
    form('POST /users/add', 'manage users', { fields: newcomer, invalid: { password: 'short' } }),
    form('POST /users/:id', 'manage users', {
      id: inPath(user, { another: 303 }),
      fields: (id) => ({ ...edited(id), role: 'instructor' }),
      invalid: { role: 'owner' },
    }),
    form('POST /account/name', 'anyRole', { fields: { name: 'Anna Berg' }, invalid: { name: 'x'.repeat(101) } }),
    // A route that is registered only for administrators (B007).
    form('POST /users/invitations/:id', 'manage invitations', {
      refusal: 404,
      id: inPath(invitation, { another: 303 }),
      fields: (id) => ({ ...friend, email: `friend-${id}@mail.example` }),
      invalid: { email: 'ben' },
    }),
    form('POST /users/invitations', 'manage invitations', { refusal: 404, fields: friend, invalid: { email: 'ben' } }),
    form('POST /users/invitations delete-invitation', 'manage invitations', {
      refusal: 404,
      id: inBody(invitation, { malformed: 404, another: 303 }),
      fields: (invitationId) => ({ intent: 'delete-invitation', invitationId }),
    }),
  ];
}

function edited(id: string) {
  return { username: `edited-${id}`, name: 'Edited', email: `edited-${encodeURIComponent(id)}@school.example` };
}
