import type { Updateable } from 'kysely';
import { z } from 'zod';
import type { Database, OverdueInspection, ReadingFlag, UnsafeSquawk } from '#db/tables.ts';
import {
  GROUND_SCHOOL_STEP_HOURS,
  MAX_FUEL_RECORDS,
  MAX_GROUND_SCHOOL_HOURS,
  MAX_NOTES_CHARACTERS,
} from '#app/limits.ts';
import { aircraftNameSchema } from '../aircraft/schema.server.ts';
import {
  clockTimeSchema,
  idInputSchema,
  idSchema,
  optionalTextInputSchema,
  photoPathSchema,
  readingSchema,
  timestampSchema,
} from '../field-schemas.server.ts';
import { formatIsoDateTime, wallClockHours } from '../format.server.ts';
import { meterTypeSchema, scanIdInputSchema } from '../meters/schema.server.ts';
import { hoursBetween, READING_PATTERN } from '../reading.ts';
import { squawkPhotosInputSchema, unsafeInputSchema } from '../squawks/schema.server.ts';
import { notesTooLongText, texts, tooManyFuelRecordsText } from '../texts.ts';
import { flagCell, oilQuartsCell, yesNoCell } from './export-cells.ts';
import { fuelRecordInputSchema, fuelRecordSchema } from './fuel-record-schema.server.ts';
import { instructorHours } from './instructor-hours.ts';

/** '0', '0.25' … '3' hours. */
export const GROUND_SCHOOL_TIMES = Array.from(
  { length: MAX_GROUND_SCHOOL_HOURS / GROUND_SCHOOL_STEP_HOURS + 1 },
  (_, step) => String(step * GROUND_SCHOOL_STEP_HOURS),
);

const readingFlagSchema = z.strictObject({
  meter: meterTypeSchema,
  kind: z.enum(['below', 'gap']),
  last: readingSchema,
}) satisfies z.ZodType<ReadingFlag>;

/** Null end fields: in progress. */
export const flightLogSchema = z.strictObject({
  id: idSchema,
  aircraft: aircraftNameSchema,
  user: z.strictObject({ id: idSchema, username: z.string(), email: z.string() }),
  instructor: z.strictObject({ id: idSchema, username: z.string() }).nullable(),
  startHobbsTime: readingSchema,
  startTachTime: readingSchema,
  endHobbsTime: readingSchema.nullable(),
  endTachTime: readingSchema.nullable(),
  status: z.enum(['in_progress', 'completed']),
  createdAt: timestampSchema,
  completedAt: timestampSchema.nullable(),
  instructorTimeIn: clockTimeSchema.nullable(),
  instructorTimeOut: clockTimeSchema.nullable(),
  groundSchoolTime: z.enum(GROUND_SCHOOL_TIMES),
  notes: z.string(),
  fuelRecords: z.array(fuelRecordSchema),
  meterPhotos: z.strictObject({
    startHobbs: photoPathSchema.nullable(),
    startTach: photoPathSchema.nullable(),
    endHobbs: photoPathSchema.nullable(),
    endTach: photoPathSchema.nullable(),
  }),
  readingFlags: z.array(readingFlagSchema).describe('Where the start readings differed from the last ones'),
  unsafeSquawks: z
    .array(z.strictObject({ id: idSchema, text: z.string() }) satisfies z.ZodType<UnsafeSquawk>)
    .describe('What was reported as unsafe to fly and not fixed at the start'),
  overdueInspections: z
    .array(z.strictObject({ id: idSchema, name: z.string(), text: z.string() }) satisfies z.ZodType<OverdueInspection>)
    .describe('What was overdue at the start'),
  corrected: z.boolean().describe('A reading was corrected later'),
});

const { id, createdAt, user, aircraft } = flightLogSchema.shape;

export const openFlightSchema = z.strictObject({ id, createdAt, user: user.omit({ email: true }), aircraft });

export const startReadingInputSchemas = {
  startHobbsTime: readingInputSchema('Hobbs time is required', 'Hobbs time'),
  startTachTime: readingInputSchema('Tach time is required', 'Tach time'),
};

export const endReadingInputSchemas = {
  endHobbsTime: readingInputSchema('End Hobbs time is required', 'End Hobbs time'),
  endTachTime: readingInputSchema('End Tach time is required', 'End Tach time'),
};

/** Accepts '.' or ','; becomes a decimal string with '.', its decimals unchanged. */
function readingInputSchema(required: string, name: string) {
  return z
    .union([z.string(), z.number()], required)
    .transform((value) => String(value).trim())
    .pipe(z.string(required).min(1, required).regex(READING_PATTERN, `${name} must be a number`))
    .transform((value) => value.replace(',', '.'));
}

export const startFlightSchema = z.object({
  aircraftId: idInputSchema('Please select an aircraft'),
  ...startReadingInputSchemas,
  startHobbsScan: scanIdInputSchema.optional(),
  startTachScan: scanIdInputSchema.optional(),
  status: z.literal('in_progress', "The status must be 'in_progress'").optional(),
});

const clockTimeInputSchema = z
  .string('Times must be given as HH:MM')
  .trim()
  .regex(/^(([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?)?$/, 'Times must be given as HH:MM')
  .transform((time) => time.slice(0, 5) || null)
  .nullish();

export const completeFlightSchema = z.object({
  ...endReadingInputSchemas,
  endHobbsScan: scanIdInputSchema.optional(),
  endTachScan: scanIdInputSchema.optional(),
  instructorId: idInputSchema(texts.instructorInvalid).nullish(),
  instructorTimeIn: clockTimeInputSchema,
  instructorTimeOut: clockTimeInputSchema,
  groundSchoolTime: z
    .union([z.string(), z.number()], 'Invalid ground school time')
    .transform(String)
    .pipe(z.enum(GROUND_SCHOOL_TIMES, 'Invalid ground school time'))
    .nullish(),
  notes: optionalTextInputSchema(MAX_NOTES_CHARACTERS, notesTooLongText),
  unsafe: unsafeInputSchema,
  squawkPhotos: squawkPhotosInputSchema,
  fuelRecords: z
    .array(fuelRecordInputSchema, 'Fuel records must be a list')
    .max(MAX_FUEL_RECORDS, tooManyFuelRecordsText)
    .nullish(),
});

export type FlightLog = z.infer<typeof flightLogSchema>;
export type OpenFlight = z.infer<typeof openFlightSchema>;
export type StartFlightInput = z.infer<typeof startFlightSchema>;
export type CompleteFlightInput = z.infer<typeof completeFlightSchema>;

export const FLIGHT_LOG_COLUMNS = [
  'flight_logs.id',
  'start_hobbs as startHobbsTime',
  'start_tach as startTachTime',
  'end_hobbs as endHobbsTime',
  'end_tach as endTachTime',
  'flight_logs.created_at as createdAt',
  'completed_at as completedAt',
  'instructor_time_in as instructorTimeIn',
  'instructor_time_out as instructorTimeOut',
  'ground_school_time as groundSchoolTime',
  'notes',
  'reading_flags as readingFlags',
  'unsafe_at_start as unsafeSquawks',
  'overdue_at_start as overdueInspections',
] as const;

/** Instructor times count only with an instructor. A field of the input that is not named here does not compile. */
export function toCompletionColumns(input: CompleteFlightInput): Updateable<Database['flight_logs']> {
  const { endHobbsTime, endTachTime, instructorId, instructorTimeIn, instructorTimeOut, groundSchoolTime, ...more } =
    input;
  const { notes, endHobbsScan: _endHobbsScan, endTachScan: _endTachScan, fuelRecords: _fuelRecords, ...others } = more;
  const { unsafe: _unsafe, squawkPhotos: _squawkPhotos, ...rest } = others;
  const unnamed: Record<string, never> = rest;
  const instructed = instructorId != null;
  return {
    ...unnamed,
    end_hobbs: endHobbsTime,
    end_tach: endTachTime,
    instructor_id: instructorId ?? null,
    instructor_time_in: instructed ? (instructorTimeIn ?? null) : null,
    instructor_time_out: instructed ? (instructorTimeOut ?? null) : null,
    ground_school_time: groundSchoolTime ?? '0',
    notes: notes ?? '',
  };
}

type Cell = (log: FlightLog, timeZone: string) => string | number | null;

/** Columns of the exported CSV file, by field. */
const EXPORT_CELLS = {
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
    'duration hours': (log) => log.completedAt && wallClockHours(log.createdAt, log.completedAt),
  },
  startHobbsTime: { 'start Hobbs': (log) => log.startHobbsTime },
  endHobbsTime: {
    'end Hobbs': (log) => log.endHobbsTime,
    'Hobbs hours': (log) => log.endHobbsTime && hoursBetween(log.startHobbsTime, log.endHobbsTime),
  },
  startTachTime: { 'start tach': (log) => log.startTachTime },
  endTachTime: {
    'end tach': (log) => log.endTachTime,
    'tach hours': (log) => log.endTachTime && hoursBetween(log.startTachTime, log.endTachTime),
  },
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
  meterPhotos: {},
  unsafeSquawks: {},
  overdueInspections: {},
} satisfies Record<keyof FlightLog, Record<string, Cell>>;

export const EXPORT_COLUMNS = Object.values(EXPORT_CELLS).flatMap((cells) => Object.entries<Cell>(cells));
