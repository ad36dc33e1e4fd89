import type { Actor } from '#app/domain/actor.ts';
import { findTailNumbersWithYears } from '#app/domain/aircraft/namesakes.server.ts';
import { findNamesakeMarks, markedName } from '#app/domain/people/namesakes.server.ts';
import { findHours, type FlightSums, type HoursBy, type HoursRow } from '#app/domain/flights/logbook/hours.server.ts';
import type { FlightFilter } from '#app/domain/flights/logbook/flight-filter.server.ts';
import { findStuckFlights } from '#app/domain/flights/logbook/stuck-flights.server.ts';
import { formatDateTime, formatIsoDate } from '#app/domain/format.server.ts';
import { can } from '#app/domain/permissions.ts';
import { toHundredths } from '#app/domain/reading.ts';
import { periodText } from '#app/features/flights/hours/period-text.server.ts';
import { usualPeriods } from '#app/features/flights/hours/periods.ts';
import { MAX_HOURS_ROWS } from '#app/limits.ts';
import { type FlightFilterQuery, paths } from '#app/paths.ts';
import { db } from '#app/server/db.server.ts';

export type HoursTableRow = ReturnType<typeof toRow>;

export async function loadHoursPage(actor: Actor, { by, filter }: { by: HoursBy; filter: FlightFilter }, now: Date) {
  const { timeZone: _timeZone, ...query } = filter;
  const today = formatIsoDate(now, actor.timeZone);
  const [{ rows, sum }, nameOf, stuck] = await Promise.all([
    findHours(db, actor, { by, filter, limit: MAX_HOURS_ROWS }),
    findNames(actor, by),
    findStuckFlights(db, actor, now),
  ]);
  const longest = Math.max(...rows.map((row) => barHundredths(row, by)));
  return {
    by,
    filter: query,
    period: periodText(query),
    isOwn: !can(actor.role, 'see all hours'),
    rows: rows.map((row) => toRow({ ...row, name: nameOf(row) }, by, { query, longest })),
    sum,
    hasMore: rows.length === MAX_HOURS_ROWS,
    periods: usualPeriods(today).map((period) => ({
      ...period,
      href: paths.hours({ ...query, ...daysOf(period), by }),
    })),
    stuck: stuck.map(({ id, aircraft, user, createdAt }) => ({
      id,
      aircraft,
      pilot: user.username,
      started: formatDateTime(createdAt, actor.timeZone),
    })),
  };
}

/** Names as other screens have them, which tell namesakes apart. */
async function findNames(reader: Actor, by: HoursBy): Promise<(row: HoursRow) => string | null> {
  if (by === 'aircraft') {
    const years = await findTailNumbersWithYears(db, reader);
    return ({ id, name }) => years.get(id ?? 0) ?? name;
  }
  const marks = await findNamesakeMarks(db, reader);
  return ({ id, name }) => (id === null || name === null ? name : markedName(marks, { id, username: name }));
}

function toRow(row: HoursRow, by: HoursBy, { query, longest }: { query: FlightFilterQuery; longest: number }) {
  const { id, name, isRemoved, ...sums } = row;
  return {
    id,
    name: name ?? 'Without instructor',
    isRemoved,
    sums: sums satisfies FlightSums,
    bar: longest > 0 ? Math.round((barHundredths(row, by) * 100) / longest) : 0,
    href: id === null ? null : paths.flightLogsPage({ ...query, [FILTERED_BY[by]]: id }),
  };
}

const FILTERED_BY = { pilot: 'pilotId', instructor: 'instructorId', aircraft: 'aircraftId' } as const;

function barHundredths({ hobbs, instructor }: FlightSums, by: HoursBy): number {
  return toHundredths(by === 'instructor' ? instructor : hobbs);
}

function daysOf({ from, to }: { from: string; to: string }) {
  return { from, to };
}
