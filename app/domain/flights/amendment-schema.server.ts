import { z } from 'zod';
import { declaredChanges } from '../readings/declared-changes.server.ts';
import {
  endReadingInputSchemas,
  meterChangesInputSchema,
  reasonInputSchema as reason,
  startReadingInputSchemas,
  correctedStartInputSchemas,
} from '../readings/input-schemas.server.ts';
import { instantInputSchema, schoolTimeInputSchema } from '../times/time-schemas.server.ts';

export const closeFlightSchema = z.object({
  ...endReadingInputSchemas,
  ...correctedStartInputSchemas,
  meterChanges: meterChangesInputSchema,
  departedAt: instantInputSchema.describe('If not as it stands; null is the check-out'),
  landedAt: instantInputSchema.describe('If not now'),
  reason,
});

export const cancelCheckOutSchema = z.object({ reason });

const formTimes = { departedAt: schoolTimeInputSchema, landedAt: schoolTimeInputSchema };

const correctionSchema = z.object({
  ...startReadingInputSchemas,
  ...endReadingInputSchemas,
  ...formTimes,
  meterChanges: meterChangesInputSchema,
  reason,
});

/** Meter changes count where their boxes are ticked. */
export const closeFlightFormSchema = z.preprocess(
  withDeclaredChanges,
  closeFlightSchema.extend({ ...formTimes, readAgain: z.boolean().optional() }),
);

export const correctionFormSchema = z.preprocess(
  withDeclaredChanges,
  correctionSchema.extend({ readAgain: z.boolean().optional() }),
);

/** Fields of a correction while the flight is in progress. */
const startCorrectionSchema = z.object({
  ...startReadingInputSchemas,
  departedAt: schoolTimeInputSchema,
  reason,
});

export const startCorrectionFormSchema = startCorrectionSchema.extend({ readAgain: z.boolean().optional() });

function withDeclaredChanges(form: unknown): unknown {
  const fields = z.looseObject({}).safeParse(form).data ?? {};
  return { ...fields, meterChanges: declaredChanges(fields.meterChanges) };
}

export type CloseFlightInput = z.infer<typeof closeFlightSchema>;
export type CancelCheckOutInput = z.infer<typeof cancelCheckOutSchema>;
export type CorrectionInput = z.infer<typeof correctionSchema>;
export type StartCorrectionInput = z.infer<typeof startCorrectionSchema>;
