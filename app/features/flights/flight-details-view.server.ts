import type { ReadingFlag } from '#db/tables.ts';
import type { Actor } from '#app/domain/actor.ts';
import { wallClockHours, type DateTimeText, formatDateTime } from '#app/domain/format.server.ts';
import { can } from '#app/domain/permissions.ts';
import { hoursBetween } from '#app/domain/reading.ts';
import type { FlightPermissions } from '#app/domain/flights/flight-permissions.server.ts';
import type { FlightRevisions } from '#app/domain/flights/flight-revisions.server.ts';
import { instructorHours } from '#app/domain/flights/instructor-hours.ts';
import type { FlightLog, FuelRecord } from '#app/domain/flights/queries.server.ts';

/** A meter over one flight: decimal strings as stored, and the hours between them. */
export interface MeterReadings {
  start: string;
  /** Null: in progress. */
  end: string | null;
  hours: string | null;
  /** Where the photos of the meter are served. Null: none was taken. */
  startPhoto: string | null;
  endPhoto: string | null;
}

/** All there is to say of one flight to one reader (spec §2 'Flight Log Details'). */
export interface FlightDetails {
  id: number;
  tailNumber: string;
  makeAndModel: string;
  pilot: { username: string; email: string };
  started: DateTimeText;
  /** Null: in progress. */
  completed: DateTimeText | null;
  /** Wall-clock hours from start to check-in, which a late check-in makes many (C42). Null: in progress. */
  clockHours: string | null;
  hobbs: MeterReadings;
  tach: MeterReadings;
  /** Null: flown without an instructor. */
  instruction: Instruction | null;
  /** Hours of ground school; null when there were none. */
  groundSchoolTime: string | null;
  fuelRecords: FuelRecord[];
  /** The squawks; empty for none. */
  notes: string;
  /** Where the start readings differed from the aircraft's last ones; empty for readers who are not told (C06). */
  readingNotes: string[];
  /** Who completed it in the pilot's place, and why; null when the pilot did. */
  closed: FlightRevisions['closed'];
  /** Readings that were put right, oldest first. */
  revisions: Revision[];
  /** What the reader may do with it. */
  permissions: FlightPermissions;
}

/** A reading that was put right (C10). */
interface Revision {
  id: number;
  /** As 'Hobbs End'. */
  reading: string;
  before: string;
  after: string;
  reason: string;
  by: string;
  at: DateTimeText;
}

export interface Instruction {
  username: string;
  /** 'HH:MM'. Null: not given. */
  timeIn: string | null;
  timeOut: string | null;
  /** Two decimals (C43). Null: one of the times is missing. */
  totalHours: string | null;
  /** The pilot stands as their own instructor (C53). */
  isPilot: boolean;
}

/** A flight in the words and the zone of who reads it. */
export function toFlightDetails(
  log: FlightLog,
  reader: Actor,
  history: FlightRevisions,
  offers: FlightPermissions,
): FlightDetails {
  const { createdAt, completedAt } = log;
  return {
    id: log.id,
    tailNumber: log.aircraft.tailNumber,
    makeAndModel: `${log.aircraft.make} ${log.aircraft.model}`,
    pilot: { username: log.user.username, email: log.user.email },
    started: formatDateTime(createdAt, reader.timeZone),
    completed: completedAt === null ? null : formatDateTime(completedAt, reader.timeZone),
    clockHours: completedAt === null ? null : wallClockHours(createdAt, completedAt),
    hobbs: {
      ...toMeterHours(log.startHobbsTime, log.endHobbsTime),
      startPhoto: log.meterPhotos.startHobbs,
      endPhoto: log.meterPhotos.endHobbs,
    },
    tach: {
      ...toMeterHours(log.startTachTime, log.endTachTime),
      startPhoto: log.meterPhotos.startTach,
      endPhoto: log.meterPhotos.endTach,
    },
    instruction: toInstruction(log),
    groundSchoolTime: Number(log.groundSchoolTime) > 0 ? log.groundSchoolTime : null,
    fuelRecords: log.fuelRecords,
    notes: log.notes,
    readingNotes: can(reader.role, 'see reading flags') ? log.readingFlags.map((flag) => flagText(flag, log)) : [],
    closed: history.closed,
    revisions: history.revisions.map(({ field, before, at, ...rest }) => ({
      ...rest,
      reading: READING_NAMES[field],
      before: before ?? '-',
      at: formatDateTime(at, reader.timeZone),
    })),
    permissions: offers,
  };
}

const READING_NAMES = {
  start_hobbs: 'Hobbs Start',
  end_hobbs: 'Hobbs End',
  start_tach: 'Tach Start',
  end_tach: 'Tach End',
} as const;

function toMeterHours(start: string, end: string | null): Pick<MeterReadings, 'start' | 'end' | 'hours'> {
  return { start, end, hours: end === null ? null : hoursBetween(start, end) };
}

function toInstruction({ instructor, user, instructorTimeIn, instructorTimeOut }: FlightLog): Instruction | null {
  return (
    instructor && {
      username: instructor.username,
      timeIn: instructorTimeIn,
      timeOut: instructorTimeOut,
      totalHours: instructorHours(instructorTimeIn, instructorTimeOut),
      isPilot: instructor.id === user.id,
    }
  );
}

function flagText({ meter, kind, last }: ReadingFlag, log: FlightLog): string {
  const [name, start] = meter === 'hobbs' ? ['Hobbs', log.startHobbsTime] : ['Tach', log.startTachTime];
  return kind === 'below'
    ? `${name} at start lower than the last recorded reading (${last}).`
    : `${name} at start: ${hoursBetween(last, start)} h not logged since the last flight (${last}).`;
}
