import { z } from 'zod';
import { texts } from '../texts.ts';

export const instantInputSchema = z.iso
  .datetime({ offset: true, error: texts.instantInvalid })
  .refine((time) => !Number.isNaN(Date.parse(time)), texts.instantInvalid)
  .nullish();

export const schoolTimeInputSchema = z
  .string(texts.schoolTimeInvalid)
  .trim()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/, texts.schoolTimeInvalid)
  .refine(isCalendarTime, texts.schoolTimeInvalid)
  .nullish();

function isCalendarTime(time: string): boolean {
  const date = new Date(`${time}Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(time.slice(0, 16));
}
