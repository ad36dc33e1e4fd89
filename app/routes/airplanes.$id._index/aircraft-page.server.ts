import type { Actor } from '#app/domain/actor.ts';
import { findOpenFlightOf, findReadingPhotos } from '#app/domain/aircraft/aircraft-page.server.ts';
import { findHoursFlown, type HoursFlown } from '#app/domain/aircraft/hours-flown.server.ts';
import { findLinePage } from '#app/domain/aircraft/line-queries.server.ts';
import { findAircraftOfAnyTime } from '#app/domain/aircraft/queries.server.ts';
import { findSegmentChanges } from '#app/domain/aircraft/segment-changes.server.ts';
import { AppError } from '#app/domain/app-error.ts';
import { findOwnCalendarLink } from '#app/domain/calendar/calendar-links.server.ts';
import type { Cursor } from '#app/domain/flights/details/position.server.ts';
import { formatDate, formatIsoDate } from '#app/domain/format.server.ts';
import { dayText } from '#app/domain/inspections/due-point.ts';
import { intervalText } from '#app/domain/inspections/interval.ts';
import { findDue, findLastCompletions, type LastCompletion } from '#app/domain/inspections/queries.server.ts';
import { findNamesakeMarks, markedName, type NamesakeMarks } from '#app/domain/people/former/namesakes.server.ts';
import { can } from '#app/domain/permissions.ts';
import { findSquawks, findUnfixedSquawks } from '#app/domain/squawks/queries.server.ts';
import { texts } from '#app/domain/texts.ts';
import { aircraftQr } from '#app/features/aircraft/aircraft-qr.server.ts';
import { toDueView } from '#app/features/aircraft/due-view.ts';
import { toReadingLineView } from '#app/features/aircraft/reading-line-view.server.ts';
import { toSquawkView } from '#app/features/squawks/squawk-view.server.ts';
import { SETTLED_SQUAWKS_SHOWN } from '#app/limits.ts';
import { paths } from '#app/paths.ts';
import { formatCursor } from '#app/server/cursor.server.ts';
import { db } from '#app/server/db.server.ts';
import { outDurationText } from '#app/features/aircraft/out-duration-text.ts';

/** Loads the page. Throws 'notFound' for another school's aircraft. */
export async function loadAircraftPage(reader: Actor, id: number, after: Cursor | undefined) {
  const { schoolId, timeZone } = reader;
  const aircraft = await findAircraftOfAnyTime(db, schoolId, id);
  if (!aircraft) throw new AppError('notFound', texts.aircraftNotFound);
  const today = formatIsoDate(new Date(), timeZone);
  const standing = { hobbs: aircraft.lastHobbsTime, tach: aircraft.lastTachTime, today };
  const [openFlight, squawks, settled, due, completions, line, weeks, months, photos, marks, linkMadeAt] =
    await Promise.all([
      findOpenFlightOf(db, schoolId, id),
      findUnfixedSquawks(db, schoolId, id),
      findSquawks(db, schoolId, { aircraftId: id, states: ['fixed', 'withdrawn'], limit: SETTLED_SQUAWKS_SHOWN }),
      findDue(db, schoolId, id, standing),
      findLastCompletions(db, schoolId, id),
      findLinePage(db, schoolId, id, after),
      findHoursFlown(db, reader, id, 'week'),
      findHoursFlown(db, reader, id, 'month'),
      findReadingPhotos(db, schoolId, id),
      findNamesakeMarks(db, reader),
      findOwnCalendarLink(db, reader, id),
    ]);
  // The flight before the oldest one is added, because earlier changes would seem to follow it.
  const inOrder = [...(line.previous ? [line.previous] : []), ...line.flights.toReversed()];
  const changes = await findSegmentChanges(db, schoolId, id, inOrder);
  return {
    aircraft,
    openFlight: openFlight && toOpenFlight(openFlight, reader, marks),
    squawks: squawks.map((squawk) => toSquawkView(squawk, reader, marks)),
    settledSquawks: settled.map((squawk) => toSquawkView(squawk, reader, marks)),
    due: due.map((item) => ({
      ...toDueView(item),
      every: item.interval && `every ${intervalText(item.interval)}`,
      lastDone: lastDoneText(completions, item.id, today),
    })),
    line: toReadingLineView(line, reader, aircraft.tailNumber, changes),
    older: line.older && paths.aircraftPage(id, { after: formatCursor(line.older) }),
    newest: after ? paths.aircraft(id) : null,
    weeks: weeks.map((sum) => ({ ...sum, label: `Week of ${dayText(sum.start, today)}` })),
    months: months.map((sum) => ({ ...sum, label: monthText(sum) })),
    photos,
    qr: aircraftQr(id),
    calendarLinkMadeAt: linkMadeAt && formatDate(linkMadeAt, timeZone),
    canSetStatus: can(reader.role, 'set aircraft status') && !aircraft.isRemoved,
    canManageInspections: can(reader.role, 'manage inspections') && !aircraft.isRemoved,
    canChangeMeters: can(reader.role, 'change meters') && !aircraft.isRemoved,
    canCheckOut: can(reader.role, 'check out aircraft') && aircraft.status === null && !aircraft.isRemoved,
  };
}

/** Names the pilot only to a reader who may see it. */
function toOpenFlight(
  { pilotId, pilot, ...flight }: NonNullable<Awaited<ReturnType<typeof findOpenFlightOf>>>,
  reader: Actor,
  marks: NamesakeMarks,
) {
  const isOwn = pilotId === reader.id;
  return {
    id: flight.id,
    out: outDurationText(flight.startedAt),
    pilot:
      isOwn || can(reader.role, 'see all open flights') ? markedName(marks, { id: pilotId, username: pilot }) : null,
    isOwn,
  };
}

function lastDoneText(completions: LastCompletion[], id: number, today: string): string | null {
  const done = completions.find(({ inspectionId }) => inspectionId === id);
  if (!done) return null;
  const at = done.doneAt === null ? '' : ` at ${done.doneAt}`;
  return `Last done ${dayText(done.doneOn, today)}${at} by ${done.by}${done.remark && `: ${done.remark}`}`;
}

function monthText({ start }: HoursFlown): string {
  return dayText(start, '').replace(/^\d+ /, '');
}
