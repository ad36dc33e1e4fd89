import { wallClockHours, formatIsoDateTime } from '../format.server.ts';
import { hoursBetween } from '../reading.ts';
import { instructorHours } from './instructor-hours.ts';
import type { FlightLog } from './queries.server.ts';

/** The columns of the exported list (C44), by name, and what stands in each; times in the school's zone. */
const COLUMNS: Record<string, (log: FlightLog, timeZone: string) => string | number | null> = {
  id: (log) => log.id,
  aircraft: (log) => log.aircraft.tailNumber,
  make: (log) => log.aircraft.make,
  model: (log) => log.aircraft.model,
  pilot: (log) => log.user.username,
  'pilot email': (log) => log.user.email,
  instructor: (log) => log.instructor?.username ?? null,
  status: (log) => (log.status === 'completed' ? 'Completed' : 'In Progress'),
  started: (log, timeZone) => formatIsoDateTime(log.createdAt, timeZone),
  completed: (log, timeZone) => log.completedAt && formatIsoDateTime(log.completedAt, timeZone),
  'duration hours': (log) => log.completedAt && wallClockHours(log.createdAt, log.completedAt),
  'start Hobbs': (log) => log.startHobbsTime,
  'end Hobbs': (log) => log.endHobbsTime,
  'Hobbs hours': (log) => log.endHobbsTime && hoursBetween(log.startHobbsTime, log.endHobbsTime),
  'start tach': (log) => log.startTachTime,
  'end tach': (log) => log.endTachTime,
  'tach hours': (log) => log.endTachTime && hoursBetween(log.startTachTime, log.endTachTime),
  'instructor in': (log) => log.instructorTimeIn,
  'instructor out': (log) => log.instructorTimeOut,
  'instructor hours': (log) => instructorHours(log.instructorTimeIn, log.instructorTimeOut),
  'ground hours': (log) => log.groundSchoolTime,
  refueled: (log) =>
    yesNo(
      log,
      log.fuelRecords.some(({ refueled }) => refueled),
    ),
  'oil added': (log) =>
    yesNo(
      log,
      log.fuelRecords.some(({ oilAdded }) => oilAdded),
    ),
  'oil quarts': (log) => totalOilQuarts(log),
  squawks: (log) => log.notes,
  corrected: (log) => (log.corrected ? 'y' : 'n'),
  // Past what C44 lists, because C06 wants a start that did not fit the last reading seen here too.
  'reading flags': (log) =>
    log.readingFlags.map(({ meter, kind, last }) => `${METERS[meter]} ${kind} ${last}`).join('; '),
};

const METERS = { hobbs: 'Hobbs', tachometer: 'tach' };

export const EXPORT_COLUMNS = Object.keys(COLUMNS);

/** One flight's cells in the order of the columns; an empty one where there is nothing to say. */
export function exportCells(log: FlightLog, timeZone: string): string[] {
  return Object.values(COLUMNS).map((cell) => String(cell(log, timeZone) ?? ''));
}

/** Of a flight in the air nothing has been said yet. */
function yesNo(log: FlightLog, yes: boolean): 'y' | 'n' | null {
  if (log.status === 'in_progress') return null;
  return yes ? 'y' : 'n';
}

function totalOilQuarts({ fuelRecords }: FlightLog): string | null {
  const given = fuelRecords.flatMap(({ oilQuantity }) => oilQuantity ?? []);
  return given.length === 0 ? null : given.reduce((sum, quantity) => sum + quantity, 0).toFixed(1);
}
