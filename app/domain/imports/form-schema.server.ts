import { z } from 'zod';
import { texts } from '../texts.ts';
import { formatsSchema } from './import-file.server.ts';
import { importTexts } from './import-texts.server.ts';
import type { ImportOptions } from './options.server.ts';
import { IMPORT_KINDS } from './records.ts';

/** A kind that is not chosen is found out from the columns. */
export const uploadFormSchema = z.object({ kind: z.enum(IMPORT_KINDS, importTexts.kindRequired).optional() });

const tick = z.boolean().default(false);

/** Where a column stands in the file; '' for none. */
export const importFormSchema = z.object({
  intent: z.enum(['check', 'apply', 'undo', 'remove'], texts.actionRequired),
  columns: z.record(z.string(), z.string()).optional(),
  decimals: formatsSchema.shape.decimals.optional(),
  dates: formatsSchema.shape.dates.optional(),
  sendInvitations: tick,
  administrators: tick,
  oddReadings: tick,
  leaveOutRefused: tick,
});

export type UploadFormInput = z.infer<typeof uploadFormSchema>;
export type ImportFormInput = z.infer<typeof importFormSchema>;

export function optionsOf(input: ImportFormInput): ImportOptions {
  const { sendInvitations, administrators, oddReadings, leaveOutRefused } = input;
  return { sendInvitations, administrators, oddReadings, leaveOutRefused };
}
