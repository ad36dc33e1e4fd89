import type { Role } from '#db/roles.ts';
import type { Act } from './acts.ts';
import { aircraft, landed, settings } from './scene.ts';
import { formRequest, jsonRequest } from '../requests.ts';

const ENDS = { endHobbsTime: '101.2', endTachTime: '91.0' };

const NOT_PERMITTED: [method: 'GET' | 'form' | 'POST' | 'PUT' | 'DELETE', path: string, by: Role, body?: object][] = [
  ['GET', '/users/invitations', 'student'],
  ['GET', '/activity', 'instructor'],
  ['GET', '/flight-logs/1/close', 'student'],
  ['form', '/airplanes/add', 'student'],
  ['POST', '/api/aircraft', 'instructor', aircraft],
  ['DELETE', '/api/aircraft/1', 'student'],
  ['PUT', '/api/aircraft/1/status', 'student', { status: null }],
  ['GET', '/api/flight-logs/export', 'student'],
  ['GET', '/api/activity/export', 'student'],
  ['POST', '/api/invitations', 'instructor', {}],
  ['GET', '/api/invitations', 'student'],
  ['DELETE', '/api/invitations/1', 'student'],
  ['PUT', '/api/flight-school', 'student', settings],
  ['DELETE', '/api/users/1', 'instructor'],
];

/** What the role does not permit, or another website sent. */
export const REFUSED_ACTS: Act[] = [
  ...NOT_PERMITTED.map(([method, path, by, body], index): Act => [
    `${method} ${path} without the role`,
    index === 0 ? 'refused request' : 'refusals',
    (s) => {
      if (method === 'GET') return s.open(path, by);
      return method === 'form' ? s.post(path, aircraft, by) : s.call(method, path, body, by);
    },
    `Not permitted: ${method === 'GET' ? 'opening' : 'sending to'} ${path}`,
    by,
  ]),
  [
    "cancelling another's check-out",
    'refusals',
    async (s) => s.post(`/flight-logs/${await s.flight()}/cancel`, { reason: 'Fog' }, 'student'),
    'Not permitted: sending to /flight-logs/',
    'student',
  ],
  [
    "correcting another's flight",
    'refusals',
    async (s) => s.open(`/flight-logs/${await s.flight(landed)}/correct`, 'student'),
    'Not permitted: opening /flight-logs/',
    'student',
  ],
  [
    "completing another's flight",
    'refusals',
    async (s) => s.call('POST', `/api/flight-logs/${await s.flight()}/complete`, ENDS, 'student'),
    'Not permitted: sending to /api/flight-logs/',
    'student',
  ],
  [
    "deleting another school's aircraft",
    'refused unknown id',
    async (s) => s.call('DELETE', `/api/aircraft/${await s.foreignPlane()}`),
    'Not there, or of another school: sending to /api/aircraft/',
    'administrator',
  ],
  [
    "opening another school's aircraft",
    'refusals',
    async (s) => s.open(`/airplanes/${await s.foreignPlane()}`, 'student'),
    'Not there, or of another school: opening /airplanes/',
    'student',
  ],
  [
    "deleting another school's aircraft by the form",
    'refused unknown id',
    async (s) => s.post('/airplanes?index', { intent: 'delete-aircraft', aircraftId: String(await s.foreignPlane()) }),
    'Not there, or of another school: sending to /airplanes',
    'administrator',
  ],
  [
    'a form from another website',
    'refused request from another site',
    (s) => s.fromElsewhere(formRequest('/airplanes/add', aircraft, s.cookies.administrator)),
    'Refused a request from another website: sending to /airplanes/add',
    'administrator',
  ],
  [
    'a call from another website',
    'refusals',
    (s) => s.fromElsewhere(jsonRequest('POST', '/api/aircraft', aircraft, s.cookies.student)),
    'Refused a request from another website: sending to /api/aircraft',
    'student',
  ],
  [
    'a log-out from another website',
    'refusals',
    (s) => s.fromElsewhere(formRequest('/logout', {}, s.cookies.student)),
    'Refused a request from another website: sending to /logout',
    'student',
  ],
];
