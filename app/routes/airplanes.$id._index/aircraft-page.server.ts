import type { Actor } from '#app/domain/actor.ts';
import {
  findHoursFlownByPeriod,
  findNewestEndPhotos,
  type HoursOfPeriod,
} from '#app/domain/aircraft/list-aircraft.server.ts';
import { groupAlikeSquawks } from '#app/domain/aircraft/maintenance.server.ts';
import { requireAircraftOfAnyTime } from '#app/domain/aircraft/queries.server.ts';
import { findCalendarLinkMadeAt } from '#app/domain/calendar/queries.server.ts';
import { findOpenFlights } from '#app/domain/flights/queries.server.ts';
import { formatDate, formatIsoDate } from '#app/domain/format.server.ts';
import { dayText } from '#app/domain/inspections/due-point.ts';
import { findNamesakeMarks } from '#app/domain/people/namesakes.server.ts';
import { can } from '#app/domain/permissions.ts';
import { findSquawks, findUnfixedSquawks } from '#app/domain/squawks/queries.server.ts';
import { drawCheckOutQr } from '#app/features/aircraft/aircraft-qr.server.ts';
import { loadReadingLine } from '#app/features/aircraft/load-reading-line.server.ts';
import { toSquawkView } from '#app/features/squawks/squawk-view.server.ts';
import { SETTLED_SQUAWKS_SHOWN } from '#app/limits.ts';
import { newFormRequestId } from '#app/server/screen.server.ts';
import { db } from '#app/server/db.server.ts';
import { toOpenFlight } from '#app/features/aircraft/open-flight.server.ts';
import { loadDueLines } from './due-lines.server.ts';

export type AircraftPageData = Awaited<ReturnType<typeof loadAircraftPage>>;

export async function loadAircraftPage(reader: Actor, id: number) {
  const { schoolId, timeZone } = reader;
  const aircraft = await requireAircraftOfAnyTime(db, schoolId, id);
  const today = formatIsoDate(new Date(), timeZone);
  const standing = { hobbs: aircraft.lastHobbsTime, tach: aircraft.lastTachTime, today };
  const [[openFlight], squawks, settled, due, { line }, weeks, months, photos, marks, linkMadeAt] = await Promise.all([
    findOpenFlights(db, schoolId, { aircraftId: id }),
    findUnfixedSquawks(db, schoolId, id),
    findSquawks(db, schoolId, { aircraftId: id, states: ['fixed', 'withdrawn'], limit: SETTLED_SQUAWKS_SHOWN }),
    loadDueLines(schoolId, id, standing),
    loadReadingLine(reader, aircraft),
    findHoursFlownByPeriod(db, reader, id, 'week'),
    findHoursFlownByPeriod(db, reader, id, 'month'),
    findNewestEndPhotos(db, schoolId, id),
    findNamesakeMarks(db, reader),
    findCalendarLinkMadeAt(db, reader, id),
  ]);
  return {
    aircraft,
    openFlight: openFlight ? toOpenFlight(openFlight, reader, marks) : null,
    squawks: groupAlikeSquawks(squawks).map(([squawk, ...others]) => ({
      ...toSquawkView(squawk, reader, marks),
      others: others.map((other) => ({ id: other.id, text: formatDate(other.createdAt, timeZone).text })),
    })),
    settledSquawks: settled.map((squawk) => toSquawkView(squawk, reader, marks)),
    due,
    line,
    weeks: weeks.map((sum) => ({ ...sum, label: `Week of ${dayText(sum.start, today)}` })),
    months: months.map((sum) => ({ ...sum, label: monthText(sum) })),
    photos,
    qr: drawCheckOutQr(id),
    calendarLinkMadeAt: linkMadeAt && formatDate(linkMadeAt, timeZone),
    canSetStatus: can(reader.role, 'set aircraft status') && !aircraft.isRemoved,
    canManageInspections: can(reader.role, 'manage inspections') && !aircraft.isRemoved,
    canChangeMeters: can(reader.role, 'change meters') && !aircraft.isRemoved,
    canCheckOut: can(reader.role, 'check out aircraft') && aircraft.status === null && !aircraft.isRemoved,
    requestId: newFormRequestId(),
  };
}

function monthText({ start }: HoursOfPeriod): string {
  return dayText(start, '').replace(/^\d+ /, '');
}
