import { z } from 'zod';
import { addAircraftFields, statusFields } from '#app/domain/aircraft/schema.server.ts';
import { completeFlightFields, startFlightFields } from '#app/domain/flights/schema.server.ts';
import { invitationFields } from '#app/domain/invitations/schema.server.ts';
import { analysisTarget, imageData } from '#app/domain/meters/schema.server.ts';
import { addUserFields, registerFields, signInFields } from '#app/domain/people/schema.server.ts';
import { schoolFields } from '#app/domain/school/schema.server.ts';
import {
  account,
  aircraft,
  flightLog,
  flightSchool,
  invitation,
  nothing,
  nothingDetected,
  openFlight,
  scan,
  user,
  welcome,
} from './shapes.server.ts';

/** One call of the contract (spec §7). */
export interface ContractCall {
  method: 'get' | 'post' | 'put' | 'delete';
  /** As OpenAPI writes it: '/api/users/{id}'. */
  path: string;
  summary: string;
  /** Answered without a session. */
  open?: true;
  query?: Record<string, string>;
  body?: z.ZodType;
  /** 200 unless it creates. */
  created?: true;
  /** JSON, or CSV where there is none. */
  answer?: z.ZodType;
  /** Statuses of failure beside 400, 401 and 500, which any call may answer with. */
  refusals?: (403 | 404 | 409 | 413 | 422 | 429 | 502 | 503)[];
  /** Failures are JSON with a message instead of text. */
  jsonFailures?: true;
}

const byAircraft = { aircraftId: 'Only the flights of this aircraft' };

/** Every call; with each schema the one that its route parses with, or that its answers are tested against. */
export const CALLS: ContractCall[] = [
  { method: 'post', path: '/api/login', summary: 'Sign in; the session is a cookie', open: true, body: signInFields, answer: account, refusals: [429] },
  { method: 'post', path: '/api/logout', summary: 'End the session', open: true, answer: nothing },
  { method: 'get', path: '/api/user', summary: 'Who is signed in', answer: account },
  { method: 'get', path: '/api/flight-school', summary: 'The school', answer: flightSchool, refusals: [404] },
  { method: 'put', path: '/api/flight-school', summary: 'Change the school, or found it (C25)', body: schoolFields, answer: flightSchool, refusals: [403, 422] },
  { method: 'get', path: '/api/flight-logs/open', summary: 'Flights in progress: all for administrators, else one\'s own', answer: z.array(openFlight) },
  { method: 'get', path: '/api/flight-logs', summary: 'The flights, newest first', query: byAircraft, answer: z.array(flightLog) },
  { method: 'post', path: '/api/flight-logs', summary: 'Start a flight', body: startFlightFields, created: true, answer: flightLog, refusals: [404, 409, 422] },
  { method: 'get', path: '/api/flight-logs/export', summary: 'The flights as a CSV file (C44)', query: byAircraft, refusals: [403, 503] },
  { method: 'get', path: '/api/flight-logs/{id}', summary: 'One flight', answer: flightLog, refusals: [404] },
  { method: 'post', path: '/api/flight-logs/{id}/complete', summary: 'Complete one\'s own flight', body: completeFlightFields, answer: flightLog, refusals: [403, 404, 409, 413, 422, 503] },
  { method: 'get', path: '/api/aircraft', summary: 'The fleet', query: { flightSchoolId: 'Must be one\'s own school' }, answer: z.array(aircraft), refusals: [403] },
  { method: 'post', path: '/api/aircraft', summary: 'Add an aircraft', body: addAircraftFields, created: true, answer: aircraft, refusals: [403, 409, 422] },
  { method: 'put', path: '/api/aircraft/{id}/status', summary: 'Set to maintenance, or available', body: statusFields, answer: aircraft, refusals: [403, 404, 422] },
  { method: 'delete', path: '/api/aircraft/{id}', summary: 'Delete an aircraft', answer: nothing, refusals: [403, 404, 409, 422] },
  { method: 'get', path: '/api/users', summary: 'The users of the school', query: { role: 'Roles, comma separated' }, answer: z.array(user) },
  { method: 'delete', path: '/api/users/{id}', summary: 'Delete a user', answer: nothing, refusals: [403, 404, 409, 422] },
  {
    method: 'post',
    path: '/api/register',
    summary: 'Register with an invitation\'s token, or add a user as administrator (C21)',
    open: true,
    body: z.union([registerFields.extend({ invitationToken: z.string().min(1) }), addUserFields]),
    created: true,
    answer: account,
    refusals: [403, 404, 409, 422],
  },
  { method: 'get', path: '/api/invitations/{token}', summary: 'What an invitation\'s token stands for', open: true, answer: welcome, refusals: [404] },
  { method: 'get', path: '/api/invitations', summary: 'Pending invitations', answer: z.array(invitation), refusals: [403] },
  { method: 'post', path: '/api/invitations', summary: 'Invite somebody by mail', body: invitationFields, created: true, answer: invitation, refusals: [403, 409, 422], jsonFailures: true },
  { method: 'delete', path: '/api/invitations/{id}', summary: 'Delete an invitation', answer: nothing, refusals: [403, 404, 422] },
  { method: 'post', path: '/api/analyze-image', summary: 'Read a photo of a meter', body: analysisTarget.extend({ imageData }), answer: z.union([scan, nothingDetected]), refusals: [404, 413, 422, 502, 503] },
  { method: 'get', path: '/api/ocr-results', summary: 'The scans, newest first', answer: z.array(scan) },
];
