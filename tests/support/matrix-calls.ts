import { ROLES } from '#db/roles.ts';
import { inBody, inPath, inQuery, type Line } from './matrix.ts';
import type { MatrixWorld } from './matrix-world.ts';
import { plate } from './pictures.ts';
import { getRequest, jsonRequest } from './requests.ts';

const imageData = (await plate('1234.5')).toString('base64');

const get = (path: string) => (cookie: string) => getRequest(path, cookie);
const send = (method: 'POST' | 'PUT' | 'DELETE', path: string, body?: object) => (cookie: string) =>
  jsonRequest(method, path, body, cookie);

const everyone = { may: ROLES, nobody: 401 };
const administrators = { may: ['administrator'] as const, nobody: 401 };
const readings = { startHobbsTime: '100.0', startTachTime: '90.0' };
const ends = { endHobbsTime: '500.0', endTachTime: '490.0' };
const newcomer = { username: 'newcomer', email: 'newcomer@school.example' };

/** C33, call by call. */
export function callLines({
  aircraft,
  grounded,
  flying,
  flight,
  flown,
  photo,
  user,
  pilotInFlight,
  invitation,
}: MatrixWorld): Line[] {
  return [
    { name: 'GET /api/user', ...everyone, ok: 200, good: () => get('/api/user') },
    { name: 'POST /api/login', may: ROLES, nobody: 400, ok: 400, good: () => send('POST', '/api/login', {}) },
    { name: 'POST /api/logout', may: ROLES, nobody: 200, ok: 200, good: () => send('POST', '/api/logout') },
    { name: 'GET /api/flight-school', ...everyone, ok: 200, good: () => get('/api/flight-school') },
    {
      name: 'PUT /api/flight-school',
      ...administrators,
      ok: 200,
      good: () => send('PUT', '/api/flight-school', { name: 'Cascade', address: '2 Field Road', phone: '555 0199' }),
      bad: () => send('PUT', '/api/flight-school', { name: '', address: '2 Field Road', phone: '555 0199' }),
    },
    { name: 'GET /api/flight-logs/open', ...everyone, ok: 200, good: () => get('/api/flight-logs/open') },
    { name: 'GET /api/aircraft', ...everyone, ok: 200, good: () => get('/api/aircraft') },
    {
      name: 'POST /api/aircraft',
      ...administrators,
      ok: 201,
      good: () => send('POST', '/api/aircraft', { tailNumber: 'N1NEW', make: 'Cessna', model: '172S', year: 2004 }),
      bad: () => send('POST', '/api/aircraft', { tailNumber: 'N1NEW', make: 'Cessna', model: '172S', year: 1899 }),
    },
    {
      name: 'PUT /api/aircraft/:id/status',
      ...administrators,
      ok: 200,
      id: inPath(aircraft),
      good: (id) => send('PUT', `/api/aircraft/${id}/status`, { status: 'maintenance' }),
      bad: (id) => send('PUT', `/api/aircraft/${id}/status`, { status: 'checked_out' }),
    },
    {
      name: 'DELETE /api/aircraft/:id',
      ...administrators,
      ok: 200,
      id: inPath(aircraft, { busy: flying }),
      good: (id) => send('DELETE', `/api/aircraft/${id}`),
    },
    {
      name: 'GET /api/users',
      ...everyone,
      ok: 200,
      good: () => get('/api/users'),
      bad: () => get('/api/users?role=owner'),
    },
    {
      name: 'POST /api/analyze-image',
      ...everyone,
      ok: 200,
      id: inBody(aircraft),
      good: (id) => send('POST', '/api/analyze-image', { aircraftId: numberIn(id), meterType: 'hobbs', imageData }),
      bad: (id) => send('POST', '/api/analyze-image', { aircraftId: numberIn(id), meterType: 'altimeter', imageData }),
    },
    { name: 'GET /api/ocr-results', ...everyone, ok: 200, good: () => get('/api/ocr-results') },
    {
      name: 'POST /api/flight-logs',
      ...everyone,
      ok: 201,
      id: inBody(aircraft, { busy: grounded }),
      good: (id) => send('POST', '/api/flight-logs', { aircraftId: numberIn(id), ...readings }),
      bad: (id) => send('POST', '/api/flight-logs', { aircraftId: numberIn(id), ...readings, startTachTime: 'x' }),
    },
    {
      name: 'GET /api/flight-logs',
      ...everyone,
      ok: 200,
      id: inQuery(aircraft),
      good: (id) => get(`/api/flight-logs?aircraftId=${encodeURIComponent(id)}`),
    },
    {
      name: 'GET /api/flight-logs/export',
      ...administrators,
      ok: 200,
      id: inQuery(aircraft),
      good: (id) => get(`/api/flight-logs/export?aircraftId=${encodeURIComponent(id)}`),
    },
    {
      name: 'GET /api/flight-logs/:id',
      ...everyone,
      ok: 200,
      id: inPath(flight, { another: 200 }),
      good: (id) => get(`/api/flight-logs/${id}`),
    },
    {
      name: 'POST /api/flight-logs/:id/complete',
      ...everyone,
      ok: 200,
      id: inPath(flight, { another: 403, busy: flown }),
      good: (id) => send('POST', `/api/flight-logs/${id}/complete`, ends),
      bad: (id) => send('POST', `/api/flight-logs/${id}/complete`, { ...ends, endTachTime: '1' }),
    },
    {
      name: 'POST /api/register',
      ...administrators,
      ok: 201,
      good: () => send('POST', '/api/register', { ...newcomer, role: 'student', password: 'long enough' }),
      bad: () => send('POST', '/api/register', { ...newcomer, role: 'student', password: 'short' }),
    },
    {
      name: 'DELETE /api/users/:id',
      ...administrators,
      ok: 200,
      id: inPath(user, { another: 200, busy: pilotInFlight }),
      good: (id) => send('DELETE', `/api/users/${id}`),
    },
    { name: 'GET /api/invitations', ...administrators, ok: 200, good: () => get('/api/invitations') },
    {
      name: 'POST /api/invitations',
      ...administrators,
      ok: 201,
      good: () => send('POST', '/api/invitations', { name: 'Ben', email: 'ben@friends.example', role: 'instructor' }),
      bad: () => send('POST', '/api/invitations', { name: 'Ben', email: 'ben', role: 'instructor' }),
    },
    {
      name: 'GET /api/invitations/:id',
      may: ROLES,
      nobody: 404,
      ok: 404,
      good: () => get('/api/invitations/no-such-token'),
    },
    {
      name: 'DELETE /api/invitations/:id',
      ...administrators,
      ok: 200,
      id: inPath(invitation, { another: 200 }),
      good: (id) => send('DELETE', `/api/invitations/${id}`),
    },
    {
      name: 'GET /photos/:id',
      ...everyone,
      ok: 200,
      id: inPath(photo, { another: 200 }),
      good: (id) => get(`/photos/${id}`),
    },
  ];
}

/** In JSON an id is a number; junk stays what it is. */
function numberIn(id: string): unknown {
  return /^-?[\d.]+$/.test(id) ? Number(id) : id;
}
