import { codedMeter } from '../coded-meter.ts';
import { getRequest, jsonRequest, ORIGIN } from '../requests.ts';
import { PASSWORD } from '../school.ts';
import { inBody, inPath, inQuery, type MatrixRow } from './cells.ts';
import type { Fixtures } from './fixtures.ts';
import { pastFlight, pastFlights } from './past-flights.ts';

const imageData = (await codedMeter('12345')).toString('base64');

const get = (path: string) => () => (cookie: string) => getRequest(path, cookie);

const sendFile = (fields: Record<string, string>) => () => (cookie: string) => {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  body.append('file', new File(['Tail Number,Make,Model,Year\nN1,Cessna,152,1980'], 'club.csv'));
  return new Request(`${ORIGIN}/api/imports`, { method: 'POST', headers: { cookie, origin: ORIGIN }, body });
};

interface Call extends Partial<Omit<MatrixRow, 'invalid'>> {
  /** The parameter of the address that has the id. */
  query?: string;
  body?: object | ((id: string) => object);
  /** What makes the body invalid, or another request. */
  invalid?: object | MatrixRow['valid'];
}

/** The call of this method and path, which answers 200 unless it says otherwise. */
export function call(name: string, needed: MatrixRow['can'], { query, body, invalid, ...more }: Call = {}): MatrixRow {
  const [method = '', path = ''] = name.split(' ');
  const sent = (changes: object) => (id: string) => (cookie: string) => {
    if (query !== undefined) return getRequest(`${path}?${query}=${encodeURIComponent(id)}`, cookie);
    const address = path.replace(':id', id);
    if (method === 'GET') return getRequest(address, cookie);
    const fields = typeof body === 'function' ? body(id) : body;
    return jsonRequest(method, address, fields && { ...fields, ...changes }, cookie);
  };
  const refused = typeof invalid === 'object' ? sent(invalid) : invalid;
  return {
    ...{ name, can: needed, signedOut: 401, success: 200, valid: sent({}), ...more },
    ...(refused && { invalid: refused }),
  };
}

const readings = { startHobbsTime: '100.0', startTachTime: '90.0' };
const ends = { endHobbsTime: '500.0', endTachTime: '490.0' };
const webhook = { url: 'https://receiver.example/events', events: ['flight.started', 'squawk.reported'] };
const instants = { departedAt: '2026-05-12T10:00:00Z', landedAt: '2026-05-12T11:00:00Z' };
/** Not the one of the forms' rows: no two people of a server have one username. */
const newcomer = { username: 'called', email: 'newcomer@school.example', role: 'student', password: 'long enough' };
const skyhawk = { tailNumber: 'N1NEW', make: 'Cessna', model: '172S', year: 2004 };

/** C33, API call by API call. */
export function apiRows(fixtures: Fixtures): MatrixRow[] {
  const { aircraft, openFlight, completedFlight, user, invitation, squawk, fixedSquawk, importedFile } = fixtures;
  const past = pastFlights(fixtures);
  const ofAircraft = { id: inQuery(aircraft), query: 'aircraftId' };
  return [
    call('GET /api/user', 'anyRole'),
    call('POST /api/login', 'anyRole', { signedOut: 400, success: 400, body: {} }),
    call('POST /api/logout', 'anyRole', { signedOut: 200 }),
    call('GET /api/flight-school', 'anyRole'),
    call('PUT /api/flight-school', 'manage school', {
      body: { name: 'Cascade', address: '2 Field Road', phone: '555 0199' },
      invalid: { name: '' },
    }),
    call('GET /api/webhooks', 'manage school'),
    call('POST /api/webhooks', 'manage school', { success: 201, body: webhook, invalid: { events: [] } }),
    call('PATCH /api/webhooks/:id', 'manage school', {
      id: inPath(fixtures.webhook),
      body: { ...webhook, paused: true },
      invalid: { url: undefined, events: undefined, paused: undefined },
    }),
    call('DELETE /api/webhooks/:id', 'manage school', { id: inPath(fixtures.webhook) }),
    call('GET /api/flight-logs/open', 'anyRole'),
    call('GET /api/aircraft', 'anyRole'),
    call('POST /api/aircraft', 'manage aircraft', { success: 201, body: skyhawk, invalid: { year: 1899 } }),
    call('PUT /api/aircraft/:id/status', 'set aircraft status', {
      id: inPath(aircraft),
      body: { status: 'maintenance' },
      invalid: { status: 'checked_out' },
    }),
    call('DELETE /api/aircraft/:id', 'manage aircraft', {
      id: inPath(aircraft, { conflicting: fixtures.aircraftInFlight }),
    }),
    call('GET /api/aircraft/:id', 'anyRole', { id: inPath(aircraft) }),
    call('GET /api/imports/:id', 'manage school', { id: inPath(importedFile) }),
    call('GET /api/imports/:id/refused', 'manage school', { id: inPath(importedFile) }),
    call('GET /api/imports/templates/:file', 'manage school', { valid: get('/api/imports/templates/fleet.csv') }),
    call('POST /api/imports', 'manage school', {
      valid: sendFile({ kind: 'fleet' }),
      invalid: sendFile({ kind: 'unknown' }),
    }),
    call('GET /api/squawks', 'anyRole', ofAircraft),
    call('POST /api/squawks', 'anyRole', {
      success: 201,
      id: inBody(aircraft),
      body: (id) => ({ aircraftId: numberIn(id), text: 'Left brake soft.' }),
      invalid: { text: ' ' },
    }),
    call('GET /api/squawks/:id', 'anyRole', { id: inPath(squawk, { another: 200 }) }),
    call('PATCH /api/squawks/:id', 'anyRole', {
      id: inPath(squawk, { another: { can: 'manage squawks', status: 200, others: 403 }, conflicting: fixedSquawk }),
      body: { state: 'withdrawn' },
      invalid: { remark: 7 },
    }),
    call('PATCH /api/squawks/:id to fixed', 'manage squawks', {
      isRoleAskedByBody: true,
      id: inPath(squawk, { another: 200, conflicting: fixedSquawk }),
      body: { state: 'fixed', remark: 'New pads' },
      invalid: { remark: undefined },
    }),
    call('GET /api/users', 'anyRole', { invalid: get('/api/users?role=owner') }),
    call('POST /api/analyze-image', 'anyRole', {
      id: inBody(aircraft),
      body: (id) => ({ aircraftId: numberIn(id), meterType: 'hobbs', imageData }),
      invalid: { meterType: 'altimeter' },
    }),
    call('GET /api/ocr-results', 'anyRole'),
    call('POST /api/flight-logs', 'check out aircraft', {
      success: 201,
      id: inBody(aircraft, { conflicting: fixtures.aircraftInMaintenance }),
      body: (id) => ({ aircraftId: numberIn(id), ...readings }),
      invalid: { startTachTime: 'x' },
    }),
    call('GET /api/flight-logs', 'anyRole', ofAircraft),
    call('POST /api/flight-logs/past', 'enter past flights', {
      success: 201,
      id: inBody(past.aircraftAndPilot),
      body: (id) => ({ aircraftId: numberIn(id), pilotId: past.pilot(), ...pastFlight, ...instants }),
      invalid: { reason: '' },
    }),
    call('GET /api/flight-logs/export.xlsx', 'export flight logs', ofAircraft),
    call('GET /api/flight-logs/hours/export.xlsx', 'anyRole', ofAircraft),
    call('GET /api/flight-logs/export', 'export flight logs', ofAircraft),
    call('GET /api/flight-logs/hours/export', 'anyRole', ofAircraft),
    call('GET /account/data', 'anyRole'),
    // Before the password was entered once more.
    call('GET /api/export', 'manage school', { success: 403 }),
    call('POST /api/export', 'manage school', { body: { password: PASSWORD }, invalid: { password: 'wrong' } }),
    call('GET /api/activity/export', 'see activity', { id: inQuery(user), query: 'person' }),
    call('GET /api/flight-logs/:id', 'anyRole', { id: inPath(openFlight, { another: 200 }) }),
    call('POST /api/flight-logs/:id/complete', 'anyRole', {
      id: inPath(openFlight, { another: 403, conflicting: completedFlight }),
      body: ends,
      invalid: { endTachTime: '1' },
    }),
    call('POST /api/flight-logs/:id/close', 'close flights on behalf', {
      id: inPath(fixtures.forgottenFlightOfAnotherPilot, { conflicting: openFlight }),
      body: { ...ends, reason: 'Left for home' },
      invalid: { reason: undefined },
    }),
    call('POST /api/flight-logs/:id/correct', 'anyRole', {
      id: inPath(completedFlight, { another: { can: 'correct any flight', status: 200, others: 403 } }),
      body: { notes: 'Soft brake', reason: 'Forgotten' },
      invalid: { reason: undefined },
    }),
    call('POST /api/register', 'manage users', { success: 201, body: newcomer, invalid: { password: 'short' } }),
    call('PATCH /api/users/:id', 'manage users', {
      id: inPath(user, { another: 200 }),
      body: { role: 'instructor' },
      invalid: { role: 'owner' },
    }),
    call('DELETE /api/users/:id', 'manage users', {
      id: inPath(user, { another: 200, conflicting: fixtures.pilotInFlight }),
    }),
    call('GET /api/invitations', 'manage invitations'),
    call('POST /api/invitations', 'manage invitations', {
      success: 201,
      body: { name: 'Ben', email: 'ben@friends.example', role: 'instructor' },
      invalid: { email: 'ben' },
    }),
    call('GET /api/invitations/:id', 'anyRole', {
      ...{ signedOut: 404, success: 404, valid: get('/api/invitations/no-such-token') },
    }),
    call('PATCH /api/invitations/:id', 'manage invitations', {
      id: inPath(invitation, { another: 200 }),
      body: { role: 'instructor' },
      invalid: { role: undefined, email: 'ben' },
    }),
    call('DELETE /api/invitations/:id', 'manage invitations', { id: inPath(invitation, { another: 200 }) }),
    call('GET /api/tokens', 'anyRole'),
    call('DELETE /api/tokens/:id', 'anyRole', { id: inPath(fixtures.accessToken, { another: 404 }) }),
    call('GET /jump', 'anyRole', { valid: get('/jump?q=N') }),
    call('GET /photos/:id', 'anyRole', { id: inPath(fixtures.photo, { another: 200 }) }),
  ];
}

/** In JSON an id is a number; junk stays what it is. */
function numberIn(id: string): unknown {
  return /^-?[\d.]+$/.test(id) ? Number(id) : id;
}
