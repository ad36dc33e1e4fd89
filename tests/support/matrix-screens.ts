import { ROLES } from '#db/roles.ts';
import { inBody, inPath, type Line } from './matrix.ts';
import type { MatrixWorld } from './matrix-world.ts';
import { plate } from './pictures.ts';
import { formRequest, getRequest } from './requests.ts';

const image = new Uint8Array(await plate('1234.5'));

const get = (path: string) => (cookie: string) => getRequest(path, cookie);
const post = (path: string, fields: Record<string, string>) => (cookie: string) => formRequest(path, fields, cookie);

// Signed out: to the sign-in screen, from a page by 302, from a post by 303 (C29).
const page = { may: ROLES, ok: 200, nobody: 302 };
const form = { may: ROLES, ok: 303, nobody: 303 };
const adminForm = { ...form, may: ['administrator'] as const };
const readings = { startHobbsTime: '100.0', startTachTime: '90.0' };
const ends = { endHobbsTime: '500.0', endTachTime: '490.0' };
// A route that is registered only for administrators (B007).
const hidden = { may: ['administrator'] as const, refused: 404 };
const newcomer = { username: 'newcomer', email: 'newcomer@school.example', role: 'student' };
const reason = 'Fog';
const school = { name: 'Cascade', address: '1 Field Road', phone: '555 0100', timeZone: 'UTC' };
const diamond = { tailNumber: 'N40FL', make: 'Diamond', model: 'DA40', year: '2012' };

const onFleet = (intent: string, id: string) => post('/airplanes?index', { intent, aircraftId: id });

/** C33, page by page and form by form. */
export function screenLines(world: MatrixWorld): Line[] {
  const { aircraft, grounded, flying, flight, theirs, flown, scan: scanned, user, pilotInFlight, invitation } = world;
  return [
    { name: 'GET /', ...page, nobody: 200, good: () => get('/') },
    { name: 'GET /login', may: ROLES, ok: 302, nobody: 200, good: () => get('/login') },
    { name: 'GET /auth', may: ROLES, ok: 302, nobody: 200, good: () => get('/auth') },
    { name: 'POST /logout', ...form, good: () => post('/logout', {}) },
    { name: 'GET /airplanes', ...page, good: () => get('/airplanes') },
    {
      name: "'Set to Maintenance'",
      ...adminForm,
      id: inBody(aircraft, { junk: 404 }),
      good: (id) => onFleet('set-maintenance', id),
    },
    {
      name: "'Mark as Available'",
      ...adminForm,
      id: inBody(grounded, { junk: 404 }),
      good: (id) => onFleet('mark-available', id),
    },
    {
      name: "'Delete aircraft'",
      ...adminForm,
      id: inBody(aircraft, { junk: 404, busy: flying }),
      good: (id) => onFleet('delete-aircraft', id),
    },
    { name: 'no action of the fleet', ...adminForm, ok: 400, good: () => onFleet('paint-it', '1') },
    { name: 'GET /airplanes/add', ...page, good: () => get('/airplanes/add') },
    {
      name: 'POST /airplanes/add',
      ...adminForm,
      good: () => post('/airplanes/add', diamond),
      bad: () => post('/airplanes/add', { ...diamond, year: '1899' }),
    },
    { name: 'GET /ocr', ...page, good: () => get('/ocr') },
    {
      name: 'POST /ocr',
      ...form,
      id: inBody(aircraft),
      good: (id) => scan(id, 'hobbs'),
      bad: (id) => scan(id, 'altimeter'),
    },
    { name: 'GET /ocr/history', ...page, good: () => get('/ocr/history') },
    { name: 'GET /flight-log', ...page, good: () => get('/flight-log') },
    {
      name: 'POST /flight-log, step 1',
      ...form,
      id: inBody(aircraft, { busy: grounded }),
      good: (id) => post('/flight-log?step=0', { aircraftId: id }),
    },
    {
      name: 'POST /flight-log, step 2',
      ...form,
      id: inBody(aircraft, { busy: grounded }),
      good: (id) => post('/flight-log?step=1', { aircraftId: id, ...readings }),
      bad: (id) => post('/flight-log?step=1', { aircraftId: id, ...readings, startTachTime: '' }),
    },
    {
      name: 'POST /flight-log, step 3',
      ...form,
      id: inBody(aircraft, { busy: grounded }),
      good: (id) => post('/flight-log?step=2', { aircraftId: id, ...readings }),
      bad: (id) => post('/flight-log?step=2', { aircraftId: id, ...readings, startTachTime: 'x' }),
    },
    { name: 'GET /flight-logs', ...page, good: () => get('/flight-logs') },
    {
      name: 'GET /flight-logs?log=',
      ...page,
      id: inPath(flown, { another: 200 }),
      good: (id) => get(`/flight-logs?log=${encodeURIComponent(id)}`),
    },
    {
      name: 'GET /flight-log/:id/post-check',
      ...page,
      id: inPath(flight, { another: 403, busy: flown }),
      good: (id) => get(`/flight-log/${id}/post-check`),
    },
    {
      name: 'POST /flight-log/:id/post-check',
      ...form,
      id: inPath(flight, { another: 403, busy: flown }),
      good: (id) => post(`/flight-log/${id}/post-check`, ends),
      bad: (id) => post(`/flight-log/${id}/post-check`, { ...ends, endTachTime: '1' }),
    },
    {
      name: "'Set to Maintenance' in the details",
      ...adminForm,
      id: inBody(flown, { junk: 404, another: 303 }),
      good: (id) => post('/flight-logs?index&log=1', { flightLogId: id }),
    },
    {
      name: 'GET /flight-logs/:id/close',
      ...page,
      may: ['administrator'],
      id: inPath(theirs, { busy: flown }),
      good: (id) => get(`/flight-logs/${id}/close`),
    },
    {
      name: 'POST /flight-logs/:id/close',
      ...adminForm,
      id: inPath(theirs, { busy: flown }),
      good: (id) => post(`/flight-logs/${id}/close`, { ...ends, reason }),
      bad: (id) => post(`/flight-logs/${id}/close`, { ...ends, reason: '' }),
    },
    {
      name: 'GET /flight-logs/:id/cancel',
      ...page,
      id: inPath(flight, { another: { administrator: 200, others: 403 }, busy: flown }),
      good: (id) => get(`/flight-logs/${id}/cancel`),
    },
    {
      name: 'POST /flight-logs/:id/cancel',
      ...form,
      id: inPath(flight, { another: { administrator: 303, others: 403 }, busy: flown }),
      good: (id) => post(`/flight-logs/${id}/cancel`, { reason }),
      bad: (id) => post(`/flight-logs/${id}/cancel`, { reason: '' }),
    },
    {
      name: 'GET /flight-logs/:id/correct',
      ...page,
      id: inPath(flown, { another: { administrator: 200, others: 403 }, busy: flight }),
      good: (id) => get(`/flight-logs/${id}/correct`),
    },
    {
      name: 'POST /flight-logs/:id/correct',
      ...form,
      ok: 200,
      id: inPath(flown, { another: { administrator: 200, others: 403 }, busy: flight }),
      good: (id) => post(`/flight-logs/${id}/correct`, { ...readings, ...ends, reason, intent: 'preview' }),
      bad: (id) => post(`/flight-logs/${id}/correct`, { ...readings, ...ends, reason: '', intent: 'preview' }),
    },
    {
      name: 'POST /ocr/:id/save',
      ...form,
      may: ['administrator', 'instructor'],
      id: inPath(scanned),
      good: (id) => post(`/ocr/${id}/save`, {}),
    },
    { name: 'GET /school-settings', ...page, good: () => get('/school-settings') },
    {
      name: 'POST /school-settings',
      ...adminForm,
      good: () => post('/school-settings', school),
      bad: () => post('/school-settings', { ...school, phone: '' }),
    },
    { name: 'GET /users', ...page, good: () => get('/users') },
    {
      name: 'deleting a user',
      ...adminForm,
      id: inBody(user, { junk: 404, another: 303, busy: pilotInFlight }),
      good: (id) => post('/users?index', { intent: 'delete-user', userId: id }),
    },
    {
      name: 'sending a password link',
      ...adminForm,
      id: inBody(user, { junk: 404, another: 303 }),
      good: (id) => post('/users?index', { intent: 'send-password-link', userId: id }),
    },
    { name: 'GET /users/add', ...page, good: () => get('/users/add') },
    {
      name: 'POST /users/add',
      ...adminForm,
      good: () => post('/users/add', { ...newcomer, password: 'long enough' }),
      bad: () => post('/users/add', { ...newcomer, password: 'short' }),
    },
    { name: 'GET /users/invitations', ...page, ...hidden, good: () => get('/users/invitations') },
    {
      name: 'inviting',
      ...form,
      ...hidden,
      good: () => post('/users/invitations', { name: 'Ben', email: 'ben@friends.example', role: 'instructor' }),
      bad: () => post('/users/invitations', { name: 'Ben', email: 'ben', role: 'instructor' }),
    },
    {
      name: 'deleting an invitation',
      ...form,
      ...hidden,
      id: inBody(invitation, { junk: 404, another: 303 }),
      good: (id) => post('/users/invitations', { intent: 'delete-invitation', invitationId: id }),
    },
    { name: 'GET an unknown page', ...page, ok: 404, good: () => get('/no/such/page') },
  ];
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
