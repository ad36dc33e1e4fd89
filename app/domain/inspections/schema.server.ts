import { z } from 'zod';
import { MAX_INSPECTION_NAME_CHARACTERS, MAX_INTERVAL, MAX_REMARK_CHARACTERS } from '#app/limits.ts';
import { nameInputSchema, onceReadable, optionalTextInputSchema } from '../field-schemas.server.ts';
import { parseReading } from '../reading.ts';
import type { DuePoint } from './due-point.ts';
import { DUE_AT_FIELDS, pointOfFields } from './due-point-schema.server.ts';
import { remarkTooLongText, squawkTexts } from '../squawks/squawk-texts.server.ts';

const INTERVAL_UNITS = ['hours', 'days', 'months'] as const;

export interface Interval {
  count: number;
  unit: (typeof INTERVAL_UNITS)[number];
}

/** An inspection is due once if its interval is null. */
export interface InspectionInput {
  name: string;
  due: DuePoint;
  interval: Interval | null;
}

const dueFields = z.object({
  ...DUE_AT_FIELDS,
  interval: z.string().trim().optional(),
  intervalUnit: z.enum(INTERVAL_UNITS, 'Please choose a unit').optional(),
});

/** Says what is wrong with the due point and the interval beside what is wrong with the name. */
export const inspectionFormSchema = dueFields
  .extend({ name: nameInputSchema(squawkTexts.inspectionNameRequired, MAX_INSPECTION_NAME_CHARACTERS) })
  .superRefine((fields, context) => void toInspectionInput(fields, context), onceReadable(dueFields))
  .transform(toInspectionInput);

type InspectionFields = z.infer<typeof dueFields> & Pick<InspectionInput, 'name'>;

function toInspectionInput(
  { name, interval = '', intervalUnit = 'hours', ...fields }: InspectionFields,
  context: z.RefinementCtx,
): InspectionInput {
  const due = pointOfFields(fields, context) ?? { at: fields.dueAt, value: '' };
  return { name, due, interval: intervalOf(interval, intervalUnit, due.at, context) };
}

/** Parses the interval: hours go with a meter, days and months with a date. */
function intervalOf(text: string, unit: Interval['unit'], at: DuePoint['at'], context: z.RefinementCtx) {
  if (text === '') return null;
  const refuse = (message: string, field: string) => {
    context.addIssue({ code: 'custom', message, path: [field] });
    return null;
  };
  if ((at === 'date') === (unit === 'hours')) {
    return refuse(at === 'date' ? 'Between dates it is days or months' : 'At a meter it is hours', 'intervalUnit');
  }
  const count = Number(text.replace(',', '.'));
  const isWhole = unit === 'hours' ? /^\d{1,5}([.,]\d{1,2})?$/.test(text) : /^\d{1,5}$/.test(text);
  return isWhole && count > 0 && count <= MAX_INTERVAL
    ? { count, unit }
    : refuse(squawkTexts.intervalInvalid, 'interval');
}

/** Parses a completion; `reading` is needed if the inspection is due at a meter. */
export const completionFormSchema = z.object({
  reading: z
    .string()
    .trim()
    .optional()
    .transform((text = '', context) => {
      const reading = parseReading(text);
      if (text !== '' && reading === undefined) context.addIssue({ code: 'custom', message: 'Please enter a reading' });
      return reading;
    }),
  doneOn: z.iso.date('Please enter a date'),
  remark: optionalTextInputSchema(MAX_REMARK_CHARACTERS, remarkTooLongText),
});

export type CompletionInput = z.infer<typeof completionFormSchema>;
