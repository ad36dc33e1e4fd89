import { AppError, type AppErrorCode } from '#app/domain/app-error.ts';
import { texts } from '#app/domain/texts.ts';
import { log } from './log.server.ts';
import { failureCauseOf } from './observability/failure-cause.ts';
import { noteCause } from './observability/request-context.server.ts';

const STATUS_BY_CODE: Record<AppErrorCode, number> = {
  invalid: 400,
  unauthorized: 401,
  forbidden: 403,
  unproved: 403,
  notFound: 404,
  conflict: 409,
  tooLarge: 413,
  unsupported: 415,
  mismatch: 422,
  tooMany: 429,
  badGateway: 502,
  unavailable: 503,
};

// Down, starting, stopping, full or slower than the statement timeout.
const DATABASE_UNAVAILABLE = /^(ECONNREFUSED|ECONNRESET|ENOENT|EPIPE|57014|57P0[1-3]|53\d{3}|08\d{3})$/;

export interface ErrorView {
  status: number;
  text: string;
  fields: Readonly<Record<string, string>>;
  headers: Readonly<Record<string, string>>;
}

const NOTHING_MORE = { fields: {}, headers: {} };

/** Status, text and headers of an AppError; any other error is logged and becomes `fallback` with 503 or 500. */
export function toErrorView(error: unknown, fallback: string = texts.unexpected): ErrorView {
  if (error instanceof AppError)
    return {
      status: STATUS_BY_CODE[error.code],
      text: error.message,
      fields: error.fields,
      headers: error.retryAfterSeconds === undefined ? {} : { 'retry-after': String(error.retryAfterSeconds) },
    };
  const cause = failureCauseOf(error);
  noteCause(cause);
  log.error({ err: error, cause }, 'a request failed');
  return isDatabaseUnavailable(error)
    ? { status: 503, text: fallback === texts.unexpected ? texts.databaseUnavailable : fallback, ...NOTHING_MORE }
    : { status: 500, text: fallback, ...NOTHING_MORE };
}

/** Whether the user is to enter the password again first. */
export function isUnproved(error: unknown): boolean {
  return error instanceof AppError && error.code === 'unproved';
}

function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('code' in error && typeof error.code === 'string' && DATABASE_UNAVAILABLE.test(error.code)) return true;
  return /timeout exceeded when trying to connect|Connection terminated/.test(error.message);
}
