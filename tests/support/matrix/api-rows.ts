import { codedMeter } from '../coded-meter.ts';
import { getRequest, jsonRequest, ORIGIN } from '../requests.ts';
import { PASSWORD } from '../school.ts';
import { inBody, inPath, inQuery, type MatrixRow } from './cells.ts';
import type { Fixtures } from './fixtures.ts';
import { pastFlight, pastFlights } from './past-flights.ts';

const imageData = (await codedMeter('12345')).toString('base64');

const get = (path: string) => (cookie: string) => getRequest(path, cookie);
const send = (method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: object) => (cookie: string) =>
  jsonRequest(method, path, body, cookie);

const sendFile = (fields: Record<string, string>) => (cookie: string) => {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  body.append('file', new File(['Tail Number,Make,Model,Year\nN1,Cessna,152,1980'], 'club.csv'));
  return new Request(`${ORIGIN}/api/imports`, { method: 'POST', headers: { cookie, origin: ORIGIN }, body });
};

const call = { can: 'anyRole', signedOut: 401 } as const;
const readings = { startHobbsTime: '100.0', startTachTime: '90.0' };
const ends = { endHobbsTime: '500.0', endTachTime: '490.0' };
const webhook = { url: 'https://receiver.example/events', events: ['flight.started', 'squawk.reported'] };
const instants = { departedAt: '2026-05-12T10:00:00Z', landedAt: '2026-05-12T11:00:00Z' };
const newcomer = { username: 'newcomer', email: 'newcomer@school.example' };

/** C33, API call by API call. */
export function apiRows(fixtures: Fixtures): MatrixRow[] {
  const {
    aircraft,
    openFlight,
    forgottenFlightOfAnotherPilot,
    completedFlight,
    photo,
    user,
    pilotInFlight,
    invitation,
    squawk,
    fixedSquawk,
    importedFile,
  } = fixtures;
  const past = pastFlights(fixtures);
  return [
    { name: 'GET /api/user', ...call, success: 200, valid: () => get('/api/user') },
    {
      name: 'POST /api/login',
      can: 'anyRole',
      signedOut: 400,
      success: 400,
      valid: () => send('POST', '/api/login', {}),
    },
    {
      name: 'POST /api/logout',
      can: 'anyRole',
      signedOut: 200,
      success: 200,
      valid: () => send('POST', '/api/logout'),
    },
    { name: 'GET /api/flight-school', ...call, success: 200, valid: () => get('/api/flight-school') },
    {
      name: 'PUT /api/flight-school',
      ...call,
      can: 'manage school',
      success: 200,
      valid: () => send('PUT', '/api/flight-school', { name: 'Cascade', address: '2 Field Road', phone: '555 0199' }),
      invalid: () => send('PUT', '/api/flight-school', { name: '', address: '2 Field Road', phone: '555 0199' }),
    },
    { name: 'GET /api/webhooks', ...call, can: 'manage school', success: 200, valid: () => get('/api/webhooks') },
    {
      name: 'POST /api/webhooks',
      ...call,
      can: 'manage school',
      success: 201,
      valid: () => send('POST', '/api/webhooks', webhook),
      invalid: () => send('POST', '/api/webhooks', { ...webhook, events: [] }),
    },
    {
      name: 'PATCH /api/webhooks/:id',
      ...call,
      can: 'manage school',
      success: 200,
      id: inPath(fixtures.webhook),
      valid: (id) => send('PATCH', `/api/webhooks/${id}`, { ...webhook, paused: true }),
      invalid: (id) => send('PATCH', `/api/webhooks/${id}`, {}),
    },
    {
      name: 'DELETE /api/webhooks/:id',
      ...call,
      can: 'manage school',
      success: 200,
      id: inPath(fixtures.webhook),
      valid: (id) => send('DELETE', `/api/webhooks/${id}`),
    },
    { name: 'GET /api/flight-logs/open', ...call, success: 200, valid: () => get('/api/flight-logs/open') },
    { name: 'GET /api/aircraft', ...call, success: 200, valid: () => get('/api/aircraft') },
    {
      name: 'POST /api/aircraft',
      ...call,
      can: 'manage aircraft',
      success: 201,
      valid: () => send('POST', '/api/aircraft', { tailNumber: 'N1NEW', make: 'Cessna', model: '172S', year: 2004 }),
      invalid: () => send('POST', '/api/aircraft', { tailNumber: 'N1NEW', make: 'Cessna', model: '172S', year: 1899 }),
    },
    {
      name: 'PUT /api/aircraft/:id/status',
      ...call,
      can: 'set aircraft status',
      success: 200,
      id: inPath(aircraft),
      valid: (id) => send('PUT', `/api/aircraft/${id}/status`, { status: 'maintenance' }),
      invalid: (id) => send('PUT', `/api/aircraft/${id}/status`, { status: 'checked_out' }),
    },
    {
      name: 'DELETE /api/aircraft/:id',
      ...call,
      can: 'manage aircraft',
      success: 200,
      id: inPath(aircraft, { conflicting: fixtures.aircraftInFlight }),
      valid: (id) => send('DELETE', `/api/aircraft/${id}`),
    },
    {
      name: 'GET /api/aircraft/:id',
      ...call,
      success: 200,
      id: inPath(aircraft),
      valid: (id) => get(`/api/aircraft/${id}`),
    },
    {
      name: 'GET /api/imports/:id',
      ...call,
      can: 'manage school',
      success: 200,
      id: inPath(importedFile),
      valid: (id) => get(`/api/imports/${id}`),
    },
    {
      name: 'GET /api/imports/:id/refused',
      ...call,
      can: 'manage school',
      success: 200,
      id: inPath(importedFile),
      valid: (id) => get(`/api/imports/${id}/refused`),
    },
    {
      name: 'GET /api/imports/templates/:file',
      ...call,
      can: 'manage school',
      success: 200,
      valid: () => get('/api/imports/templates/fleet.csv'),
    },
    {
      name: 'POST /api/imports',
      ...call,
      can: 'manage school',
      success: 200,
      valid: () => sendFile({ kind: 'fleet' }),
      invalid: () => sendFile({ kind: 'unknown' }),
    },
    {
      name: 'GET /api/squawks',
      ...call,
      success: 200,
      id: inQuery(aircraft),
      valid: (id) => get(`/api/squawks?aircraftId=${encodeURIComponent(id)}`),
    },
    {
      name: 'POST /api/squawks',
      ...call,
      success: 201,
      id: inBody(aircraft),
      valid: (id) => send('POST', '/api/squawks', { aircraftId: numberIn(id), text: 'Left brake soft.' }),
      invalid: (id) => send('POST', '/api/squawks', { aircraftId: numberIn(id), text: ' ' }),
    },
    {
      name: 'GET /api/squawks/:id',
      ...call,
      success: 200,
      id: inPath(squawk, { another: 200 }),
      valid: (id) => get(`/api/squawks/${id}`),
    },
    {
      name: 'PATCH /api/squawks/:id',
      ...call,
      success: 200,
      id: inPath(squawk, { another: { can: 'manage squawks', status: 200, others: 403 }, conflicting: fixedSquawk }),
      valid: (id) => send('PATCH', `/api/squawks/${id}`, { state: 'withdrawn' }),
      invalid: (id) => send('PATCH', `/api/squawks/${id}`, { state: 'withdrawn', remark: 7 }),
    },
    {
      name: 'PATCH /api/squawks/:id to fixed',
      ...call,
      can: 'manage squawks',
      isRoleAskedByBody: true,
      success: 200,
      id: inPath(squawk, { another: 200, conflicting: fixedSquawk }),
      valid: (id) => send('PATCH', `/api/squawks/${id}`, { state: 'fixed', remark: 'New pads' }),
      invalid: (id) => send('PATCH', `/api/squawks/${id}`, { state: 'fixed' }),
    },
    {
      name: 'GET /api/users',
      ...call,
      success: 200,
      valid: () => get('/api/users'),
      invalid: () => get('/api/users?role=owner'),
    },
    {
      name: 'POST /api/analyze-image',
      ...call,
      success: 200,
      id: inBody(aircraft),
      valid: (id) => send('POST', '/api/analyze-image', { aircraftId: numberIn(id), meterType: 'hobbs', imageData }),
      invalid: (id) =>
        send('POST', '/api/analyze-image', { aircraftId: numberIn(id), meterType: 'altimeter', imageData }),
    },
    { name: 'GET /api/ocr-results', ...call, success: 200, valid: () => get('/api/ocr-results') },
    {
      name: 'POST /api/flight-logs',
      ...call,
      can: 'check out aircraft',
      success: 201,
      id: inBody(aircraft, { conflicting: fixtures.aircraftInMaintenance }),
      valid: (id) => send('POST', '/api/flight-logs', { aircraftId: numberIn(id), ...readings }),
      invalid: (id) => send('POST', '/api/flight-logs', { aircraftId: numberIn(id), ...readings, startTachTime: 'x' }),
    },
    {
      name: 'GET /api/flight-logs',
      ...call,
      success: 200,
      id: inQuery(aircraft),
      valid: (id) => get(`/api/flight-logs?aircraftId=${encodeURIComponent(id)}`),
    },
    {
      name: 'POST /api/flight-logs/past',
      ...call,
      can: 'enter past flights',
      success: 201,
      id: inBody(past.aircraftAndPilot),
      valid: (id) =>
        send('POST', '/api/flight-logs/past', {
          aircraftId: numberIn(id),
          pilotId: past.pilot(),
          ...pastFlight,
          ...instants,
        }),
      invalid: (id) =>
        send('POST', '/api/flight-logs/past', {
          aircraftId: numberIn(id),
          pilotId: past.pilot(),
          ...pastFlight,
          ...instants,
          reason: '',
        }),
    },
    {
      name: 'GET /api/flight-logs/export.xlsx',
      ...call,
      can: 'export flight logs',
      success: 200,
      id: inQuery(aircraft),
      valid: (id) => get(`/api/flight-logs/export.xlsx?aircraftId=${encodeURIComponent(id)}`),
    },
    {
      name: 'GET /api/flight-logs/hours/export.xlsx',
      ...call,
      success: 200,
      id: inQuery(aircraft),
      valid: (id) => get(`/api/flight-logs/hours/export.xlsx?aircraftId=${encodeURIComponent(id)}`),
    },
    {
      name: 'GET /api/flight-logs/export',
      ...call,
      can: 'export flight logs',
      success: 200,
      id: inQuery(aircraft),
      valid: (id) => get(`/api/flight-logs/export?aircraftId=${encodeURIComponent(id)}`),
    },
    {
      name: 'GET /api/flight-logs/hours/export',
      ...call,
      success: 200,
      id: inQuery(aircraft),
      valid: (id) => get(`/api/flight-logs/hours/export?aircraftId=${encodeURIComponent(id)}`),
    },
    { name: 'GET /account/data', ...call, success: 200, valid: () => get('/account/data') },
    {
      name: 'GET /api/export',
      ...call,
      can: 'manage school',
      // Before the password was entered once more.
      success: 403,
      valid: () => get('/api/export'),
    },
    {
      name: 'POST /api/export',
      ...call,
      can: 'manage school',
      success: 200,
      valid: () => send('POST', '/api/export', { password: PASSWORD }),
      invalid: () => send('POST', '/api/export', { password: 'wrong' }),
    },
    {
      name: 'GET /api/activity/export',
      ...call,
      can: 'see activity',
      success: 200,
      id: inQuery(user),
      valid: (id) => get(`/api/activity/export?person=${encodeURIComponent(id)}`),
    },
    {
      name: 'GET /api/flight-logs/:id',
      ...call,
      success: 200,
      id: inPath(openFlight, { another: 200 }),
      valid: (id) => get(`/api/flight-logs/${id}`),
    },
    {
      name: 'POST /api/flight-logs/:id/complete',
      ...call,
      success: 200,
      id: inPath(openFlight, { another: 403, conflicting: completedFlight }),
      valid: (id) => send('POST', `/api/flight-logs/${id}/complete`, ends),
      invalid: (id) => send('POST', `/api/flight-logs/${id}/complete`, { ...ends, endTachTime: '1' }),
    },
    {
      name: 'POST /api/flight-logs/:id/close',
      ...call,
      can: 'close flights on behalf',
      success: 200,
      id: inPath(forgottenFlightOfAnotherPilot, { conflicting: openFlight }),
      valid: (id) => send('POST', `/api/flight-logs/${id}/close`, { ...ends, reason: 'Left for home' }),
      invalid: (id) => send('POST', `/api/flight-logs/${id}/close`, ends),
    },
    {
      name: 'POST /api/flight-logs/:id/correct',
      ...call,
      success: 200,
      id: inPath(completedFlight, { another: { can: 'correct any flight', status: 200, others: 403 } }),
      valid: (id) => send('POST', `/api/flight-logs/${id}/correct`, { notes: 'Soft brake', reason: 'Forgotten' }),
      invalid: (id) => send('POST', `/api/flight-logs/${id}/correct`, { notes: 'Soft brake' }),
    },
    {
      name: 'POST /api/register',
      ...call,
      can: 'manage users',
      success: 201,
      valid: () => send('POST', '/api/register', { ...newcomer, role: 'student', password: 'long enough' }),
      invalid: () => send('POST', '/api/register', { ...newcomer, role: 'student', password: 'short' }),
    },
    {
      name: 'PATCH /api/users/:id',
      ...call,
      can: 'manage users',
      success: 200,
      id: inPath(user, { another: 200 }),
      valid: (id) => send('PATCH', `/api/users/${id}`, { role: 'instructor' }),
      invalid: (id) => send('PATCH', `/api/users/${id}`, { role: 'owner' }),
    },
    {
      name: 'DELETE /api/users/:id',
      ...call,
      can: 'manage users',
      success: 200,
      id: inPath(user, { another: 200, conflicting: pilotInFlight }),
      valid: (id) => send('DELETE', `/api/users/${id}`),
    },
    {
      name: 'GET /api/invitations',
      ...call,
      can: 'manage invitations',
      success: 200,
      valid: () => get('/api/invitations'),
    },
    {
      name: 'POST /api/invitations',
      ...call,
      can: 'manage invitations',
      success: 201,
      valid: () => send('POST', '/api/invitations', { name: 'Ben', email: 'ben@friends.example', role: 'instructor' }),
      invalid: () => send('POST', '/api/invitations', { name: 'Ben', email: 'ben', role: 'instructor' }),
    },
    {
      name: 'GET /api/invitations/:id',
      can: 'anyRole',
      signedOut: 404,
      success: 404,
      valid: () => get('/api/invitations/no-such-token'),
    },
    {
      name: 'PATCH /api/invitations/:id',
      ...call,
      can: 'manage invitations',
      success: 200,
      id: inPath(invitation, { another: 200 }),
      valid: (id) => send('PATCH', `/api/invitations/${id}`, { role: 'instructor' }),
      invalid: (id) => send('PATCH', `/api/invitations/${id}`, { email: 'ben' }),
    },
    {
      name: 'DELETE /api/invitations/:id',
      ...call,
      can: 'manage invitations',
      success: 200,
      id: inPath(invitation, { another: 200 }),
      valid: (id) => send('DELETE', `/api/invitations/${id}`),
    },
    { name: 'GET /api/tokens', ...call, success: 200, valid: () => get('/api/tokens') },
    {
      name: 'DELETE /api/tokens/:id',
      ...call,
      success: 200,
      id: inPath(fixtures.accessToken, { another: 404 }),
      valid: (id) => send('DELETE', `/api/tokens/${id}`),
    },
    { name: 'GET /jump', ...call, success: 200, valid: () => get('/jump?q=N') },
    {
      name: 'GET /photos/:id',
      ...call,
      success: 200,
      id: inPath(photo, { another: 200 }),
      valid: (id) => get(`/photos/${id}`),
    },
  ];
}

/** In JSON an id is a number; junk stays what it is. */
function numberIn(id: string): unknown {
  return /^-?[\d.]+$/.test(id) ? Number(id) : id;
}
