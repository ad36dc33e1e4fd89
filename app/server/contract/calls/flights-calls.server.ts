import type { Call } from '../call.ts';
import { ANSWERS, BODIES } from '../schemas.server.ts';

const byFlights = {
  aircraftId: 'Only the flights of this aircraft',
  pilotId: 'Only those of this pilot',
  instructorId: 'Only those that this instructor taught',
  from: "The first day on which they started, in the school's time zone",
  to: 'The last day',
  status: 'in_progress or completed',
  q: 'Words that all stand in the squawks',
};

const CHANGED_SINCE = 'Only those that changed since this instant, or this day';

export const flightsCalls: Call[] = [
  {
    method: 'get',
    path: '/api/flight-logs/open',
    id: 'listOpenFlights',
    summary: "Flights in progress: all for administrators, else one's own",
    response: ANSWERS.OpenFlights,
  },
  {
    method: 'get',
    path: '/api/flight-logs',
    id: 'listFlightLogs',
    summary: 'The flights, newest first',
    query: byFlights,
    pages: 'changes',
    response: ANSWERS.FlightLogs,
  },
  {
    method: 'post',
    path: '/api/flight-logs',
    id: 'startFlight',
    scope: 'fly',
    summary: 'Start a flight',
    body: BODIES.CheckOut,
    example: { aircraftId: 7, startHobbsTime: '1234.5', startTachTime: '1100.2', status: 'in_progress' },
    created: true,
    response: ANSWERS.FlightLog,
    errorStatuses: [404, 409, 422],
  },
  {
    method: 'get',
    path: '/api/flight-logs/export',
    id: 'exportFlightLogs',
    summary: 'The flights as a CSV file',
    query: { ...byFlights, since: CHANGED_SINCE },
    errorStatuses: [403, 429, 503],
  },
  {
    method: 'get',
    path: '/api/flight-logs/hours/export',
    id: 'exportHours',
    summary: "Hours as a CSV file: everybody's for administrators, else one's own; of this month unless days are given",
    query: { by: 'pilot, instructor or aircraft', ...byFlights, since: CHANGED_SINCE },
    errorStatuses: [429, 503],
  },
  {
    method: 'get',
    path: '/api/flight-logs/{id}',
    id: 'getFlightLog',
    summary: 'One flight',
    response: ANSWERS.FlightLog,
    errorStatuses: [404],
  },
  {
    method: 'post',
    path: '/api/flight-logs/{id}/complete',
    id: 'completeFlight',
    scope: 'fly',
    summary: "Complete one's own flight",
    body: BODIES.CheckIn,
    example: {
      endHobbsTime: '1235.7',
      endTachTime: '1101.2',
      instructorId: null,
      instructorTimeIn: '',
      instructorTimeOut: '',
      groundSchoolTime: '0.25',
      notes: 'Left brake soft.',
      fuelRecords: [{ refueled: true, fuelReceiptImage: null, oilAdded: true, oilQuantity: 1, notes: '' }],
    },
    response: ANSWERS.FlightLog,
    errorStatuses: [403, 404, 409, 422, 429, 503],
  },
  {
    method: 'post',
    path: '/api/flight-logs/{id}/close',
    id: 'closeFlight',
    summary:
      "Complete another pilot's flight, as administrator, or as instructor after 12 hours; its pilot gets a mail",
    body: BODIES.Closing,
    example: { endHobbsTime: '1235.7', endTachTime: '1101.2', reason: 'Left for home' },
    response: ANSWERS.FlightLog,
    errorStatuses: [403, 404, 409, 422],
  },
];
