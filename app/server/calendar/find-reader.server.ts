import { AppError } from '#app/domain/app-error.ts';
import { type CalendarReader, findCalendarReader } from '#app/domain/calendar/calendar-links.server.ts';
import { CALENDAR_WINDOW_MS, MAX_CALENDAR_REQUESTS, MAX_WRONG_CALENDAR_LINKS } from '#app/limits.ts';
import { RequestBudget, secondsLeft, type Spent } from '../api/request-budget.ts';
import { clientNetwork } from '../client-address.server.ts';
import { db } from '../db.server.ts';

const requestsOfLinks = new RequestBudget<string>(CALENDAR_WINDOW_MS);
const wrongLinks = new RequestBudget<string>(CALENDAR_WINDOW_MS);

/** Finds whose calendar a link opens. Throws 'notFound', alike for ended links and others, or 'tooMany'. */
export async function findReader(request: Request, fileName: string): Promise<CalendarReader> {
  const wrong = wrongLinks.of(clientNetwork(request));
  if (wrong.requests >= MAX_WRONG_CALENDAR_LINKS) throw tooMany(wrong);
  const found = await findCalendarReader(db, secretOf(fileName));
  if (!found) {
    wrong.requests += 1;
    throw new AppError('notFound', 'Calendar not found');
  }
  const spent = requestsOfLinks.of(`${found.reader.id} ${found.aircraft.id}`);
  spent.requests += 1;
  if (spent.requests > MAX_CALENDAR_REQUESTS) throw tooMany(spent);
  return found;
}

/** Returns the link's secret; '' for other addresses, which are looked up too and take as long as a wrong link. */
function secretOf(fileName: string): string {
  return fileName.endsWith('.ics') ? fileName.slice(0, -'.ics'.length) : '';
}

function tooMany(spent: Spent): AppError {
  const text = 'This calendar was asked for too often in the last minute. Please wait.';
  return new AppError('tooMany', text).retryAfter(secondsLeft(spent));
}
