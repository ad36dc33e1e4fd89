import { z } from 'zod';
import { addAircraftSchema, aircraftStatusSchema } from '#app/domain/aircraft/schema.server.ts';
import { completeFlightSchema, startFlightSchema } from '#app/domain/flights/schema.server.ts';
import { invitationSchema } from '#app/domain/invitations/schema.server.ts';
import { analyzeImageSchema, imageDataSchema } from '#app/domain/meters/schema.server.ts';
import { addUserSchema, registerSchema, signInSchema } from '#app/domain/people/schema.server.ts';
import { schoolSchema } from '#app/domain/school/schema.server.ts';
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
  invitationWelcome,
} from './shapes.server.ts';

/** One call of the contract (spec §7). */
export interface ApiCall {
  method: 'get' | 'post' | 'put' | 'delete';
  /** As OpenAPI writes it: '/api/users/{id}'. */
  path: string;
  summary: string;
  /** Answered without a session. */
  isPublic?: true;
  query?: Record<string, string>;
  body?: z.ZodType;
  /** 200 unless it creates. */
  created?: true;
  /** JSON, or CSV where there is none. */
  response?: z.ZodType;
  /** Statuses of failure beside 400, 401 and 500, which any call may answer with. */
  errorStatuses?: (403 | 404 | 409 | 413 | 422 | 429 | 502 | 503)[];
  /** Failures are JSON with a message instead of text. */
  jsonErrors?: true;
}

const byAircraft = { aircraftId: 'Only the flights of this aircraft' };

/** Every call; with each schema the one that its route parses with, or that its answers are tested against. */
export const API_CALLS: ApiCall[] = [
  {
    method: 'post',
    path: '/api/login',
    summary: 'Sign in; the session is a cookie',
    isPublic: true,
    body: signInSchema,
    response: account,
    errorStatuses: [429],
  },
  { method: 'post', path: '/api/logout', summary: 'End the session', isPublic: true, response: nothing },
  { method: 'get', path: '/api/user', summary: 'Who is signed in', response: account },
  { method: 'get', path: '/api/flight-school', summary: 'The school', response: flightSchool, errorStatuses: [404] },
  {
    method: 'put',
    path: '/api/flight-school',
    summary: 'Change the school, or found it (C25)',
    body: schoolSchema,
    response: flightSchool,
    errorStatuses: [403, 422],
  },
  {
    method: 'get',
    path: '/api/flight-logs/open',
    summary: "Flights in progress: all for administrators, else one's own",
    response: z.array(openFlight),
  },
  {
    method: 'get',
    path: '/api/flight-logs',
    summary: 'The flights, newest first',
    query: byAircraft,
    response: z.array(flightLog),
  },
  {
    method: 'post',
    path: '/api/flight-logs',
    summary: 'Start a flight',
    body: startFlightSchema,
    created: true,
    response: flightLog,
    errorStatuses: [404, 409, 422],
  },
  {
    method: 'get',
    path: '/api/flight-logs/export',
    summary: 'The flights as a CSV file (C44)',
    query: byAircraft,
    errorStatuses: [403, 503],
  },
  { method: 'get', path: '/api/flight-logs/{id}', summary: 'One flight', response: flightLog, errorStatuses: [404] },
  {
    method: 'post',
    path: '/api/flight-logs/{id}/complete',
    summary: "Complete one's own flight",
    body: completeFlightSchema,
    response: flightLog,
    errorStatuses: [403, 404, 409, 413, 422, 503],
  },
  {
    method: 'get',
    path: '/api/aircraft',
    summary: 'The fleet',
    query: { flightSchoolId: "Must be one's own school" },
    response: z.array(aircraft),
    errorStatuses: [403],
  },
  {
    method: 'post',
    path: '/api/aircraft',
    summary: 'Add an aircraft',
    body: addAircraftSchema,
    created: true,
    response: aircraft,
    errorStatuses: [403, 409, 422],
  },
  {
    method: 'put',
    path: '/api/aircraft/{id}/status',
    summary: 'Set to maintenance, or available',
    body: aircraftStatusSchema,
    response: aircraft,
    errorStatuses: [403, 404, 422],
  },
  {
    method: 'delete',
    path: '/api/aircraft/{id}',
    summary: 'Delete an aircraft',
    response: nothing,
    errorStatuses: [403, 404, 409, 422],
  },
  {
    method: 'get',
    path: '/api/users',
    summary: 'The users of the school',
    query: { role: 'Roles, comma separated' },
    response: z.array(user),
  },
  {
    method: 'delete',
    path: '/api/users/{id}',
    summary: 'Delete a user',
    response: nothing,
    errorStatuses: [403, 404, 409, 422],
  },
  {
    method: 'post',
    path: '/api/register',
    summary: "Register with an invitation's token, or add a user as administrator (C21)",
    isPublic: true,
    body: z.union([registerSchema.extend({ invitationToken: z.string().min(1) }), addUserSchema]),
    created: true,
    response: account,
    errorStatuses: [403, 404, 409, 422],
  },
  {
    method: 'get',
    path: '/api/invitations/{token}',
    summary: "What an invitation's token stands for",
    isPublic: true,
    response: invitationWelcome,
    errorStatuses: [404],
  },
  {
    method: 'get',
    path: '/api/invitations',
    summary: 'Pending invitations',
    response: z.array(invitation),
    errorStatuses: [403],
  },
  {
    method: 'post',
    path: '/api/invitations',
    summary: 'Invite somebody by mail',
    body: invitationSchema,
    created: true,
    response: invitation,
    errorStatuses: [403, 409, 422],
    jsonErrors: true,
  },
  {
    method: 'delete',
    path: '/api/invitations/{id}',
    summary: 'Delete an invitation',
    response: nothing,
    errorStatuses: [403, 404, 422],
  },
  {
    method: 'post',
    path: '/api/analyze-image',
    summary: 'Read a photo of a meter',
    body: analyzeImageSchema.extend({ imageData: imageDataSchema }),
    response: z.union([scan, nothingDetected]),
    errorStatuses: [404, 413, 422, 502, 503],
  },
  { method: 'get', path: '/api/ocr-results', summary: 'The scans, newest first', response: z.array(scan) },
];
