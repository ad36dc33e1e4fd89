import { DATABASE_RETRY_AFTER_SECONDS } from '#db/deadlines.ts';
import { type DatabaseTrouble, databaseTrouble } from '#db/database-trouble.ts';
import { AppError, type AppErrorCode } from '#app/domain/app-error.ts';
import { texts } from '#app/domain/texts.ts';
import { log } from './log.server.ts';
import { failureCauseOf } from './observability/failure-cause.ts';
import { noteCause, requestContext } from './observability/request-context.server.ts';

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

const TEXT_BY_TROUBLE: Record<DatabaseTrouble, string> = {
  unreachable: texts.databaseUnavailable,
  slow: texts.databaseSlow,
  locked: texts.databaseLocked,
  readOnly: texts.databaseReadOnly,
  full: texts.databaseFull,
  crowded: texts.databaseCrowded,
};

interface ErrorView {
  status: number;
  text: string;
  fields: Readonly<Record<string, string>>;
  headers: Readonly<Record<string, string>>;
}

/** Returns status, text and headers of an AppError. Other errors are logged and become `fallback` with 503 or 500. */
export function toErrorView(error: unknown, fallback: string = texts.unexpected): ErrorView {
  if (error instanceof AppError)
    return {
      status: STATUS_BY_CODE[error.code],
      text: error.message,
      fields: error.fields,
      headers: retryHeaders(
        error.retryAfterSeconds ?? (error.code === 'unavailable' ? DATABASE_RETRY_AFTER_SECONDS : undefined),
      ),
    };
  const cause = failureCauseOf(error);
  noteCause(cause);
  log.error({ err: error, cause }, 'a request failed');
  const trouble = databaseTrouble(error);
  if (!trouble) return { status: 500, text: fallback, fields: {}, headers: {} };
  const text = fallback === texts.unexpected ? TEXT_BY_TROUBLE[trouble] : fallback;
  return { status: 503, text, fields: {}, headers: retryHeaders(DATABASE_RETRY_AFTER_SECONDS) };
}

function retryHeaders(seconds: number | undefined): Record<string, string> {
  return seconds === undefined ? {} : { 'retry-after': String(seconds) };
}

/** Returns true if the user has to enter the password again first. */
export function isUnproved(error: unknown): boolean {
  return error instanceof AppError && error.code === 'unproved';
}

/** A part of a page that failed alone: its text, and the id of the request for the log. */
interface PartFailure {
  value: null;
  failure: string;
  reference?: string | undefined;
}

export async function loadOrFailure<Result>(
  work: Promise<Result>,
  failed: string,
): Promise<{ value: Result; failure: null } | PartFailure> {
  try {
    return { value: await work, failure: null };
  } catch (error) {
    return { value: null, failure: toErrorView(error, failed).text, reference: requestContext()?.reqId };
  }
}
