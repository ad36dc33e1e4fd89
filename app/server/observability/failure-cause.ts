/** 'busy': a queue was full; 'pool': all connections were in use; 'photo': the reader gave no answer. */
export const FAILURE_CAUSES = ['database', 'pool', 'disk', 'photo', 'busy', 'defect'] as const;
export type FailureCause = (typeof FAILURE_CAUSES)[number];

const DISK = /^(53100|58030|ENOSPC|EDQUOT|EIO)$/;
const DATABASE = /^(08|53|57)\w{3}$|^(25006|25P0[23]|40001|40P01|55P03|58\w{3})$/;
const NETWORK = /^(ECONNREFUSED|ECONNRESET|ENOENT|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN|ENOTFOUND)$/;
/** Errors of the driver without a code. */
const DRIVER = /Connection terminated|not queryable|Query read timeout|Connection ended/i;
const POOL = 'timeout exceeded when trying to connect';

/** What an unexpected error comes from, for the log and the metrics. */
export function failureCauseOf(error: unknown): FailureCause {
  if (!(error instanceof Error)) return 'defect';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (DISK.test(code)) return 'disk';
  if (error.message.includes(POOL)) return 'pool';
  return DATABASE.test(code) || NETWORK.test(code) || DRIVER.test(error.message) ? 'database' : 'defect';
}

/** What a response without a noted cause comes from: undefined below 500. */
export function causeOfStatus(status: number): FailureCause | undefined {
  if (status < 500) return undefined;
  return status === 502 ? 'photo' : status === 503 ? 'busy' : 'defect';
}
