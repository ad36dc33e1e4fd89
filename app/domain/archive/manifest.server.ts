import { z } from 'zod';
import { MAX_SIGN_IN_USERNAME_CHARACTERS } from '#app/limits.ts';
import { isStorable } from '../storable-text.ts';
import { ARCHIVED_TABLE_NAMES, archivedTable, type ArchivedTableName, LEFT_OUT_TABLES } from './archived-tables.ts';

export const ARCHIVE_FORMAT = 'flightline school';
export const ARCHIVE_VERSION = 1;

export const MANIFEST_NAME = 'manifest.json';
export const README_NAME = 'README.txt';

export const rowsFileName = (table: string) => `tables/${table}.jsonl`;
export const csvFileName = (table: string) => `csv/${table}.csv`;
export const photoFileName = (id: number) => `photos/${id}.jpg`;

export const archivedTextSchema = z
  .string()
  .max(MAX_SIGN_IN_USERNAME_CHARACTERS)
  .refine(isStorable, 'a character cannot be stored');

const tableSchema = z.object({
  rows: z.int().min(0),
  columns: z.array(z.string().regex(/^[a-z_]{1,63}$/)),
});

export const archiveManifestSchema = z.object({
  format: z.literal(ARCHIVE_FORMAT),
  version: z.int(),
  exportedAt: z.iso.datetime(),
  /** The newest migration of the database that it comes from. */
  schema: z.string(),
  school: z.object({ id: z.int().positive(), name: archivedTextSchema }),
  tables: z.record(z.enum(ARCHIVED_TABLE_NAMES), tableSchema),
  photos: z.int().min(0),
  /** Reasons why other tables are not here. */
  leftOut: z.record(z.string(), z.string()),
  files: z.array(
    z.object({
      name: z.string(),
      bytes: z.int().min(0),
      sha256: z.string().regex(/^[0-9a-f]{64}$/),
    }),
  ),
});

export type ArchiveManifest = z.infer<typeof archiveManifestSchema>;

/** Explains each file of an archive to a person who opens it. */
export function readmeText(school: string, exportedAt: Date): string {
  return [
    `Everything of ${school}, as it stood at ${exportedAt.toISOString()}.`,
    '',
    ...FILES,
    '',
    'The tables:',
    ...ARCHIVED_TABLE_NAMES.map((name) => `  ${name.padEnd(24)}${archivedTable(name).about}`),
    '',
    'Left out:',
    ...Object.entries(LEFT_OUT_TABLES).map(([name, why]) => `  ${name.padEnd(24)}${why}`),
    ...ARCHIVED_TABLE_NAMES.flatMap(leftOutColumns),
    '',
    'Whoever has this file has all of this. Keep it as you keep your logbooks.',
    '',
  ].join('\r\n');
}

const FILES = [
  'tables/*.jsonl    a row of a table on each line, as JSON: exact, for programs and for moving in again.',
  '                  Readings and hours are texts with their decimals, times are UTC.',
  'csv/*.csv         the same rows for spreadsheets, UTF-8 with a byte order mark.',
  '                  Text that a spreadsheet would run as a formula begins with an apostrophe.',
  'photos/*.jpg      the photos; each is named for its id in the table photos.',
  'manifest.json     counts, and the size and SHA-256 of every file. It is the last one:',
  '                  a download that was cut off has none, and cannot be opened.',
  '',
  'To move into another installation: npm run flightline -- import all FILE',
];

function leftOutColumns(name: ArchivedTableName): string[] {
  const { without = {} } = archivedTable(name);
  return Object.entries(without).flatMap(([column, why]) =>
    why === null ? [] : [`  ${`${name}.${column}`.padEnd(32)}${why}`],
  );
}
