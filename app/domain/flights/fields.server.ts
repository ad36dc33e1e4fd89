import { z } from 'zod';
import { texts } from '../texts.ts';

/** Ground school hours on offer: 0 to 3 in steps of 0.25 (spec §9). */
export const GROUND_SCHOOL_TIMES = Array.from({ length: 13 }, (_, quarter) => String(quarter / 4));

const NOTES_AT_MOST = 20_000;

/**
 * A meter reading as people type it: digits, one '.' or ',', at most two decimals, at most 999999.99 (C40).
 * Comes out with a point, its decimals as typed.
 */
const reading = (required: string, name: string) =>
  z
    .union([z.string(), z.number()], required)
    .transform((typed) => String(typed).trim())
    .pipe(
      z
        .string()
        .min(1, required)
        .regex(/^\d{1,6}([.,]\d{1,2})?$/, `${name} must be a number`),
    )
    .transform((typed) => typed.replace(',', '.'));

const id = (words: string) => z.number(words).int(words).positive(words).max(2_147_483_647, words);

export const startReadings = {
  startHobbsTime: reading('Hobbs time is required', 'Hobbs time'),
  startTachTime: reading('Tach time is required', 'Tach time'),
};

/** What a pilot gives to start a flight (spec §7 POST /api/flight-logs, C67). */
export const startFlightFields = z.object({
  aircraftId: id('Please select an aircraft'),
  ...startReadings,
  status: z.literal('in_progress', "The status must be 'in_progress'").optional(),
});

const optionalText = (words: string) => z.string().trim().max(NOTES_AT_MOST, words).nullish();

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

export const fuelRecordFields = z.object({
  refueled: z.boolean('Refueled must be yes or no').nullish(),
  fuelReceiptImage: z.null('A receipt is added on the check-in screen').optional(),
  oilAdded: z.boolean('Oil added must be yes or no').nullish(),
  oilQuantity,
  notes: optionalText(`Fuel notes may have at most ${NOTES_AT_MOST} characters`),
});

/** What a pilot gives to complete a flight (spec §7 POST /api/flight-logs/{id}/complete, spec §5). */
export const completeFlightFields = z.object({
  endHobbsTime: reading('End Hobbs time is required', 'End Hobbs time'),
  endTachTime: reading('End Tach time is required', 'End Tach time'),
  instructorId: id('Invalid instructor').nullish(),
  instructorTimeIn: clockTime,
  instructorTimeOut: clockTime,
  groundSchoolTime: z
    .union([z.string(), z.number()], 'Invalid ground school time')
    .transform(String)
    .pipe(z.enum(GROUND_SCHOOL_TIMES, 'Invalid ground school time'))
    .nullish(),
  notes: optionalText(`Notes may have at most ${NOTES_AT_MOST} characters`),
  fuelRecords: z.array(fuelRecordFields, 'Fuel records must be a list').max(20, 'At most 20 fuel records').nullish(),
});

export type StartFlightFields = z.infer<typeof startFlightFields>;
export type CompleteFlightFields = z.infer<typeof completeFlightFields>;
