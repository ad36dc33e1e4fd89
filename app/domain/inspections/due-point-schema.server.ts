import { z } from 'zod';
import { readingSchema } from '../field-schemas.server.ts';
import { parseReading } from '../reading.ts';
import type { DuePoint } from './due-point.ts';
import { squawkTexts } from '../squawks/squawk-texts.server.ts';

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
const dayInputSchema = z.iso.date(squawkTexts.untilInvalid);

/** A point in a request: one of the three, or a plain date. */
export const duePointInputSchema = z
  .union(
    [
      z.strictObject({ hobbs: readingTextSchema }),
      z.strictObject({ tach: readingTextSchema }),
      z.strictObject({ date: dayInputSchema }),
      dayInputSchema,
    ],
    squawkTexts.untilInvalid,
  )
  .transform((until) => fromApiPoint(typeof until === 'string' ? { date: until } : until));

export const DUE_AT_FIELDS = {
  dueAt: z.enum(['hobbs', 'tach', 'date'], 'Please choose a meter or a date'),
  dueReading: z.string().optional(),
  dueDate: z.string().optional(),
};

interface DueAtFields {
  dueAt: DuePoint['at'];
  dueReading?: string | undefined;
  dueDate?: string | undefined;
}

/** Returns the point that a form's three fields name; undefined after it has reported an issue. */
export function pointOfFields(fields: DueAtFields, context: z.RefinementCtx): DuePoint | undefined {
  const isDate = fields.dueAt === 'date';
  const value = isDate ? z.iso.date().safeParse(fields.dueDate).data : parseReading(fields.dueReading ?? '');
  if (value !== undefined) return { at: fields.dueAt, value };
  const [field, message] = isDate ? ['dueDate', 'Please enter a date'] : ['dueReading', 'Please enter a reading'];
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
