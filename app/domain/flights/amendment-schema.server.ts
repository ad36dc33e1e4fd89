import { z } from 'zod';
import { MAX_REASON_CHARACTERS } from '#app/limits.ts';
import { reasonTooLongText, texts } from '../texts.ts';
import { endReadingInputSchemas, startReadingInputSchemas } from './schema.server.ts';

const reason = z
  .string(texts.reasonRequired)
  .trim()
  .min(1, texts.reasonRequired)
  .max(MAX_REASON_CHARACTERS, reasonTooLongText);

export const closeFlightSchema = z.object({ ...endReadingInputSchemas, reason });

export const cancelCheckOutSchema = z.object({ reason });

export const correctionSchema = z.object({ ...startReadingInputSchemas, ...endReadingInputSchemas, reason });

export type CloseFlightInput = z.infer<typeof closeFlightSchema>;
export type CancelCheckOutInput = z.infer<typeof cancelCheckOutSchema>;
export type CorrectionInput = z.infer<typeof correctionSchema>;
