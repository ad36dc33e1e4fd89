import { z } from 'zod';
import { endReadingInputs, startReadingInputs } from './reading-inputs.server.ts';

const MAX_REASON_CHARACTERS = 500;

const reason = z
  .string('Please give a reason')
  .trim()
  .min(1, 'Please give a reason')
  .max(MAX_REASON_CHARACTERS, `The reason may have at most ${MAX_REASON_CHARACTERS} characters`);

/** What an administrator gives to close a flight on behalf of its pilot (C08). */
export const closeFlightSchema = z.object({ ...endReadingInputs, reason });

/** What is asked of who cancels a check-out (C09). */
export const cancelCheckOutSchema = z.object({ reason });

/** The readings as they should have been, and why (C10). */
export const correctionSchema = z.object({ ...startReadingInputs, ...endReadingInputs, reason });

export type CloseFlightInput = z.infer<typeof closeFlightSchema>;
export type CancelCheckOutInput = z.infer<typeof cancelCheckOutSchema>;
export type CorrectionInput = z.infer<typeof correctionSchema>;
