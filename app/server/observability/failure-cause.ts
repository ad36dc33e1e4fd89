import { databaseTrouble } from '#db/database-trouble.ts';

/** 'busy': a queue was full; 'pool': all connections were in use; 'photo': the reader gave no answer. */
export const FAILURE_CAUSES = ['database', 'pool', 'disk', 'photo', 'busy', 'defect'] as const;
export type FailureCause = (typeof FAILURE_CAUSES)[number];

const DISK = /^(53100|58030|ENOSPC|EDQUOT|EIO)$/;
const NO_FILE_LEFT = /^(EMFILE|ENFILE)$/;
const POOL = 'timeout exceeded when trying to connect';

/** Returns the cause of an unexpected error, for the log and the metrics. */
export function failureCauseOf(error: unknown): FailureCause {
  if (!(error instanceof Error)) return 'defect';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (DISK.test(code)) return 'disk';
  if (NO_FILE_LEFT.test(code)) return 'busy';
  if (error.message.includes(POOL)) return 'pool';
  return databaseTrouble(error) ? 'database' : 'defect';
}

/** Returns the cause of a response for which none was noted; undefined below 500. */
export function causeOfStatus(status: number): FailureCause | undefined {
  if (status < 500) return undefined;
  return status === 502 ? 'photo' : status === 503 ? 'busy' : 'defect';
}
