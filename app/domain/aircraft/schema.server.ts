import { z } from 'zod';

const INVALID_YEAR = 'Must be a valid year';

const line = (required: string, atMost: number) =>
  z
    .string(required)
    .trim()
    .min(1, required)
    .max(atMost, `At most ${atMost} characters`)
    .transform((typed) => typed.replace(/\s+/g, ' '));

/** What an administrator gives to add an aircraft (spec §5, §7 POST /api/aircraft); the year comes out as an integer (C50). */
export const addAircraftSchema = z.object({
  tailNumber: line('Tail number is required', 50),
  make: line('Make is required', 200),
  model: line('Model is required', 200),
  year: z
    .union([z.string(), z.number()], INVALID_YEAR)
    .transform((typed) => String(typed).trim())
    .pipe(z.string(INVALID_YEAR).regex(/^\d{4}$/, INVALID_YEAR))
    .transform(Number)
    .pipe(z.number().min(1900, INVALID_YEAR).max(2100, INVALID_YEAR)),
});

/** The status a caller may set; 'checked_out' is never set, it follows from a flight (B253, C02). */
export const aircraftStatusSchema = z.object({
  status: z.literal('maintenance', "The status must be 'maintenance' or null").nullable(),
});

export type AddAircraftInput = z.infer<typeof addAircraftSchema>;
export type AircraftStatusInput = z.infer<typeof aircraftStatusSchema>;
