import type { Db, Trx } from '#db/connect.server.ts';
import { MS_PER_DAY } from '#app/limits.ts';
import { formatDateTime } from '../../format.server.ts';
import { fromHundredths, toHundredths } from '../../reading.ts';
import { DayIndex } from '../group-by.ts';
import type { FlightRecord } from '../records.ts';
import { forEachInSlices } from '../slices.ts';
import { checkTimeline } from './check-timeline.server.ts';
import { findTimeline } from './find-timeline.server.ts';
import { type AircraftTimeline, isAtSameTime, readingsKey, type TimedReadings } from './aircraft-timeline.ts';
import { layUntimed, orderTimeline } from './order-timeline.server.ts';
import type { Difference, PlanContext, PlannedFlight, Planning } from './plan.ts';

interface OfAircraft {
  aircraftId: number;
  flights: PlannedFlight[];
  exceptChange?: string;
  usernameOf?: (id: number) => string;
}

/** Those of an aircraft's flights that are new and fit; makes up the times of those that have none. */
export async function planTimeline(
  db: Db | Trx,
  context: PlanContext,
  plan: Planning<'flights'>,
  { flights, usernameOf = String, ...of }: OfAircraft,
): Promise<PlannedFlight[]> {
  const timeline = await findTimeline(db, { schoolId: context.schoolId, ...of });
  const fresh = await leaveOutPresent(plan, timeline, flights, { timeZone: context.timeZone, usernameOf });
  const ordered = await orderTimeline([...timeline.flights, ...timeline.readings, ...fresh.keys()]);
  layUntimed(ordered, context.now.getTime());
  for (const [{ day, start, end }, { record }] of fresh)
    if (day !== null) [record.startedAt, record.completedAt] = [new Date(start), new Date(end)];
  const refused = await checkTimeline(plan, context, ordered, timeline.changes);
  return [...fresh.values()].filter(({ record }) => !refused.has(record.row));
}

/** Those that the school does not have yet; a flight that stands twice in the file is refused. */
async function leaveOutPresent(
  plan: Planning<'flights'>,
  timeline: AircraftTimeline,
  flights: PlannedFlight[],
  words: Words,
): Promise<Map<TimedReadings, PlannedFlight>> {
  const seen = new DayIndex<TimedReadings>();
  const fresh = new Map<TimedReadings, PlannedFlight>();
  await forEachInSlices(flights, (flight) => {
    const { record } = flight;
    const line = toTimedReadings(record);
    const key = readingsKey(line);
    const isSame = (other: TimedReadings) => isAtSameTime(other, line);
    const there = findBySource(timeline, record, line) ?? timeline.byReadings.find(key, line.start, isSame);
    if (there) {
      plan.foundThere(record.row, () => nameOf(there, record, words), differencesOf(there, line, flight, words));
      return;
    }
    const twin = seen.find(key, line.start, isSame);
    const first = twin && fresh.get(twin);
    if (first) {
      plan.foundTwice(record.row, first.record.row, differencesInFile({ ...twin, ...first }, line, flight, words));
      return;
    }
    seen.add(key, line.start, line);
    fresh.set(line, flight);
  });
  return fresh;
}

interface Words {
  timeZone: string;
  usernameOf: (id: number) => string;
}

/** 'The flight of N1 on 10 Jun 2025, 09:00 (Hobbs 10.00 to 11.00)' */
function nameOf({ start, startHobbs, endHobbs }: TimedReadings, { tailNumber }: FlightRecord, { timeZone }: Words) {
  const [from, to] = [startHobbs, endHobbs].map((reading) => (reading === null ? '–' : fromHundredths(reading)));
  return `The flight of ${tailNumber}, ${formatDateTime(new Date(start), timeZone).text} (Hobbs ${from} to ${to})`;
}

/** Returns where a row differs from the flight that it is of: who flew, when it ended, its readings. */
function differencesOf(
  there: TimedReadings,
  line: TimedReadings,
  { pilotId, instructorId }: PlannedFlight,
  { timeZone, usernameOf }: Words,
): Difference[] {
  const person = (id: number | null) => (id === null ? 'nobody' : usernameOf(id));
  const time = (at: number | null) =>
    at === null || at === Infinity ? 'open' : formatDateTime(new Date(at * 60_000), timeZone).text;
  const minuteOf = ({ end }: TimedReadings) =>
    there.day === null && line.day === null ? Math.floor(end / 60_000) : null;
  const reading = (value: number | null) => (value === null ? '–' : fromHundredths(value));
  const compared: [field: string, label: string, here: Value, inFile: Value, inWords: (value: Value) => string][] = [
    ['pilot', 'the pilot', there.pilotId ?? null, pilotId, person],
    ['instructor', 'the instructor', there.instructorId ?? null, instructorId, person],
    ['end', 'the end', minuteOf(there), minuteOf(line), time],
    ['startHobbs', 'Hobbs at the start', there.startHobbs, line.startHobbs, reading],
    ['endHobbs', 'Hobbs at the end', there.endHobbs, line.endHobbs, reading],
    ['startTach', 'tach at the start', there.startTach, line.startTach, reading],
    ['endTach', 'tach at the end', there.endTach, line.endTach, reading],
  ];
  return compared
    .filter(([, , here, inFile]) => here !== inFile)
    .map(([field, label, here, inFile, inWords]) => ({ field, label, here: inWords(here), inFile: inWords(inFile) }));
}

type Value = number | null;

/** As `differencesOf`, and what else two rows of a file say. */
function differencesInFile(
  first: TimedReadings & PlannedFlight,
  line: TimedReadings,
  flight: PlannedFlight,
  words: Words,
): Difference[] {
  const texts = TEXTS.map(([field, label]) => ({
    ...{ field, label },
    here: first.record[field] || 'none',
    inFile: flight.record[field] || 'none',
  }));
  return [...differencesOf(first, line, flight, words), ...texts.filter(({ here, inFile }) => here !== inFile)];
}

const TEXTS = [
  ['notes', 'the squawk or note'],
  ['instructorTimeIn', "the instructor's time in"],
  ['instructorTimeOut', "the instructor's time out"],
  ['groundSchoolTime', 'ground school'],
  ['oilQuarts', 'oil'],
] as const;

function toTimedReadings(record: FlightRecord): TimedReadings {
  const { untimed } = record;
  return {
    row: record.row,
    start: untimed?.day ?? record.startedAt.getTime(),
    end: untimed ? untimed.day + untimed.length : record.completedAt.getTime(),
    day: untimed?.day ?? null,
    startHobbs: toHundredths(record.startHobbs),
    endHobbs: toHundredths(record.endHobbs),
    startTach: toHundredths(record.startTach),
    endTach: toHundredths(record.endTach),
  };
}

/** Ids of two systems may be the same: the times must be near each other, and a reading of them the same. */
function findBySource(
  timeline: AircraftTimeline,
  { sourceId }: FlightRecord,
  line: TimedReadings,
): TimedReadings | undefined {
  const imported = sourceId === null ? undefined : timeline.sourceIds.get(sourceId);
  if (!imported || Math.abs(imported.start - line.start) >= MS_PER_DAY) return undefined;
  return READINGS.some((reading) => imported[reading] === line[reading]) ? imported : undefined;
}

const READINGS = ['startHobbs', 'endHobbs', 'startTach', 'endTach'] as const;
