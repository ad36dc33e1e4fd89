import { type Call, get, post } from '../call.ts';
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
  get('/api/flight-logs/open', 'listOpenFlights', {
    summary: "Flights in progress: all for administrators, else one's own",
    response: ANSWERS.OpenFlights,
  }),
  get('/api/flight-logs', 'listFlightLogs', {
    summary: 'The flights, newest first',
    query: byFlights,
    pages: 'changes',
    response: ANSWERS.FlightLogs,
  }),
  post('/api/flight-logs', 'startFlight', {
    scope: 'fly',
    summary: 'Start a flight',
    body: BODIES.CheckOut,
    example: { aircraftId: 7, startHobbsTime: '1234.5', startTachTime: '1100.2', status: 'in_progress' },
    created: true,
    response: ANSWERS.FlightLog,
    errorStatuses: [404, 409, 422],
  }),
  post('/api/flight-logs/past', 'enterPastFlight', {
    summary: 'Enter a flight that has ended, as administrator; odd readings come back as readingFlags',
    body: BODIES.PastFlight,
    example: {
      aircraftId: 7,
      pilotId: 12,
      departedAt: '2026-05-12T10:00:00Z',
      landedAt: '2026-05-12T11:06:00Z',
      startHobbsTime: '1234.5',
      endHobbsTime: '1235.6',
      startTachTime: '988.60',
      endTachTime: '989.52',
      reason: 'Written on paper while the network was down.',
    },
    created: true,
    response: ANSWERS.FlightLog,
    errorStatuses: [403, 404, 409, 422],
  }),
  get('/api/flight-logs/export.xlsx', 'exportFlightLogSheet', {
    summary: 'The flights as a spreadsheet (xlsx) with dates and numbers, at most 100,000 of them',
    query: { ...byFlights, since: CHANGED_SINCE },
    file: 'xlsx',
    errorStatuses: [403, 429, 503],
  }),
  get('/api/flight-logs/export', 'exportFlightLogs', {
    summary: 'The flights as a CSV file',
    query: { ...byFlights, since: CHANGED_SINCE },
    errorStatuses: [403, 429, 503],
  }),
  get('/api/flight-logs/hours/export', 'exportHours', {
    summary: "Hours as a CSV file: everybody's for administrators, else one's own; of this month unless days are given",
    query: { by: 'pilot, instructor or aircraft', ...byFlights, since: CHANGED_SINCE },
    errorStatuses: [429, 503],
  }),
  get('/api/flight-logs/hours/export.xlsx', 'exportHoursSheet', {
    summary: 'The hours of the CSV file as a spreadsheet (xlsx)',
    query: { by: 'pilot, instructor or aircraft', ...byFlights, since: CHANGED_SINCE },
    file: 'xlsx',
    errorStatuses: [429, 503],
  }),
  get('/api/flight-logs/{id}', 'getFlightLog', {
    summary: 'One flight',
    response: ANSWERS.FlightLog,
    errorStatuses: [404],
  }),
  post('/api/flight-logs/{id}/complete', 'completeFlight', {
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
  }),
  post('/api/flight-logs/{id}/close', 'closeFlight', {
    summary:
      "Complete another pilot's flight, as administrator, or as instructor after 12 hours; its pilot gets a mail",
    body: BODIES.Closing,
    example: { endHobbsTime: '1235.7', endTachTime: '1101.2', reason: 'Left for home' },
    response: ANSWERS.FlightLog,
    errorStatuses: [403, 404, 409, 422, 429, 503],
  }),
  post('/api/flight-logs/{id}/correct', 'correctFlight', {
    summary:
      'Correct a flight, as administrator, or as pilot the own last one for 48 hours; what is not given stays as it is',
    body: BODIES.Correction,
    example: { instructorId: 9, instructorTimeIn: '10:00', instructorTimeOut: '11:30', reason: 'Forgotten' },
    response: ANSWERS.FlightLog,
    errorStatuses: [403, 404, 409, 422],
  }),
];
