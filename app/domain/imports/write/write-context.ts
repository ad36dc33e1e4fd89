import type { Trx } from '#db/connect.server.ts';
import type { ImportOptions } from '../options.server.ts';

/** Of an import that is being applied. */
export interface WriteContext {
  trx: Trx;
  schoolId: number;
  importId: number;
  /** Whose records are that the file names nobody for. */
  owner: { id: number; username: string };
  /** Null: on the server. */
  doneBy: number | null;
  timeZone: string;
  options: ImportOptions;
  /** Of a password that nobody knows. */
  passwordHash: string;
  onProgress: (rows: number) => Promise<void>;
}
