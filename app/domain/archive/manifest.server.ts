import { z } from 'zod';
import { ARCHIVED_TABLE_NAMES } from './archived-tables.ts';

export const ARCHIVE_FORMAT = 'flightline school';
export const ARCHIVE_VERSION = 1;

export const MANIFEST_NAME = 'manifest.json';
export const README_NAME = 'README.txt';

export const rowsFileName = (table: string) => `tables/${table}.jsonl`;
export const csvFileName = (table: string) => `csv/${table}.csv`;
export const photoName = (id: number) => `photos/${id}.jpg`;

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
  school: z.object({ id: z.int().positive(), name: z.string() }),
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
