import type { Updateable } from 'kysely';
import { z } from 'zod';
import {
  type Database,
  METER_CHANGE_REASONS,
  type OverdueItem,
  READING_FLAG_KINDS,
  type ReadingFlag,
  type UnsafeSquawk,
} from '#db/tables.ts';
import { GROUND_SCHOOL_STEP_HOURS, MAX_GROUND_SCHOOL_HOURS, MAX_NOTES_CHARACTERS } from '#app/limits.ts';
import { aircraftIdentitySchema } from '../aircraft/schema.server.ts';
import {
  clockTimeSchema,
  idInputSchema,
  idSchema,
  optionalTextInputSchema,
  photoPathSchema,
  readingSchema,
  timestampSchema,
} from '../field-schemas.server.ts';
import { meterTypeSchema, scanIdInputSchema } from '../meters/schema.server.ts';
import {
  correctedStartInputSchemas,
  endReadingInputSchemas,
  type MeterChangesInput,
  meterChangesInputSchema,
  reasonInputSchema as reason,
  remarkInputSchema,
  startReadingInputSchemas,
} from '../readings/input-schemas.server.ts';
import { squawkPhotosInputSchema, unsafeInputSchema } from '../squawks/schema.server.ts';
import { instantInputSchema } from '../times/school-time.server.ts';
import { notesTooLongText, texts } from '../texts.ts';
import {
  fuelRecordSchema,
  fuelRecordsInputSchema,
  fuelRecordsWithoutReceiptsSchema,
} from './fuel-record-schema.server.ts';

/** Hours as '0', '0.25' … '3'. */
export const GROUND_SCHOOL_CHOICES_HOURS = Array.from(
  { length: MAX_GROUND_SCHOOL_HOURS / GROUND_SCHOOL_STEP_HOURS + 1 },
  (_, step) => String(step * GROUND_SCHOOL_STEP_HOURS),
);

const readingFlagSchema = z.strictObject({
  meter: meterTypeSchema,
  at: z.enum(['start', 'end']),
  kind: z.enum(READING_FLAG_KINDS),
  reading: readingSchema,
  last: readingSchema.describe('What the reading does not fit, or what would fit'),
}) satisfies z.ZodType<ReadingFlag>;

const hoursSchema = z
  .string()
  .regex(/^\d{1,7}\.\d{2}$/)
  .describe('Hours flown, two decimals, across a changed meter too');

const meterChangeSchema = z.strictObject({
  oldLast: readingSchema,
  newFirst: readingSchema,
  reason: z.enum(METER_CHANGE_REASONS),
  remark: z.string(),
});

const overdueItemSchema = z.strictObject({
  id: idSchema,
  name: z.string(),
  text: z.string(),
}) satisfies z.ZodType<OverdueItem>;

/** The end fields are null while the flight is in progress. */
export const flightLogSchema = z.strictObject({
  id: idSchema,
  aircraft: aircraftIdentitySchema,
  user: z.strictObject({ id: idSchema, username: z.string(), email: z.string() }),
  instructor: z.strictObject({ id: idSchema, username: z.string() }).nullable(),
  startHobbsTime: readingSchema,
  startTachTime: readingSchema,
  endHobbsTime: readingSchema.nullable(),
  endTachTime: readingSchema.nullable(),
  hobbsHours: hoursSchema.nullable(),
  tachHours: hoursSchema.nullable(),
  meterChanges: z
    .strictObject({ hobbs: meterChangeSchema.nullable(), tach: meterChangeSchema.nullable() })
    .describe('Meters that were replaced or rolled over in this flight'),
  status: z
    .enum(['in_progress', 'completed', 'cancelled'])
    .describe("'cancelled' only in a list with `since`: a check-out that never flew"),
  createdAt: timestampSchema,
  completedAt: timestampSchema.nullable(),
  departedAt: timestampSchema.describe('The check-out, unless another time was given'),
  landedAt: timestampSchema.nullable().describe('The check-in, unless another time was given; null in progress'),
  instructorTimeIn: clockTimeSchema.nullable(),
  instructorTimeOut: clockTimeSchema.nullable(),
  groundSchoolTime: z.enum(GROUND_SCHOOL_CHOICES_HOURS),
  notes: z.string(),
  fuelRecords: z.array(fuelRecordSchema),
  meterPhotos: z.strictObject({
    startHobbs: photoPathSchema.nullable(),
    startTach: photoPathSchema.nullable(),
    endHobbs: photoPathSchema.nullable(),
    endTach: photoPathSchema.nullable(),
  }),
  readingFlags: z.array(readingFlagSchema).describe('What was odd about the readings when they were entered'),
  unsafeSquawks: z
    .array(z.strictObject({ id: idSchema, text: z.string() }) satisfies z.ZodType<UnsafeSquawk>)
    .describe('What was reported as unsafe to fly and not fixed at the start'),
  overdueInspections: z.array(overdueItemSchema).describe('What was overdue at the start'),
  deferralsOver: z.array(overdueItemSchema).describe('Squawks whose deferral was over at the start'),
  corrected: z.boolean().describe('A value was corrected later'),
});

const { id, createdAt, user, aircraft } = flightLogSchema.shape;

/** A flight that was deleted, in lists of changes. */
export const removedFlightSchema = z
  .strictObject({ id, createdAt, status: z.literal('removed') })
  .describe('Only in a list with `since`, whatever else it asks for: a flight that an undone import took away');

export const openFlightSchema = z.strictObject({ id, createdAt, user: user.omit({ email: true }), aircraft });

export const startFlightSchema = z.object({
  aircraftId: idInputSchema('Please select an aircraft'),
  ...startReadingInputSchemas,
  startHobbsScan: scanIdInputSchema.optional(),
  startTachScan: scanIdInputSchema.optional(),
  departedAt: instantInputSchema.describe('If not now'),
  status: z.literal('in_progress', "The status must be 'in_progress'").optional(),
});

const clockTimeInputSchema = z
  .string('Times must be given as HH:MM')
  .trim()
  .regex(/^(([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?)?$/, 'Times must be given as HH:MM')
  .transform((time) => time.slice(0, 5) || null)
  .nullish();

/** The fields that are recorded of a flight when it has ended: by the check-in, on behalf, later, and by a correction. */
export const recordedFields = {
  ...endReadingInputSchemas,
  meterChanges: meterChangesInputSchema,
  departedAt: instantInputSchema.describe('If not as it stands; null is the check-out'),
  landedAt: instantInputSchema.describe('If not now'),
  instructorId: idInputSchema(texts.instructorInvalid).nullish(),
  instructorTimeIn: clockTimeInputSchema.describe('Dropped without an instructor'),
  instructorTimeOut: clockTimeInputSchema.describe('Dropped without an instructor'),
  groundSchoolTime: z
    .union([z.string(), z.number()], 'Invalid ground school time')
    .transform((hours) => String(hours).trim() || '0')
    .pipe(z.enum(GROUND_SCHOOL_CHOICES_HOURS, 'Invalid ground school time'))
    .nullish(),
  fuelRecords: fuelRecordsInputSchema,
  notes: optionalTextInputSchema(MAX_NOTES_CHARACTERS, notesTooLongText),
};

export type RecordedField = keyof typeof recordedFields;

export const completeFlightSchema = z.object({
  ...recordedFields,
  ...correctedStartInputSchemas,
  startReason: remarkInputSchema.nullish().describe('Why the start readings were wrong'),
  endHobbsScan: scanIdInputSchema.optional(),
  endTachScan: scanIdInputSchema.optional(),
  unsafe: unsafeInputSchema,
  squawkPhotos: squawkPhotosInputSchema,
});

/** Names that matter so much that a call which does not take one says so, rather than ignore it. */
export const RECORDED_FIELD_NAMES: ReadonlySet<string> = new Set(Object.keys(completeFlightSchema.shape));

export type FlightLog = z.infer<typeof flightLogSchema>;
export type RemovedFlight = z.infer<typeof removedFlightSchema>;
export type OpenFlight = z.infer<typeof openFlightSchema>;
export type StartFlightInput = z.infer<typeof startFlightSchema>;
export type CompleteFlightInput = z.infer<typeof completeFlightSchema>;

/** Fields that are shown as they are stored. */
export const FLIGHT_LOG_COLUMNS = [
  'flight_logs.id',
  'start_hobbs as startHobbsTime',
  'start_tach as startTachTime',
  'end_hobbs as endHobbsTime',
  'end_tach as endTachTime',
  'hobbs_hours as hobbsHours',
  'tach_hours as tachHours',
  'instructor_time_in as instructorTimeIn',
  'instructor_time_out as instructorTimeOut',
  'ground_school_time as groundSchoolTime',
  'notes',
  'reading_flags as readingFlags',
  'unsafe_at_start as unsafeSquawks',
  'overdue_at_start as overdueInspections',
  'deferrals_over_at_start as deferralsOver',
] as const;

/** Instructor times count only with an instructor. A field of the input that is not named here does not compile. */
export function toCompletionColumns(input: CompleteFlightInput) {
  const { endHobbsTime, endTachTime, instructorId, instructorTimeIn, instructorTimeOut, groundSchoolTime, ...more } =
    input;
  const { notes, meterChanges, endHobbsScan: _endHobbsScan, endTachScan: _endTachScan, ...others } = more;
  const { startHobbsTime, startTachTime, startReason: _startReason, fuelRecords: _fuelRecords, ...left } = others;
  const { unsafe: _unsafe, squawkPhotos: _squawkPhotos, departedAt: _departed, landedAt: _landed, ...rest } = left;
  rest satisfies Record<string, never>;
  const instructed = instructorId != null;
  return {
    end_hobbs: endHobbsTime,
    end_tach: endTachTime,
    ...(startHobbsTime && { start_hobbs: startHobbsTime }),
    ...(startTachTime && { start_tach: startTachTime }),
    ...toChangeColumns(meterChanges),
    instructor_id: instructorId ?? null,
    instructor_time_in: instructed ? (instructorTimeIn ?? null) : null,
    instructor_time_out: instructed ? (instructorTimeOut ?? null) : null,
    ground_school_time: groundSchoolTime ?? '0',
    notes: notes ?? '',
  } satisfies Updateable<Database['flight_logs']>;
}

/** Columns of what is recorded: corrections and imports that leave one out do not compile. */
export type RecordedColumns = Omit<ReturnType<typeof toCompletionColumns>, 'start_hobbs' | 'start_tach'>;

function toChangeColumns(changes: MeterChangesInput) {
  return {
    hobbs_old_last: changes?.hobbs?.oldLast ?? null,
    hobbs_new_first: changes?.hobbs?.newFirst ?? null,
    tach_old_last: changes?.tach?.oldLast ?? null,
    tach_new_first: changes?.tach?.newFirst ?? null,
  };
}

export const closeFlightSchema = z.object({ ...completeFlightSchema.shape, reason });

export const cancelCheckOutSchema = z.object({ reason });

/**
 * A field that is not given stays as it is. Receipts stay with their fuel records, since a correction is looked at
 * before it is saved, and a form keeps no file. A squawk that was made of the notes stays, too: it has a life of its
 * own.
 */
export const correctionSchema = z
  .object({
    ...startReadingInputSchemas,
    ...recordedFields,
    fuelRecords: fuelRecordsWithoutReceiptsSchema.describe('All of them, in their order'),
    reason,
  })
  .partial()
  .required({ reason: true });

export type CloseFlightInput = z.infer<typeof closeFlightSchema>;
export type CancelCheckOutInput = z.infer<typeof cancelCheckOutSchema>;
export type CorrectionInput = z.infer<typeof correctionSchema>;
