import type { Call } from './call.ts';
import { accountCalls } from './calls/account-calls.server.ts';
import { fleetCalls, metersCalls } from './calls/fleet-calls.server.ts';
import { flightsCalls } from './calls/flights-calls.server.ts';
import { peopleCalls, webhooksCalls } from './calls/people-calls.server.ts';

export const API_CALLS: Call[] = [
  ...accountCalls,
  ...flightsCalls,
  ...fleetCalls,
  ...peopleCalls,
  ...metersCalls,
  ...webhooksCalls,
];
