import { z } from 'zod';
import { READING_PATTERN } from '../reading.ts';

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
