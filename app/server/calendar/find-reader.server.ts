import { AppError } from '#app/domain/app-error.ts';
import { type CalendarReader, findCalendarReader } from '#app/domain/calendar/calendar-links.server.ts';
import { Limiter } from '#app/domain/limiter.server.ts';
import { CALENDAR_WINDOW_MS, MAX_CALENDAR_REQUESTS, MAX_WRONG_CALENDAR_LINKS } from '#app/limits.ts';
import { clientNetwork } from '../client-address.server.ts';
import { db } from '../db.server.ts';

const requestsOfLinks = new Limiter(MAX_CALENDAR_REQUESTS, CALENDAR_WINDOW_MS);
const wrongLinks = new Limiter(MAX_WRONG_CALENDAR_LINKS, CALENDAR_WINDOW_MS);

/** Finds whose calendar a link opens. Throws 'notFound', alike for ended links and others, or 'tooMany'. */
export async function findReader(request: Request, fileName: string): Promise<CalendarReader> {
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
