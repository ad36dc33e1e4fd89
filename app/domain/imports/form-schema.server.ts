import { z } from 'zod';
import { texts } from '../texts.ts';
import { importTexts } from './import-texts.server.ts';
import type { ImportOptions } from './options.server.ts';
import { DATE_ORDERS, DECIMAL_SIGNS } from './reading/answers.ts';
import { IMPORT_KINDS } from './records.ts';

/** A kind that is not chosen is found out from the columns. */
export const uploadFormSchema = z.object({ kind: z.enum(IMPORT_KINDS, importTexts.kindRequired).optional() });

const tick = z.boolean().default(false);

/** Answers by the key of their question; columns by their place in the table. */
export const importFormSchema = z.object({
  intent: z.enum(['answer', 'check', 'apply', 'undo', 'remove'], texts.actionRequired),
  kind: z.enum(IMPORT_KINDS).optional(),
  answers: z.record(z.string(), z.string()).optional(),
  columns: z.record(z.string(), z.string()).optional(),
  dates: z.enum(DATE_ORDERS).optional(),
  decimals: z.enum(DECIMAL_SIGNS).optional(),
  sheet: z.string().optional(),
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
