import { z } from 'zod';

const YEAR = 'Must be a valid year';

const line = (required: string, atMost: number) =>
  z
    .string(required)
    .trim()
    .min(1, required)
    .max(atMost, `At most ${atMost} characters`)
    .transform((typed) => typed.replace(/\s+/g, ' '));

/** What an administrator gives to add an aircraft (spec §5, §7 POST /api/aircraft); the year comes out as an integer (C50). */
export const addAircraftFields = z.object({
  tailNumber: line('Tail number is required', 50),
  make: line('Make is required', 200),
  model: line('Model is required', 200),
  year: z
    .union([z.string(), z.number()], YEAR)
    .transform((typed) => String(typed).trim())
    .pipe(z.string(YEAR).regex(/^\d{4}$/, YEAR))
    .transform(Number)
    .pipe(z.number().min(1900, YEAR).max(2100, YEAR)),
});

/** The status a caller may set; 'checked_out' is never set, it follows from a flight (B253, C02). */
export const statusFields = z.object({
  status: z.literal('maintenance', "The status must be 'maintenance' or null").nullable(),
});

export type AddAircraftFields = z.infer<typeof addAircraftFields>;
export type StatusFields = z.infer<typeof statusFields>;
