import type { Row } from '#db/tables.ts';
import { MAX_CLOCK_SKEW_MINUTES, MAX_DEPARTURE_BEFORE_CHECK_OUT_HOURS, MS_PER_HOUR } from '#app/limits.ts';
import { assertNoErrors } from '../app-error.ts';
import { texts } from '../texts.ts';
import type { CorrectionEffect } from '../flights/correction/meter-correction.ts';
import { formatDateTime, clockHoursBetween } from '../format.server.ts';
import type { TimeChange } from '../readings/write-revisions.server.ts';
import { instantsOfSchoolTime, toSchoolTime } from './school-time.server.ts';
import type { CompleteFlightInput } from '../flights/schema.server.ts';
import { flownHundredths, type MeterChangeReadings } from '../readings/meters.ts';
import { blockHundredths, instructionNote } from './instruction.ts';

/** Times in ISO with a zone, or school time; null is the moment of the button, undefined leaves a time as it is. */
export interface GivenTimes {
  departedAt?: string | null | undefined;
  landedAt?: string | null | undefined;
}

export interface FlightTimes {
  departed_at: Date | null;
  landed_at: Date | null;
}

type Flight = Pick<Row<'flight_logs'>, 'created_at' | 'completed_at' | 'departed_at' | 'landed_at'>;

/** Resolves the times. Throws 'invalid' beside one that cannot be; the database enforces the same. */
export function resolveTimes(flight: Flight, given: GivenTimes, timeZone: string, now = new Date()): FlightTimes {
  const { created_at: checkedOut, completed_at: completed } = flight;
  // A clock may have been set back since the check-out.
  const ended = completed ?? (now < checkedOut ? checkedOut : now);
  const latest = new Date(ended.getTime() + MAX_CLOCK_SKEW_MINUTES * 60_000);
  const departed_at = resolve(given.departedAt, flight.departed_at, timeZone, (instants) => {
    const past = instants.filter((instant) => instant <= latest);
    return nearest(past, checkedOut) ?? instants[0];
  });
  const departed = departed_at ?? checkedOut;
  const landing = resolve(given.landedAt, flight.landed_at, timeZone, (instants) => firstSince(departed, instants));
  const landed_at = landing && isSameMinute(landing, departed) && landing < departed ? departed : landing;
  assertNoErrors(timeErrors({ checkedOut, departed, landed: landed_at, latest }));
  return { departed_at, landed_at };
}

function resolve(
  given: string | null | undefined,
  stored: Date | null,
  timeZone: string,
  choose: (instants: Date[]) => Date | undefined,
): Date | null {
  if (given === undefined) return stored;
  if (given === null) return null;
  // A form shows no seconds, and sends what it shows.
  if (stored && toSchoolTime(stored, timeZone) === given) return stored;
  return choose(instantsOfSchoolTime(given, timeZone)) ?? null;
}

interface Times extends Record<'checkedOut' | 'departed' | 'latest', Date> {
  landed: Date | null;
}

function timeErrors({ checkedOut, departed, landed, latest }: Times): Record<string, string> {
  const earliest = checkedOut.getTime() - MAX_DEPARTURE_BEFORE_CHECK_OUT_HOURS * MS_PER_HOUR;
  return {
    ...(departed.getTime() < earliest && { departedAt: texts.departureTooEarly }),
    ...(departed > latest && { departedAt: texts.departureInFuture }),
    ...(landed && landed < departed && { landedAt: texts.landingBeforeDeparture }),
    ...(landed && landed > latest && { landedAt: texts.landingInFuture }),
  };
}

function nearest(instants: Date[], to: Date): Date | undefined {
  const distance = (instant: Date) => Math.abs(instant.getTime() - to.getTime());
  return instants.toSorted((a, b) => distance(a) - distance(b))[0];
}

function firstSince(departed: Date, instants: Date[]): Date | undefined {
  return instants.find((instant) => instant >= departed) ?? instants.at(-1);
}

/** Compares minutes, since forms know no seconds. */
function isSameMinute(a: Date, b: Date): boolean {
  return Math.floor(a.getTime() / 60_000) === Math.floor(b.getTime() / 60_000);
}

export function planTimeCorrection(log: Flight, corrected: FlightTimes, timeZone: string) {
  const before = timesOf(log);
  const after = timesOf({ ...log, ...corrected });
  const shown = (at: Date | null) => (at ? formatDateTime(at, timeZone).text : '-');
  const effects: CorrectionEffect[] = [
    { what: 'Departed', before: shown(before.departed), after: shown(after.departed) },
    { what: 'Landed', before: shown(before.landed), after: shown(after.landed) },
    { what: 'Block Hours', before: hours(before), after: hours(after) },
  ];
  const changes: TimeChange[] = [
    { field: 'departed_at', before: log.departed_at, after: corrected.departed_at },
    { field: 'landed_at', before: log.landed_at, after: corrected.landed_at },
  ];
  return {
    effects: effects.filter((effect) => effect.before !== effect.after),
    changes: changes.filter((change) => change.before?.getTime() !== change.after?.getTime()),
  };
}

function timesOf(log: Flight) {
  return { departed: log.departed_at ?? log.created_at, landed: log.landed_at ?? log.completed_at };
}

function hours({ departed, landed }: ReturnType<typeof timesOf>): string {
  return landed ? clockHoursBetween(departed, landed) : '-';
}

interface InstructedFlight extends Pick<
  CompleteFlightInput,
  'instructorId' | 'instructorTimeIn' | 'instructorTimeOut' | 'groundSchoolTime' | 'startHobbsTime' | 'endHobbsTime'
> {
  meterChanges?: { hobbs?: MeterChangeReadings | null | undefined } | null | undefined;
}

/** Returns errors beside the time out and its checkbox, if the hours exceed flight and ground school. */
export function instructionErrors(
  log: Pick<Row<'flight_logs'>, 'start_hobbs' | 'created_at'>,
  input: InstructedFlight,
  times: FlightTimes,
): Record<string, string> {
  if (input.instructorId == null) return {};
  const start = input.startHobbsTime ?? log.start_hobbs;
  const counted = flownHundredths(start, input.endHobbsTime, input.meterChanges?.hobbs);
  const note = instructionNote({
    timeIn: input.instructorTimeIn,
    timeOut: input.instructorTimeOut,
    flightHundredths: Math.max(counted, blockHundredths(times.departed_at ?? log.created_at, times.landed_at)),
    groundSchoolTime: input.groundSchoolTime,
  });
  return note?.isOdd ? { instructorTimeOut: note.text, instructionChecked: texts.instructionChecked } : {};
}
