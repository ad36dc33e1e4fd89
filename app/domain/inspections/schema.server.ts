import { z } from 'zod';
import { MAX_INSPECTION_NAME_CHARACTERS, MAX_INSPECTION_INTERVAL, MAX_REMARK_CHARACTERS } from '#app/limits.ts';
import { nameInputSchema, whenValidBy, optionalTextInputSchema, readingSchema } from '../field-schemas.server.ts';
import { parseReading } from '../reading.ts';
import { type DuePoint, isStorable } from './due-point.ts';
import { remarkTooLongText, squawkTexts } from '../squawks/squawk-texts.server.ts';

const daySchema = z.iso.date().describe("A day in the school's time zone");

/** A point in a response: one of the three. */
export const duePointSchema = z.union([
  z.strictObject({ hobbs: readingSchema }),
  z.strictObject({ tach: readingSchema }),
  z.strictObject({ date: daySchema }),
]);

const readingTextSchema = z.union([z.string(), z.number()], squawkTexts.untilInvalid).transform((value, context) => {
  const reading = parseReading(String(value));
  if (reading !== undefined) return reading;
  context.addIssue({ code: 'custom', message: squawkTexts.untilInvalid });
  return z.NEVER;
});
const dayInputSchema = (message: string) =>
  z.iso.date(message).refine((day) => isStorable({ at: 'date', value: day }), message);

/** A point in a request: one of the three, or a plain date. */
export const duePointInputSchema = z
  .union(
    [
      z.strictObject({ hobbs: readingTextSchema }),
      z.strictObject({ tach: readingTextSchema }),
      z.strictObject({ date: dayInputSchema(squawkTexts.untilInvalid) }),
      dayInputSchema(squawkTexts.untilInvalid),
    ],
    squawkTexts.untilInvalid,
  )
  .transform((until) => fromApiPoint(typeof until === 'string' ? { date: until } : until));

export const DUE_AT_FIELD_SCHEMAS = {
  dueAt: z.enum(['hobbs', 'tach', 'date'], 'Please choose a meter or a date'),
  dueReading: z.string().optional(),
  dueDate: z.string().optional(),
};

const DATE_REQUIRED = 'Please enter a date';

interface DueAtFields {
  dueAt: DuePoint['at'];
  dueReading?: string | undefined;
  dueDate?: string | undefined;
}

/** Returns the point that a form's three fields name; undefined after it has reported an issue. */
export function pointOfFields(fields: DueAtFields, context: z.RefinementCtx): DuePoint | undefined {
  const isDate = fields.dueAt === 'date';
  const value = isDate
    ? dayInputSchema(DATE_REQUIRED).safeParse(fields.dueDate).data
    : parseReading(fields.dueReading ?? '');
  if (value !== undefined) return { at: fields.dueAt, value };
  const [field, message] = isDate ? ['dueDate', DATE_REQUIRED] : ['dueReading', 'Please enter a reading'];
  context.addIssue({ code: 'custom', message, path: [field] });
  return undefined;
}

export function toApiPoint({ at, value }: DuePoint): z.infer<typeof duePointSchema> {
  if (at === 'date') return { date: value };
  return at === 'hobbs' ? { hobbs: value } : { tach: value };
}

export function fromApiPoint(point: z.infer<typeof duePointSchema>): DuePoint {
  if ('date' in point) return { at: 'date', value: point.date };
  return 'hobbs' in point ? { at: 'hobbs', value: point.hobbs } : { at: 'tach', value: point.tach };
}

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
  ...DUE_AT_FIELD_SCHEMAS,
  interval: z.string().trim().optional(),
  intervalUnit: z.enum(INTERVAL_UNITS, 'Please choose a unit').optional(),
});

/** Says what is wrong with the due point and the interval beside what is wrong with the name. */
export const inspectionFormSchema = dueFields
  .extend({ name: nameInputSchema(squawkTexts.inspectionNameRequired, MAX_INSPECTION_NAME_CHARACTERS) })
  .superRefine((fields, context) => void toInspectionInput(fields, context), whenValidBy(dueFields))
  .transform(toInspectionInput);

type InspectionFields = z.infer<typeof dueFields> & Pick<InspectionInput, 'name'>;

function toInspectionInput(
  { name, interval = '', intervalUnit = 'hours', ...fields }: InspectionFields,
  context: z.RefinementCtx,
): InspectionInput {
  const due = pointOfFields(fields, context) ?? { at: fields.dueAt, value: '' };
  return { name, due, interval: intervalOf(interval, intervalUnit, due.at, context) };
}

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
  return isWhole && count > 0 && count <= MAX_INSPECTION_INTERVAL
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
  doneOn: dayInputSchema(DATE_REQUIRED),
  remark: optionalTextInputSchema(MAX_REMARK_CHARACTERS, remarkTooLongText),
});

export type CompletionInput = z.infer<typeof completionFormSchema>;
