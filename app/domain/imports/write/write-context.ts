import type { Trx } from '#db/connect.server.ts';
import type { ImportOptions } from '../options.server.ts';

/** It belongs to an import that is being applied. */
export interface WriteContext {
  trx: Trx;
  schoolId: number;
  importId: number;
  /** The owner of records that the file names nobody for. */
  owner: { id: number; username: string };
  /** Null: on the server. */
  doneBy: number | null;
  timeZone: string;
  options: ImportOptions;
  /** The hash of a password that nobody knows. */
  passwordHash: string;
  onProgress: (rows: number) => Promise<void>;
}
