import type { Call } from '../call.ts';
import { ANSWERS, BODIES } from '../schemas.server.ts';

export const accountCalls: Call[] = [
  {
    method: 'post',
    path: '/api/login',
    id: 'signIn',
    summary: 'Sign in; the session is a cookie. With a second factor 401 asks for its code, to be sent with the rest',
    isPublic: true,
    body: BODIES.SignIn,
    response: ANSWERS.Account,
    errorStatuses: [429, 503],
  },
  {
    method: 'post',
    path: '/api/logout',
    id: 'signOut',
    summary: 'End the session',
    isPublic: true,
    response: ANSWERS.Nothing,
  },
  { method: 'get', path: '/api/user', id: 'getAccount', summary: 'Who is signed in', response: ANSWERS.Account },
  {
    method: 'get',
    path: '/api/flight-school',
    id: 'getSchool',
    summary: 'The school',
    response: ANSWERS.School,
    errorStatuses: [404],
  },
  {
    method: 'put',
    path: '/api/flight-school',
    id: 'saveSchool',
    summary: 'Change the school, or create it',
    body: BODIES.SchoolChange,
    response: ANSWERS.School,
    errorStatuses: [403, 422],
  },
  {
    method: 'get',
    path: '/api/activity/export',
    id: 'exportActivity',
    summary: 'Who did what, as a CSV file',
    query: {
      person: 'Only what this user did, or what was done to them',
      kind: 'Only this kind, or group of kinds',
      from: "The first day, in the school's time zone",
      to: 'The last day',
    },
    errorStatuses: [403, 503],
  },
];
