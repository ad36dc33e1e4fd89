/** 'busy': a queue was full; 'pool': all connections were in use; 'photo': the reader gave no answer. */
export const FAILURE_CAUSES = ['database', 'pool', 'disk', 'photo', 'busy', 'defect'] as const;
export type FailureCause = (typeof FAILURE_CAUSES)[number];

const DISK = /^(53100|58030|ENOSPC|EDQUOT|EIO)$/;
const DATABASE = /^(08|53|57)\w{3}$|^(25006|25P0[2-4]|40001|40P01|55P03|58\w{3})$/;
const NETWORK = /^(ECONN(REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|E(HOST|NET)(UNREACH|DOWN)|EAI_\w+|ENOTFOUND)$/;
/** Errors of the driver without a code. */
const DRIVER =
  /Connection terminated|not queryable|read timeout|^timeout expired$|no answer within|no time left to wait/;
const NO_FILE_LEFT = /^(EMFILE|ENFILE)$/;
const POOL = 'timeout exceeded when trying to connect';

/** What an unexpected error comes from, for the log and the metrics. */
export function failureCauseOf(error: unknown): FailureCause {
  if (!(error instanceof Error)) return 'defect';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (DISK.test(code)) return 'disk';
  if (NO_FILE_LEFT.test(code)) return 'busy';
  if (error.message.includes(POOL)) return 'pool';
  // A socket that is not there, rather than a file.
  if (code === 'ENOENT') return 'syscall' in error && error.syscall === 'connect' ? 'database' : 'defect';
  return DATABASE.test(code) || NETWORK.test(code) || DRIVER.test(error.message) ? 'database' : 'defect';
}

/** What a response without a noted cause comes from: undefined below 500. */
export function causeOfStatus(status: number): FailureCause | undefined {
  if (status < 500) return undefined;
  return status === 502 ? 'photo' : status === 503 ? 'busy' : 'defect';
}
