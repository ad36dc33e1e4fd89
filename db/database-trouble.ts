import { type Kysely, sql } from 'kysely';
import { DatabaseTimeoutError } from './waiting-budget.ts';

/** Reason why the database could not serve; none of them is a mistake of the request or of this program. */
export type DatabaseTrouble = 'unreachable' | 'slow' | 'locked' | 'readOnly' | 'full' | 'crowded';

export const READ_ONLY_CODE = '25006';

/** Refusal of a host that takes no writes, where the URL names several. */
export class ReadOnlyHostError extends Error {
  readonly code = READ_ONLY_CODE;

  constructor() {
    super('every host of the database is read-only');
  }
}

const BY_CODE: [DatabaseTrouble, RegExp][] = [
  ['readOnly', /^25006$/],
  ['slow', /^(57014|25P0[34])$/],
  ['locked', /^(55P03|40001|40P01)$/],
  ['crowded', /^53300$/],
  ['full', /^(53\d{3}|58030|ENOSPC|EDQUOT|EMFILE|ENFILE)$/],
  // An address that Postgres refuses reaches no database: a password was changed, a role or the database removed.
  ['unreachable', /^(57P0\d|08\w{3}|28000|28P01|3D000)$/],
  ['unreachable', /^(ECONN(REFUSED|RESET|ABORTED)|ETIMEDOUT|E(HOST|NET)(UNREACH|DOWN)|EAI_\w+|ENOTFOUND|EPIPE)$/],
];

const BY_MESSAGE: [DatabaseTrouble, RegExp][] = [
  ['crowded', /timeout exceeded when trying to connect/],
  ['slow', /Query read timeout/],
  [
    'unreachable',
    /Connection terminated|is not queryable|^timeout expired$|after calling end on the pool|driver has already|client password must be/,
  ],
];

/** Returns why the database could not serve; undefined for any other error, which is a defect. */
export function databaseTrouble(error: unknown): DatabaseTrouble | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof DatabaseTimeoutError) return 'slow';
  if (isTlsRefused(error)) return 'unreachable';
  const code = codeOf(error);
  if (code === 'ENOENT') return isFromConnecting(error) ? 'unreachable' : undefined;
  const found = code
    ? BY_CODE.find(([, pattern]) => pattern.test(code))
    : BY_MESSAGE.find(([, pattern]) => pattern.test(error.message));
  return found?.[0];
}

const DISK_FULL_CODES = new Set(['53100', 'ENOSPC', 'EDQUOT']);
const DISK_FULL_MESSAGE = /ENOSPC|EDQUOT|No space left on device|Disk quota exceeded/;

/** Returns true if the error or its cause is a full disk, in the words of Postgres, the system or a program. */
export function isDiskFull(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  return DISK_FULL_CODES.has(codeOf(error) ?? '') || DISK_FULL_MESSAGE.test(`${error.message} ${String(error.cause)}`);
}

const TLS_REFUSED_CODES = /^(ERR_TLS_CERT_ALTNAME_INVALID|CERT_\w+|(DEPTH_ZERO_)?SELF_SIGNED_CERT\w*|UNABLE_TO_\w+)$/;

/** Returns true if the server has no TLS where the address asks for it, or shows a certificate that does not prove it. */
export function isTlsRefused(error: Error): boolean {
  return TLS_REFUSED_CODES.test(codeOf(error) ?? '') || error.message === 'The server does not support SSL connections';
}

/** Returns true if the connection broke under a statement, so that another connection may serve. */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  if (code) return /^(57P0[1235]|25P0[34]|08\w{3}|ECONNRESET|EPIPE|25006)$/.test(code);
  return /Connection terminated|is not queryable/.test(error.message);
}

function codeOf(error: Error): string | undefined {
  return 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Tells a unix socket that is not there from a missing file. */
function isFromConnecting(error: Error): boolean {
  return 'syscall' in error && error.syscall === 'connect';
}

/** Returns true if the database takes no writes, as a standby or because it was set so. */
export async function isDatabaseReadOnly<Tables>(db: Kysely<Tables>): Promise<boolean> {
  const { rows } = await sql<{ readOnly: boolean }>`
    select current_setting('transaction_read_only')::boolean as "readOnly"`.execute(db);
  return rows[0]?.readOnly ?? false;
}
