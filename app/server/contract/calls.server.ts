import { closeFlightSchema } from '#app/domain/flights/amendment-schema.server.ts';
import { z } from 'zod';
import { addAircraftSchema, aircraftSchema, aircraftStatusSchema } from '#app/domain/aircraft/schema.server.ts';
import {
  completeFlightSchema,
  flightLogSchema,
  openFlightSchema,
  startFlightSchema,
} from '#app/domain/flights/schema.server.ts';
import {
  changeInvitationSchema,
  publicInvitationSchema,
  pendingInvitationSchema,
  sendInvitationSchema,
} from '#app/domain/invitations/schema.server.ts';
import {
  analyzeImageSchema,
  imageDataSchema,
  nothingDetectedSchema,
  scanSchema,
} from '#app/domain/meters/schema.server.ts';
import {
  accountSchema,
  addUserSchema,
  changeUserSchema,
  registerSchema,
  signInCallSchema,
  userSchema,
} from '#app/domain/people/schema.server.ts';
import { addSquawkSchema, changeSquawkSchema, squawkSchema } from '#app/domain/squawks/schema.server.ts';
import { flightSchoolSchema, schoolSchema } from '#app/domain/school/schema.server.ts';

export interface ApiCall {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  path: string;
  summary: string;
  isPublic?: true;
  query?: Record<string, string>;
  body?: z.ZodType;
  created?: true;
  /** CSV if missing. */
  response?: z.ZodType;
  /** Besides 400, 401 and 500; 403 of writes, 413 and 415 of those with a body. */
  errorStatuses?: (404 | 409 | 422 | 429 | 502 | 503 | 403)[];
  jsonErrors?: true;
}

const emptySchema = z.strictObject({});

/** Compared with the session's school only. */
const ownSchool = { flightSchoolId: z.union([z.int(), z.string()]).nullish() };

const byFlights = {
  aircraftId: 'Only the flights of this aircraft',
  pilotId: 'Only those of this pilot',
  instructorId: 'Only those that this instructor taught',
  from: "The first day on which they started, in the school's time zone",
  to: 'The last day',
  status: 'in_progress or completed',
  q: 'Words that all stand in the squawks',
};

/** Uses the schemas that routes parse with and tests check responses against. */
export const API_CALLS: ApiCall[] = [
  {
    method: 'post',
    path: '/api/login',
    summary: 'Sign in; the session is a cookie. With a second factor 401 asks for its code, to be sent with the rest',
    isPublic: true,
    body: signInCallSchema,
    response: accountSchema,
    errorStatuses: [429, 503],
  },
  { method: 'post', path: '/api/logout', summary: 'End the session', isPublic: true, response: emptySchema },
  { method: 'get', path: '/api/user', summary: 'Who is signed in', response: accountSchema },
  {
    method: 'get',
    path: '/api/flight-school',
    summary: 'The school',
    response: flightSchoolSchema,
    errorStatuses: [404],
  },
  {
    method: 'put',
    path: '/api/flight-school',
    summary: 'Change the school, or create it',
    body: schoolSchema,
    response: flightSchoolSchema,
    errorStatuses: [403, 422],
  },
  {
    method: 'get',
    path: '/api/flight-logs/open',
    summary: "Flights in progress: all for administrators, else one's own",
    response: z.array(openFlightSchema),
  },
  {
    method: 'get',
    path: '/api/flight-logs',
    summary: 'The flights, newest first',
    query: byFlights,
    response: z.array(flightLogSchema),
  },
  {
    method: 'post',
    path: '/api/flight-logs',
    summary: 'Start a flight',
    body: startFlightSchema,
    created: true,
    response: flightLogSchema,
    errorStatuses: [404, 409, 422],
  },
  {
    method: 'get',
    path: '/api/flight-logs/export',
    summary: 'The flights as a CSV file',
    query: byFlights,
    errorStatuses: [403, 429, 503],
  },
  {
    method: 'get',
    path: '/api/flight-logs/hours/export',
    summary: "Hours as a CSV file: everybody's for administrators, else one's own; of this month unless days are given",
    query: { by: 'pilot, instructor or aircraft', ...byFlights },
    errorStatuses: [429, 503],
  },
  {
    method: 'get',
    path: '/api/flight-logs/{id}',
    summary: 'One flight',
    response: flightLogSchema,
    errorStatuses: [404],
  },
  {
    method: 'post',
    path: '/api/flight-logs/{id}/complete',
    summary: "Complete one's own flight",
    body: completeFlightSchema,
    response: flightLogSchema,
    errorStatuses: [403, 404, 409, 422, 429, 503],
  },
  {
    method: 'post',
    path: '/api/flight-logs/{id}/close',
    summary:
      "Complete another pilot's flight, as administrator, or as instructor after 12 hours; its pilot gets a mail",
    body: closeFlightSchema,
    response: flightLogSchema,
    errorStatuses: [403, 404, 409, 422],
  },
  {
    method: 'get',
    path: '/api/aircraft',
    summary: 'The fleet',
    query: { flightSchoolId: "Must be one's own school" },
    response: z.array(aircraftSchema),
    errorStatuses: [403],
  },
  {
    method: 'post',
    path: '/api/aircraft',
    summary: 'Add an aircraft',
    body: addAircraftSchema,
    created: true,
    response: aircraftSchema,
    errorStatuses: [403, 409, 422],
  },
  {
    method: 'put',
    path: '/api/aircraft/{id}/status',
    summary: 'Set to maintenance, or available',
    body: aircraftStatusSchema,
    response: aircraftSchema,
    errorStatuses: [403, 404, 409, 422],
  },
  {
    method: 'delete',
    path: '/api/aircraft/{id}',
    summary: 'Delete an aircraft',
    response: emptySchema,
    errorStatuses: [403, 404, 409, 422],
  },
  {
    method: 'get',
    path: '/api/aircraft/{id}',
    summary: 'One aircraft',
    response: aircraftSchema,
    errorStatuses: [404],
  },
  {
    method: 'get',
    path: '/api/squawks',
    summary: 'The squawks, newest first, 200 at a time; the Link header has the next ones',
    query: {
      aircraftId: 'Only those of this aircraft',
      state: 'States, comma separated: open, deferred, fixed, withdrawn',
      after: 'Only older ones than this id',
    },
    response: z.array(squawkSchema),
  },
  {
    method: 'post',
    path: '/api/squawks',
    summary: 'Report a squawk between flights; with `unsafe` administrators get a mail',
    body: addSquawkSchema,
    created: true,
    response: squawkSchema,
    errorStatuses: [404, 409, 422, 429, 503],
  },
  {
    method: 'get',
    path: '/api/squawks/{id}',
    summary: 'One squawk',
    response: squawkSchema,
    errorStatuses: [404],
  },
  {
    method: 'patch',
    path: '/api/squawks/{id}',
    summary:
      'Defer, fix or reopen a squawk, as administrator; withdraw it, also as its author within 48 hours. ' +
      'Deferred needs `until`: a date, or one of {hobbs}, {tach}, {date}; fixed needs `remark`: what was done',
    body: changeSquawkSchema,
    response: squawkSchema,
    errorStatuses: [403, 404, 409, 422],
  },
  {
    method: 'get',
    path: '/api/users',
    summary: 'The users of the school',
    query: { role: 'Roles, comma separated' },
    response: z.array(userSchema),
  },
  {
    method: 'patch',
    path: '/api/users/{id}',
    summary: "Change a user's role, email, username or shown name; what is absent stays, a null name is removed",
    body: changeUserSchema,
    response: userSchema,
    errorStatuses: [403, 404, 409, 422],
  },
  {
    method: 'delete',
    path: '/api/users/{id}',
    summary: 'Delete a user',
    response: emptySchema,
    errorStatuses: [403, 404, 409, 422],
  },
  {
    method: 'post',
    path: '/api/register',
    summary: "Register with an invitation's token, or add a user as administrator",
    isPublic: true,
    body: z.union([registerSchema.extend({ invitationToken: z.string().min(1) }), addUserSchema.extend(ownSchool)]),
    created: true,
    response: accountSchema,
    errorStatuses: [403, 404, 409, 422, 503],
  },
  {
    method: 'get',
    path: '/api/invitations/{token}',
    summary: "What an invitation's token stands for",
    isPublic: true,
    response: publicInvitationSchema,
    errorStatuses: [404],
  },
  {
    method: 'get',
    path: '/api/invitations',
    summary: 'Pending invitations',
    response: z.array(pendingInvitationSchema),
    errorStatuses: [403],
  },
  {
    method: 'post',
    path: '/api/invitations',
    summary: 'Invite somebody by mail',
    body: sendInvitationSchema,
    created: true,
    response: pendingInvitationSchema,
    errorStatuses: [403, 409, 422, 429],
    jsonErrors: true,
  },
  {
    method: 'patch',
    path: '/api/invitations/{id}',
    summary: 'Change an invitation, and mail a new link; what is absent stays',
    body: changeInvitationSchema,
    response: pendingInvitationSchema,
    errorStatuses: [403, 404, 409, 422, 429],
  },
  {
    method: 'delete',
    path: '/api/invitations/{id}',
    summary: 'Delete an invitation',
    response: emptySchema,
    errorStatuses: [403, 404, 409, 422],
  },
  {
    method: 'post',
    path: '/api/analyze-image',
    summary: 'Read a photo of a meter',
    body: analyzeImageSchema.extend({ imageData: imageDataSchema }),
    response: z.union([scanSchema, nothingDetectedSchema]),
    errorStatuses: [404, 409, 422, 429, 502, 503],
  },
  {
    method: 'get',
    path: '/api/activity/export',
    summary: 'Who did what, as a CSV file',
    query: {
      person: 'Only what this user did, or what was done to them',
      kind: 'Only this kind, or group of kinds',
      from: "The first day, in the school's time zone",
      to: 'The last day',
    },
    errorStatuses: [403, 503],
  },
  { method: 'get', path: '/api/ocr-results', summary: 'The scans, newest first', response: z.array(scanSchema) },
];
