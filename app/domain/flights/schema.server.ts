import { z } from 'zod';
import { scanIdSchema } from '../meters/schema.server.ts';
import { READING_PATTERN } from '../reading.ts';
import { texts } from '../texts.ts';

/** Ground school hours on offer: 0 to 3 in steps of 0.25 (spec §9). */
export const GROUND_SCHOOL_TIMES = Array.from({ length: 13 }, (_, quarter) => String(quarter / 4));

const MAX_NOTES_CHARACTERS = 20_000;

/**
 * A meter reading as people type it: digits, one '.' or ',', at most two decimals, at most 999999.99 (C40).
 * Comes out with a point, its decimals as typed.
 */
const reading = (required: string, name: string) =>
  z
    .union([z.string(), z.number()], required)
    .transform((typed) => String(typed).trim())
    .pipe(z.string(required).min(1, required).regex(READING_PATTERN, `${name} must be a number`))
    .transform((typed) => typed.replace(',', '.'));

const id = (words: string) => z.number(words).int(words).positive(words).max(2_147_483_647, words);

export const startReadings = {
  startHobbsTime: reading('Hobbs time is required', 'Hobbs time'),
  startTachTime: reading('Tach time is required', 'Tach time'),
};

export const endReadings = {
  endHobbsTime: reading('End Hobbs time is required', 'End Hobbs time'),
  endTachTime: reading('End Tach time is required', 'End Tach time'),
};

/** What a pilot gives to start a flight (spec §7 POST /api/flight-logs, C67). */
export const startFlightSchema = z.object({
  aircraftId: id('Please select an aircraft'),
  ...startReadings,
  startHobbsScan: scanIdSchema.optional(),
  startTachScan: scanIdSchema.optional(),
  status: z.literal('in_progress', "The status must be 'in_progress'").optional(),
});

// A form posts its line ends as CRLF; the notes keep the lines as they were typed.
const optionalText = (words: string) =>
  z
    .string(words)
    .overwrite((text) => text.replace(/\r\n?/g, '\n'))
    .trim()
    .max(MAX_NOTES_CHARACTERS, words)
    .nullish();

const clockTime = z
  .string('Times must be given as HH:MM')
  .trim()
  .regex(/^(([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?)?$/, 'Times must be given as HH:MM')
  .transform((time) => time.slice(0, 5) || null)
  .nullish();

const oilQuantity = z
  .number(texts.oilQuantity)
  .min(0, texts.oilQuantity)
  .max(99_999, texts.oilQuantity)
  .transform((quarts) => Math.round(quarts * 10) / 10)
  .nullish();

/** Base64, with or without its data prefix; empty means none (C54). What it decodes to is looked at as any upload. */
const receiptImage = z
  .string(texts.photoUnreadable)
  .transform((image) => (image === '' ? null : Buffer.from(image.replace(/^data:[^,]{0,100},/, ''), 'base64')))
  .nullish();

const fuelNotes = optionalText(`Fuel notes may have at most ${MAX_NOTES_CHARACTERS} characters`);

const fuelRecordInputSchema = z.object({
  refueled: z.boolean('Refueled must be yes or no').nullish(),
  fuelReceiptImage: receiptImage,
  oilAdded: z.boolean('Oil added must be yes or no').nullish(),
  oilQuantity,
  notes: fuelNotes,
});

/** What a pilot gives to complete a flight (spec §7 POST /api/flight-logs/{id}/complete, spec §5). */
export const completeFlightSchema = z.object({
  ...endReadings,
  endHobbsScan: scanIdSchema.optional(),
  endTachScan: scanIdSchema.optional(),
  instructorId: id('Invalid instructor').nullish(),
  instructorTimeIn: clockTime,
  instructorTimeOut: clockTime,
  groundSchoolTime: z
    .union([z.string(), z.number()], 'Invalid ground school time')
    .transform(String)
    .pipe(z.enum(GROUND_SCHOOL_TIMES, 'Invalid ground school time'))
    .nullish(),
  notes: optionalText(`Notes may have at most ${MAX_NOTES_CHARACTERS} characters`),
  fuelRecords: z
    .array(fuelRecordInputSchema, 'Fuel records must be a list')
    .max(20, 'At most 20 fuel records')
    .nullish(),
});

const { fuelRecords: _fuelRecords, ...answers } = completeFlightSchema.shape;

/**
 * The check-in screen's form: the same fields under the same names, the one fuel record's beside them.
 * What belongs to a switch that is off, or to an instructor who is not chosen, is ignored (C73).
 */
export const checkInFormSchema = z.preprocess(
  dropSwitchedOffFields,
  z.object({
    ...answers,
    refueled: z.boolean().optional(),
    fuelReceiptImage: z.file(texts.photoUnreadable).optional(),
    fuelNotes,
    oilAdded: z.boolean().optional(),
    oilQuantity,
  }),
);

function dropSwitchedOffFields(form: unknown): unknown {
  const fields = z.looseObject({}).safeParse(form).data ?? {};
  return {
    ...fields,
    ...(!fields.refueled && { fuelReceiptImage: undefined, fuelNotes: undefined }),
    ...(!fields.oilAdded && { oilQuantity: undefined }),
    ...(!fields.instructorId && { instructorTimeIn: undefined, instructorTimeOut: undefined }),
  };
}

/** What a check-in form says, in the shape of the call. */
export async function toCompleteFlightInput(form: CheckInFormInput): Promise<CompleteFlightInput> {
  const { refueled = false, fuelReceiptImage, fuelNotes, oilAdded = false, oilQuantity, ...rest } = form;
  const receipt = fuelReceiptImage ? Buffer.from(await fuelReceiptImage.arrayBuffer()) : null;
  const record = { refueled, fuelReceiptImage: receipt, oilAdded, oilQuantity, notes: fuelNotes };
  return { ...rest, fuelRecords: refueled || oilAdded ? [record] : [] };
}

export type CheckInFormInput = z.infer<typeof checkInFormSchema>;
export type FuelRecordInput = z.infer<typeof fuelRecordInputSchema>;
export type StartFlightInput = z.infer<typeof startFlightSchema>;
export type CompleteFlightInput = z.infer<typeof completeFlightSchema>;
