import ical, { escape, type ICalCalendar, ICalEventTransparency } from 'ical-generator';
import { AppError } from '#app/domain/app-error.ts';
import {
  type CalendarFlight,
  type CalendarInspection,
  type CalendarReader,
  findCalendarReader,
} from '#app/domain/calendar/queries.server.ts';
import { Limiter } from '#app/domain/limiter.server.ts';
import {
  CALENDAR_REFRESH_S,
  CALENDAR_STEP_MS,
  CALENDAR_WINDOW_MS,
  MAX_CALENDAR_REQUESTS,
  MAX_WRONG_CALENDAR_LINKS,
  OPEN_FLIGHT_SHOWN_AHEAD_MS,
} from '#app/limits.ts';
import { env } from '#app/env.server.ts';
import { paths } from '#app/paths.ts';
import { clientNetwork } from './client-address.server.ts';
import { db } from './db.server.ts';

const requestsOfLinks = new Limiter(MAX_CALENDAR_REQUESTS, CALENDAR_WINDOW_MS);
const wrongLinks = new Limiter(MAX_WRONG_CALENDAR_LINKS, CALENDAR_WINDOW_MS);

/** Finds whose calendar a link opens. Throws 'notFound', alike for ended links and others, or 'tooMany'. */
export async function requireCalendarReader(request: Request, fileName: string): Promise<CalendarReader> {
  const found = await findCalendarReader(db, secretOf(fileName));
  if (!found) {
    // Whoever shares a network with a guesser reads on: no guess finds a secret of 256 bits.
    const wrong = wrongLinks.count(clientNetwork(request));
    throw wrong.left < 0 ? tooMany(wrong.secondsLeft) : new AppError('notFound', 'Calendar not found');
  }
  const { left, secondsLeft } = requestsOfLinks.count(`${found.reader.id} ${found.aircraft.id}`);
  if (left < 0) throw tooMany(secondsLeft);
  return found;
}

/** Returns the link's secret; '' for other addresses, which are looked up too and take as long as a wrong link. */
function secretOf(fileName: string): string {
  return fileName.endsWith('.ics') ? fileName.slice(0, -'.ics'.length) : '';
}

function tooMany(seconds: number): AppError {
  const text = 'This calendar was asked for too often in the last minute. Please wait.';
  return new AppError('tooMany', text).retryAfter(seconds);
}

interface CalendarContents {
  aircraft: { id: number; tailNumber: string };
  flights: CalendarFlight[];
  inspections: CalendarInspection[];
}

/** Writes the aircraft's calendar by RFC 5545 and RFC 7986; the text stays the same as long as nothing changes. */
export function calendarFile({ aircraft, flights, inspections }: CalendarContents, now: Date): string {
  const { tailNumber } = aircraft;
  const calendar = ical({
    // The library escapes every text but the name.
    name: escape(`${tailNumber}, ${env.PRODUCT_NAME}`, false),
    prodId: { company: 'Flightline', product: 'Flightline' },
    ttl: CALENDAR_REFRESH_S,
  });
  for (const flight of flights) addFlight(calendar, tailNumber, flight, now);
  for (const inspection of inspections) addInspection(calendar, aircraft, inspection);
  return `${calendar.toString()}\r\n`;
}

function addFlight(calendar: ICalCalendar, tailNumber: string, flight: CalendarFlight, now: Date): void {
  const { id, start, pilot } = flight;
  // Times are rounded down to the step, because every request would find another calendar otherwise.
  const step = new Date(Math.floor(now.getTime() / CALENDAR_STEP_MS) * CALENDAR_STEP_MS);
  const end = flight.end ?? new Date(step.getTime() + OPEN_FLIGHT_SHOWN_AHEAD_MS);
  const changedAt = flight.end === null ? latest(step, flight.changedAt) : flight.changedAt;
  calendar.createEvent({
    ...versionOf(`flight-${id}`, flight.checkedOutAt, changedAt),
    start,
    // An event must not end before it begins, nor with its beginning.
    ...(end > start && { end }),
    summary: `${tailNumber}${flight.end === null ? ' (open)' : ''}${pilot === null ? '' : `, ${pilot}`}`,
    url: env.APP_URL + paths.flightPage(id),
  });
}

function addInspection(
  calendar: ICalCalendar,
  { id: aircraftId, tailNumber }: CalendarContents['aircraft'],
  { id, name, dueOn, createdAt, changedAt }: CalendarInspection,
): void {
  calendar.createEvent({
    ...versionOf(`inspection-${id}`, createdAt, changedAt),
    start: new Date(`${dueOn}T00:00:00Z`),
    allDay: true,
    transparency: ICalEventTransparency.TRANSPARENT,
    summary: `${tailNumber}: ${name} due`,
    url: env.APP_URL + paths.aircraft(aircraftId),
  });
}

/** Numbers the event's version without a column, by the seconds from the record to its last change, which only grow. */
function versionOf(name: string, createdAt: Date, changedAt: Date) {
  const seconds = Math.ceil((changedAt.getTime() - createdAt.getTime()) / 1000);
  return {
    id: `${name}@${new URL(env.APP_URL).hostname}`,
    sequence: Math.max(seconds, 0),
    lastModified: changedAt,
    stamp: changedAt,
  };
}

function latest(one: Date, other: Date): Date {
  return one > other ? one : other;
}
