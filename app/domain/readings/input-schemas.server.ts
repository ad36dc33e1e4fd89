import { z } from 'zod';
import { METER_CHANGE_REASONS } from '#db/tables.ts';
import { MAX_REASON_CHARACTERS } from '#app/limits.ts';
import { strictObjectSchema } from '../field-schemas.server.ts';
import { READING_PATTERN } from '../reading.ts';
import { reasonTooLongText, texts } from '../texts.ts';

export const startReadingInputSchemas = {
  startHobbsTime: readingInputSchema('Hobbs time is required', 'Hobbs time'),
  startTachTime: readingInputSchema('Tach time is required', 'Tach time'),
};

export const endReadingInputSchemas = {
  endHobbsTime: readingInputSchema('End Hobbs time is required', 'End Hobbs time'),
  endTachTime: readingInputSchema('End Tach time is required', 'End Tach time'),
};

/** Schemas of start readings as they should have been; '' means that they were right. */
export const correctedStartInputSchemas = {
  startHobbsTime: optionalReadingInputSchema('Start Hobbs time'),
  startTachTime: optionalReadingInputSchema('Start Tach time'),
};

export const reasonInputSchema = z
  .string(texts.reasonRequired)
  .trim()
  .min(1, texts.reasonRequired)
  .max(MAX_REASON_CHARACTERS, reasonTooLongText);

export const oldMeterLastInputSchema = readingInputSchema(texts.oldLastRequired, "Old meter's last reading");
export const newMeterFirstInputSchema = readingInputSchema(texts.newFirstRequired, "New meter's first reading");
export const meterChangeReasonInputSchema = z.enum(METER_CHANGE_REASONS, texts.meterChangeReason);
export const remarkInputSchema = z.string().trim().max(MAX_REASON_CHARACTERS, reasonTooLongText);

/** A meter that was replaced, or has rolled over, during a flight. */
const meterChangeInputSchema = strictObjectSchema({
  oldLast: oldMeterLastInputSchema,
  newFirst: newMeterFirstInputSchema,
  reason: meterChangeReasonInputSchema,
  remark: remarkInputSchema.optional(),
});

export const meterChangesInputSchema = strictObjectSchema({
  hobbs: meterChangeInputSchema.nullish(),
  tach: meterChangeInputSchema.nullish(),
}).nullish();

export type MeterChangeInput = z.infer<typeof meterChangeInputSchema>;
export type MeterChangesInput = z.infer<typeof meterChangesInputSchema>;

/** Accepts '.' or ','; the result is a decimal string with '.', its decimals unchanged. */
function readingInputSchema(required: string, name: string) {
  return z
    .union([z.string(), z.number()], required)
    .transform((value) => String(value).trim())
    .superRefine((value, context) => {
      const message = value === '' ? required : wrongReadingText(value, name);
      if (message !== undefined) context.addIssue({ code: 'custom', message });
    })
    .transform(withPoint);
}

function optionalReadingInputSchema(name: string) {
  return z
    .union([z.string(), z.number()])
    .transform((value) => String(value).trim())
    .superRefine((value, context) => {
      const message = value === '' ? undefined : wrongReadingText(value, name);
      if (message !== undefined) context.addIssue({ code: 'custom', message });
    })
    .transform((value) => (value === '' ? undefined : withPoint(value)))
    .nullish();
}

/** Returns one text a reading, undefined for a right one. */
function wrongReadingText(value: string, name: string): string | undefined {
  if (READING_PATTERN.test(value)) return undefined;
  return /^\d{1,6}[.,]\d{3,}$/.test(value) ? `${name} may have at most two decimals` : `${name} must be a number`;
}

function withPoint(value: string): string {
  return value.replace(',', '.');
}
