import { z } from 'zod';
import {
  MAX_MAKE_CHARACTERS,
  MAX_MODEL_CHARACTERS,
  MAX_TAIL_NUMBER_CHARACTERS,
  MAX_YEAR,
  MIN_AIRCRAFT_YEAR,
} from '#app/limits.ts';
import { CONDITION_KINDS } from './find-conditions.ts';
import { idSchema, nameInputSchema, readingSchema, timestampSchema } from '../field-schemas.server.ts';

export const aircraftIdentitySchema = z.strictObject({
  id: idSchema,
  tailNumber: z.string(),
  make: z.string(),
  model: z.string(),
});

const conditionSchema = z.enum(CONDITION_KINDS);

/** The readings are null if none is recorded. A null status is available. */
export const aircraftSchema = aircraftIdentitySchema.extend({
  year: z.int().min(MIN_AIRCRAFT_YEAR).max(MAX_YEAR),
  lastHobbsTime: readingSchema.nullable(),
  lastTachTime: readingSchema.nullable(),
  status: z.enum(['maintenance', 'checked_out']).nullable(),
  groundedOnReturn: z.boolean().describe('In flight, and in maintenance once it is back'),
  condition: conditionSchema
    .nullable()
    .describe('The gravest of what a pilot should know before a check-out, which it never forbids'),
  conditions: z
    .array(z.strictObject({ kind: conditionSchema, text: z.string() }))
    .describe('All of it, the gravest first'),
});

export const listedAircraftSchema = aircraftSchema.extend({
  deletedAt: timestampSchema.optional().describe('Only of a deleted aircraft, which only `since` lists'),
});

export type ListedAircraft = z.infer<typeof listedAircraftSchema>;

const INVALID_YEAR = 'Must be a valid year';

export const addAircraftSchema = z.object({
  tailNumber: nameInputSchema('Tail number is required', MAX_TAIL_NUMBER_CHARACTERS),
  make: nameInputSchema('Make is required', MAX_MAKE_CHARACTERS),
  model: nameInputSchema('Model is required', MAX_MODEL_CHARACTERS),
  year: z
    .union([z.string(), z.number()], INVALID_YEAR)
    .transform((value) => String(value).trim())
    .pipe(z.string(INVALID_YEAR).regex(/^\d{4}$/, INVALID_YEAR))
    .transform(Number)
    .pipe(z.number().min(MIN_AIRCRAFT_YEAR, INVALID_YEAR).max(MAX_YEAR, INVALID_YEAR)),
});

/** The status 'checked_out' cannot be set: it follows from an open flight. */
export const setAircraftStatusSchema = z.object({
  status: z.literal('maintenance', "The status must be 'maintenance' or null").nullable(),
});

export type Aircraft = z.infer<typeof aircraftSchema>;
export type AddAircraftInput = z.infer<typeof addAircraftSchema>;
export type AircraftStatusInput = z.infer<typeof setAircraftStatusSchema>;
