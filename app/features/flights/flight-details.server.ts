import type { ReadingFlag } from '#db/tables.ts';
import type { Actor } from '#app/domain/actor.ts';
import { AppError } from '#app/domain/app-error.ts';
import { formatDate, formatDateTime, clockHoursBetween } from '#app/domain/format.server.ts';
import { can } from '#app/domain/permissions.ts';
import { texts } from '#app/domain/texts.ts';
import { hoursBetween, shortHours } from '#app/domain/reading.ts';
import { flagText } from '#app/domain/readings/check-start.ts';
import { correctedFieldLabels } from '#app/domain/flights/correction/other-corrections.server.ts';
import {
  findFlightDetails,
  flightPermissions,
  type FoundFlight,
} from '#app/domain/flights/details/find-flight-details.server.ts';
import {
  findNamesakeMarks,
  markedName,
  type NamesakeMarks,
  flightWithMarkedNames,
} from '#app/domain/people/namesakes.server.ts';
import { closableFrom } from '#app/domain/flights/end-flight.server.ts';
import { instructorHours } from '#app/domain/times/instruction.ts';
import type { FlightLog } from '#app/domain/flights/schema.server.ts';
import { toSquawkView } from '#app/features/squawks/squawk-view.server.ts';
import { toFlightTapes } from './flight-tapes.server.ts';
import { type FlightLogsQuery, paths } from '#app/paths.ts';
import { db } from '#app/server/db.server.ts';

export type FlightDetails = ReturnType<typeof toFlightDetails>;
export type MeterDetails = FlightDetails['hobbs'];
export type InstructionDetails = NonNullable<FlightDetails['instruction']>;

/** Returns a function that shows the flight in the list once the marks of namesakes are known; null if it is not there. */
export async function prepareFlightInList(reader: Actor, id: number | undefined, at: FlightLogsQuery) {
  const { schoolId, timeZone } = reader;
  const { show: _show, after: _after, before: _before, log: _log, ...filter } = at;
  const found = id === undefined ? undefined : await findFlightDetails(db, schoolId, id, { ...filter, timeZone });
  const placeOf = (log: number | null) => (log === null ? null : paths.flightLogsPage({ ...at, log }));
  return (marks: NamesakeMarks) =>
    found
      ? {
          details: toFlightDetails(found, reader, marks),
          closeHref: paths.flightLogsPage(at),
          newer: placeOf(found.newer),
          older: placeOf(found.older),
        }
      : null;
}

export async function loadFlight(reader: Actor, id: number): Promise<FlightDetails> {
  const [found, marks] = await Promise.all([findFlightDetails(db, reader.schoolId, id), findNamesakeMarks(db, reader)]);
  if (!found) throw new AppError('notFound', texts.flightLogNotFound);
  return toFlightDetails(found, reader, marks);
}

function toFlightDetails(found: FoundFlight, reader: Actor, marks: NamesakeMarks) {
  const log = flightWithMarkedNames(found.log, marks);
  const { closed, entered, revisions } = found.recorded;
  const { aircraft, user, instructor, createdAt, completedAt, status: _status, corrected: _corrected, ...rest } = log;
  const { startHobbsTime, endHobbsTime, startTachTime, endTachTime, instructorTimeIn, instructorTimeOut, ...more } =
    rest;
  const { meterPhotos, meterChanges, hobbsHours, tachHours, readingFlags, groundSchoolTime, ...others } = more;
  const { unsafeSquawks: _unsafe, overdueInspections: _overdue, deferralsOver: _deferrals, ...timed } = others;
  const { departedAt: _out, landedAt: _in, id, fuelRecords, notes, ...unshown } = timed;
  // A field that is not named here does not compile.
  unshown satisfies Record<string, never>;
  const { tapes, neighbours } = toFlightTapes(reader, found);
  const { status, condition } = found.aircraftState;
  const permissions = flightPermissions(reader, found);
  const mustWait = completedAt === null && user.id !== reader.id && !permissions.close;
  const closableAt = mustWait ? closableFrom(reader, new Date(createdAt)) : null;
  const timeText = (at: Date | null) => (at ? formatDateTime(at, reader.timeZone).text : '-');
  return {
    ...{ id, fuelRecords, notes },
    statedTimes: toTrueTimes(log, reader.timeZone),
    aircraftId: aircraft.id,
    tailNumber: aircraft.tailNumber,
    makeAndModel: `${aircraft.make} ${aircraft.model}`,
    pilot: { username: user.username, email: user.email },
    started: formatDateTime(createdAt, reader.timeZone),
    completed: completedAt === null ? null : formatDateTime(completedAt, reader.timeZone),
    clockHours: completedAt === null ? null : clockHoursBetween(createdAt, completedAt),
    hobbs: {
      start: startHobbsTime,
      end: endHobbsTime,
      hours: hobbsHours && shortHours(hobbsHours),
      change: meterChanges.hobbs,
      tape: tapes.hobbs,
      startPhoto: meterPhotos.startHobbs,
      endPhoto: meterPhotos.endHobbs,
    },
    tach: {
      start: startTachTime,
      end: endTachTime,
      hours: tachHours && shortHours(tachHours),
      change: meterChanges.tach,
      tape: tapes.tach,
      startPhoto: meterPhotos.startTach,
      endPhoto: meterPhotos.endTach,
    },
    instruction: instructor && {
      username: instructor.username,
      timeIn: instructorTimeIn,
      timeOut: instructorTimeOut,
      totalHours: instructorHours(instructorTimeIn, instructorTimeOut),
      isPilot: instructor.id === user.id,
    },
    groundSchoolTime: Number(groundSchoolTime) > 0 ? groundSchoolTime : null,
    readingNotes: can(reader.role, 'see reading flags') ? [...readingFlags.map(flagNote), ...startWarnings(log)] : [],
    closed: closed && { ...closed, by: markedName(marks, closed.by) },
    /** Text such as 'Entered later by anna on 23 Nov 2026: reason'. */
    entryNote:
      entered &&
      `Entered later by ${markedName(marks, entered.by)} on ${formatDate(entered.at, reader.timeZone).text}: ${entered.reason}`,
    revisions: revisions.map(({ field, before, after, timeBefore, timeAfter, at, by, ...revision }) => ({
      ...revision,
      by: markedName(marks, by),
      what: correctedFieldLabels[field],
      before: before ?? timeText(timeBefore),
      after: after ?? timeText(timeAfter),
      at: formatDateTime(at, reader.timeZone),
    })),
    permissions,
    /** From when on a reader who may not close the flight yet may do so. */
    closableFrom: closableAt && formatDateTime(closableAt, reader.timeZone),
    canReport: found.isInFleet,
    /** Null for an aircraft that is free, and needs nothing. */
    aircraftState: found.isInFleet && (status ?? condition) !== null ? found.aircraftState : null,
    neighbours,
    squawk: found.squawk && toSquawkView(found.squawk, reader, marks),
    imported: found.imported && importText(found.imported, reader),
  };
}

/** Returns 'Imported from club.csv, row 12, 23 Nov 2026'. */
function importText({ fileName, row, appliedAt }: NonNullable<FoundFlight['imported']>, { timeZone }: Actor): string {
  return `Imported from ${fileName}, row ${row}, ${appliedAt && formatDate(appliedAt, timeZone).text}`;
}

function toTrueTimes({ createdAt, completedAt, departedAt, landedAt }: FlightLog, timeZone: string) {
  if (departedAt === createdAt && landedAt === completedAt) return null;
  return {
    departed: formatDateTime(departedAt, timeZone),
    landed: landedAt === null ? null : formatDateTime(landedAt, timeZone),
    blockHours: landedAt === null ? null : clockHoursBetween(departedAt, landedAt),
  };
}

function startWarnings({ unsafeSquawks, overdueInspections, deferralsOver }: FlightLog): string[] {
  return [
    ...unsafeSquawks.map(({ text }) => `Reported as unsafe to fly at the start: ${text}`),
    ...overdueInspections.map(({ name, text }) => `Overdue at the start: ${name} (${text})`),
    ...deferralsOver.map(({ name, text }) => `Deferral over at the start: ${name} (${text})`),
  ];
}

function flagNote(flag: ReadingFlag): string {
  const { meter, at, kind, reading, last } = flag;
  const name = `${meter === 'hobbs' ? 'Hobbs' : 'Tach'} at ${at}`;
  if (kind === 'below') return `${name} lower than the last recorded reading (${last}).`;
  if (kind === 'gap') return `${name}: ${hoursBetween(last, reading)} h not logged since the last flight (${last}).`;
  return `${name} (${reading}): ${flagText(flag)}`;
}
