import { z } from 'zod';
import { reasonInputSchema as reason, startReadingInputSchemas } from '../readings/input-schemas.server.ts';
import { fuelRecordsWithoutReceiptsSchema } from './fuel-record-schema.server.ts';
import { completeFlightSchema, recordedFields } from './schema.server.ts';

export const closeFlightSchema = z.object({ ...completeFlightSchema.shape, reason });

export const cancelCheckOutSchema = z.object({ reason });

/**
 * A field that is not given stays as it is. Receipts stay with their fuel records, since a correction is looked at
 * before it is saved, and a form keeps no file. A squawk that was made of the notes stays, too: it has a life of its
 * own.
 */
export const correctionSchema = z
  .object({
    ...startReadingInputSchemas,
    ...recordedFields,
    fuelRecords: fuelRecordsWithoutReceiptsSchema.describe('All of them, in their order'),
    reason,
  })
  .partial()
  .required({ reason: true });

export type CloseFlightInput = z.infer<typeof closeFlightSchema>;
export type CancelCheckOutInput = z.infer<typeof cancelCheckOutSchema>;
export type CorrectionInput = z.infer<typeof correctionSchema>;
