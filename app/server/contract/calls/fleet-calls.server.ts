import { type Call, get, patch, post, put, remove } from '../call.ts';
import { ANSWERS, BODIES } from '../schemas.server.ts';

export const fleetCalls: Call[] = [
  get('/api/aircraft', 'listAircraft', {
    summary: 'The fleet',
    query: { flightSchoolId: "Must be one's own school" },
    pages: 'changes',
    response: ANSWERS.Fleet,
    errorStatuses: [403],
  }),
  post('/api/aircraft', 'addAircraft', {
    summary: 'Add an aircraft',
    body: BODIES.NewAircraft,
    example: { tailNumber: 'N512SP', make: 'Cessna', model: '172S', year: 2004 },
    created: true,
    response: ANSWERS.Aircraft,
    errorStatuses: [403, 409, 422],
  }),
  put('/api/aircraft/{id}/status', 'setAircraftStatus', {
    summary: 'Set to maintenance, or available',
    body: BODIES.AircraftStatus,
    example: { status: 'maintenance' },
    response: ANSWERS.Aircraft,
    errorStatuses: [403, 404, 409, 422],
  }),
  remove('/api/aircraft/{id}', 'deleteAircraft', {
    summary: 'Delete an aircraft',
    response: ANSWERS.Nothing,
    errorStatuses: [403, 404, 409, 422],
  }),
  get('/api/aircraft/{id}', 'getAircraft', {
    summary: 'One aircraft',
    response: ANSWERS.Aircraft,
    errorStatuses: [404],
  }),
  get('/api/squawks', 'listSquawks', {
    summary: 'The squawks, newest first, 200 at a time; the Link header has the next ones',
    query: {
      aircraftId: 'Only those of this aircraft',
      state: 'States, comma separated: open, deferred, fixed, withdrawn',
    },
    pages: 'changes',
    response: ANSWERS.Squawks,
  }),
  post('/api/squawks', 'reportSquawk', {
    scope: 'fly',
    summary: 'Report a squawk between flights; with `unsafe` administrators get a mail',
    body: BODIES.NewSquawk,
    example: { aircraftId: 7, text: 'Left brake soft.', unsafe: true },
    created: true,
    response: ANSWERS.Squawk,
    errorStatuses: [404, 409, 422, 429, 503],
  }),
  get('/api/squawks/{id}', 'getSquawk', {
    summary: 'One squawk',
    response: ANSWERS.Squawk,
    errorStatuses: [404],
  }),
  patch('/api/squawks/{id}', 'changeSquawk', {
    summary:
      'Defer, fix or reopen a squawk, as administrator; withdraw it, also as its author within 48 hours. ' +
      'Deferred needs `until`: a date, or one of {hobbs}, {tach}, {date}; fixed needs `remark`: what was done',
    body: BODIES.SquawkChange,
    example: { state: 'deferred', until: { hobbs: '1300.0' }, remark: 'Within limits' },
    response: ANSWERS.Squawk,
    errorStatuses: [403, 404, 409, 422],
  }),
];

export const metersCalls: Call[] = [
  post('/api/analyze-image', 'readMeter', {
    scope: 'fly',
    summary: 'Read a photo of a meter',
    body: BODIES.MeterPhoto,
    example: { imageData: '/9j/4AAQSkZJRg==', meterType: 'hobbs', aircraftId: 7 },
    response: ANSWERS.ReadingOrNothing,
    errorStatuses: [404, 409, 422, 429, 502, 503],
  }),
  get('/api/ocr-results', 'listScans', {
    summary: 'The scans, newest first',
    response: ANSWERS.Scans,
  }),
];
