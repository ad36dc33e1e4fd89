import { z } from 'zod';
import { idSchema } from '../field-schemas.server.ts';
import { texts } from '../texts.ts';
import { countsOf, importCountsSchema, importPreviewSchema } from './import-preview.server.ts';
import { importTexts } from './import-texts.server.ts';
import { importOptionsSchema } from './options.server.ts';
import type { StoredImport } from './queries.server.ts';
import { answerTextsSchema } from './reading/answers.ts';
import { IMPORT_KINDS, STORED_KINDS } from './records.ts';

/** A call or a form names one; 'all' is a whole school, as exported. */
export const importKindSchema = z.enum(STORED_KINDS, importTexts.kindUnknown);

export const importSchema = importCountsSchema.extend({
  id: idSchema,
  kind: z.enum(STORED_KINDS),
  fileName: z.string(),
  state: z.enum(['uploaded', 'applying', 'applied', 'undoing', 'undone']),
  done: z.int().describe('Records written so far'),
  failure: z.string().nullable().describe('Why the last try wrote nothing'),
});

export const importPreviewWithKindSchema = importPreviewSchema.extend({ kind: z.enum(IMPORT_KINDS) });

/** The fields of the form that a file is sent in, as text. */
export const importCallSchema = z.object({
  file: z.string().meta({ format: 'binary' }),
  kind: z.enum(STORED_KINDS),
  preview: z.literal('1').optional().describe('Writes nothing, and says what it would do'),
  sendInvitations: z.literal('1').optional().describe('Mails imported people a link to choose a password'),
  administrators: z.literal('1').optional().describe('Imports administrators, too'),
  oddReadings: z.literal('1').optional().describe('Imports flights whose readings or times do not fit, too'),
  leaveOutRefused: z.literal('1').optional().describe('Imports the other rows where some are refused'),
  ...answerTextsSchema.shape,
});

const UNDER_WAY = { apply: 'applying', undo: 'undoing' } as const;

export function toImportAnswer({ id, kind, fileName, state, requested, done, failure, preview }: StoredImport) {
  const now = requested === null ? state : UNDER_WAY[requested];
  return { id, kind, fileName, state: now, ...countsOf(preview), done, failure };
}

export const uploadFormSchema = z.object({ kind: z.enum(STORED_KINDS, importTexts.kindRequired).optional() });

/** Answers by the key of their question; columns by their place in the table. */
export const importFormSchema = z.object({
  intent: z.enum(['answer', 'check', 'apply', 'undo', 'remove'], texts.actionRequired),
  kind: z.enum(IMPORT_KINDS).optional(),
  answers: z.record(z.string(), z.string()).optional(),
  columns: z.record(z.string(), z.string()).optional(),
  sheet: z.string().optional(),
  ...importOptionsSchema.shape,
});

export type UploadFormInput = z.infer<typeof uploadFormSchema>;
export type ImportFormInput = z.infer<typeof importFormSchema>;
