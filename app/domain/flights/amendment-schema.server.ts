import { z } from 'zod';
import { endReadings, startReadings } from './schema.server.ts';

const REASON_AT_MOST = 500;

const reason = z
  .string('Please give a reason')
  .trim()
  .min(1, 'Please give a reason')
  .max(REASON_AT_MOST, `The reason may have at most ${REASON_AT_MOST} characters`);

/** What an administrator gives to close a flight on behalf of its pilot (C08). */
export const closeFlightFields = z.object({ ...endReadings, reason });

/** What is asked of who cancels a check-out (C09). */
export const cancelCheckOutFields = z.object({ reason });

/** The readings as they should have been, and why (C10). */
export const correctionFields = z.object({ ...startReadings, ...endReadings, reason });

export type CloseFlightFields = z.infer<typeof closeFlightFields>;
export type CancelCheckOutFields = z.infer<typeof cancelCheckOutFields>;
export type CorrectionFields = z.infer<typeof correctionFields>;
