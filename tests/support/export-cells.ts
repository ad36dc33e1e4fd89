import { formatIsoDateTime, clockHoursBetween } from '#app/domain/format.server.ts';
import type { FuelRecord } from '#app/domain/flights/fuel-record-schema.server.ts';
import { instructorHours } from '#app/domain/times/instruction.ts';
import type { FlightLog } from '#app/domain/flights/schema.server.ts';
import { METER_WORDS } from '#app/domain/readings/meters.ts';
import { shortHours } from '#app/domain/reading.ts';
import type { ReadingFlag } from '#db/tables.ts';

type Cell = (log: FlightLog, timeZone: string) => string | number | null;

/** What the export has of a flight of the list, formatted as screens do. */
const CELLS = {
  id: { id: (log) => log.id },
  aircraft: {
    aircraft: (log) => log.aircraft.tailNumber,
    make: (log) => log.aircraft.make,
    model: (log) => log.aircraft.model,
  },
  user: { pilot: (log) => log.user.username, 'pilot email': (log) => log.user.email },
  instructor: { instructor: (log) => log.instructor?.username ?? null },
  status: { status: (log) => (log.status === 'completed' ? 'Completed' : 'In Progress') },
  createdAt: { started: (log, timeZone) => formatIsoDateTime(log.createdAt, timeZone) },
  completedAt: {
    completed: (log, timeZone) => log.completedAt && formatIsoDateTime(log.completedAt, timeZone),
    'duration hours': (log) => log.completedAt && clockHoursBetween(log.createdAt, log.completedAt),
  },
  startHobbsTime: { 'start Hobbs': (log) => log.startHobbsTime },
  endHobbsTime: { 'end Hobbs': (log) => log.endHobbsTime },
  hobbsHours: { 'Hobbs hours': (log) => log.hobbsHours && shortHours(log.hobbsHours) },
  startTachTime: { 'start tach': (log) => log.startTachTime },
  endTachTime: { 'end tach': (log) => log.endTachTime },
  tachHours: { 'tach hours': (log) => log.tachHours && shortHours(log.tachHours) },
  instructorTimeIn: { 'instructor in': (log) => log.instructorTimeIn },
  instructorTimeOut: {
    'instructor out': (log) => log.instructorTimeOut,
    'instructor hours': (log) => instructorHours(log.instructorTimeIn, log.instructorTimeOut),
  },
  groundSchoolTime: { 'ground hours': (log) => log.groundSchoolTime },
  fuelRecords: {
    refueled: (log) =>
      yesNoCell(
        log.completedAt !== null,
        log.fuelRecords.some(({ refueled }) => refueled),
      ),
    'oil added': (log) =>
      yesNoCell(
        log.completedAt !== null,
        log.fuelRecords.some(({ oilAdded }) => oilAdded),
      ),
    'oil quarts': (log) => oilQuartsCell(log.fuelRecords),
  },
  notes: { squawks: (log) => log.notes },
  corrected: { corrected: (log) => (log.corrected ? 'y' : 'n') },
  readingFlags: { 'reading flags': (log) => flagCell(log.readingFlags) },
  meterChanges: { 'meter changes': (log) => meterChangesCell(log.meterChanges) },
  meterPhotos: {},
  unsafeSquawks: {},
  overdueInspections: {},
  deferralsOver: {},
  departedAt: { departed: (log, timeZone) => formatIsoDateTime(log.departedAt, timeZone) },
  landedAt: {
    landed: (log, timeZone) => log.landedAt && formatIsoDateTime(log.landedAt, timeZone),
    'block hours': (log) => log.landedAt && clockHoursBetween(log.departedAt, log.landedAt),
  },
} satisfies Record<keyof FlightLog, Record<string, Cell>>;

const COLUMNS = Object.values(CELLS).flatMap((cells) => Object.entries<Cell>(cells));

/** Each cell by its column's name. */
export function exportCells(
  log: FlightLog,
  timeZone: string,
  tailNumbersWithYears: ReadonlyMap<number, string>,
): Record<string, string> {
  return {
    ...Object.fromEntries(COLUMNS.map(([name, cell]) => [name, String(cell(log, timeZone) ?? '')])),
    'fuel notes': log.fuelRecords.flatMap(({ notes }) => notes || []).join(', '),
    'pilot id': String(log.user.id),
    'instructor id': String(log.instructor?.id ?? ''),
    'aircraft id': String(log.aircraft.id),
    'tail number with years': tailNumbersWithYears.get(log.aircraft.id) ?? log.aircraft.tailNumber,
  };
}

/** Empty while the flight is in progress. */
function yesNoCell(completed: boolean, yes: boolean): 'y' | 'n' | null {
  if (!completed) return null;
  return yes ? 'y' : 'n';
}

/** Quarts of all records, one decimal; null where none has a quantity. */
function oilQuartsCell(records: FuelRecord[]): string | null {
  const quantities = records.flatMap(({ oilQuantity }) => oilQuantity ?? []);
  return quantities.length === 0 ? null : quantities.reduce((sum, quarts) => sum + quarts, 0).toFixed(1);
}

/** 'Hobbs below 1234.5; tach end slip 988.6'. */
function flagCell(flags: ReadingFlag[]): string {
  return flags
    .map(({ meter, at, kind, last }) => `${METER_WORDS[meter]} ${at === 'end' ? 'end ' : ''}${kind} ${last}`)
    .join('; ');
}

/** 'Hobbs rolled over 9999.9 to 0.0 (Cracked glass)'. */
function meterChangesCell({ hobbs, tach }: FlightLog['meterChanges']): string {
  const cell = (name: string, change: typeof hobbs) =>
    change
      ? [`${name} ${change.reason} ${change.oldLast} to ${change.newFirst}${change.remark && ` (${change.remark})`}`]
      : [];
  return [...cell('Hobbs', hobbs), ...cell('tach', tach)].join('; ');
}
