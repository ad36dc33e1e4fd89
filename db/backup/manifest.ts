import { z } from 'zod';

/** Raised when an older Flightline could misread the file. */
export const BACKUP_FORMAT = 1;

/** The first member: what is needed before the rows come. */
export const headerSchema = z.object({
  format: z.number(),
  createdAt: z.iso.datetime(),
  server: z.string(),
  migrations: z.array(z.string()),
  tables: z.array(z.object({ table: z.string(), columns: z.array(z.string()) })),
});

/** The last member: proves that all others are there, as they were written. */
export const backupManifestSchema = z.object({
  /** The members in the order of the file. */
  members: z.array(z.object({ name: z.string(), size: z.number(), sha256: z.string() })),
  tables: z.record(z.string(), z.object({ rows: z.number(), sha256: z.string() })),
  sequences: z.record(z.string(), z.string()),
});

export type BackupHeader = z.output<typeof headerSchema>;
export type BackupManifest = z.output<typeof backupManifestSchema>;

export const HEADER_MEMBER = 'header.json';
export const MANIFEST_MEMBER = 'manifest.json';

/** Names one part of a table's rows, as tables/users/00001.copy; parts spare both sides holding a table whole. */
export function rowsMember(table: string, part: number): string {
  return `tables/${table}/${String(part).padStart(5, '0')}.copy`;
}

export function tableOfMember(name: string): string | undefined {
  return /^tables\/(.+)\/\d+\.copy$/.exec(name)?.[1];
}

/** Names a file of DATA_DIR, as files/mail/….eml. */
export function fileMember(file: string): string {
  return `files/${file}`;
}

export function fileOfMember(name: string): string | undefined {
  return /^files\/(.+)$/.exec(name)?.[1];
}
