import { pino, stdSerializers } from 'pino';
import { eventOrigin } from '#app/domain/audit/event-origin.server.ts';
import { env } from '#app/env.server.ts';
import { databaseTrouble } from '#db/database-trouble.ts';
import { requestContext } from './observability/request-context.server.ts';

/** Writes a JSON line per event with its request's id, as the activity has it; never a password, token or cookie. */
export const log = pino({
  level: env.LOG_LEVEL,
  base: undefined,
  serializers: { err: errorForLog },
  mixin: () => {
    const reqId = eventOrigin()?.requestId ?? requestContext()?.reqId;
    return reqId === undefined ? {} : { reqId };
  },
});

/** Leaves out the stack of a database that is away, or of another machine: it names no place that anybody could mend. */
export function errorForLog(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  if (databaseTrouble(error) !== 'unreachable') return stdSerializers.err(error);
  const errors = error instanceof AggregateError ? error.errors : [error];
  const message = errors.map((each) => (each instanceof Error ? each.message : String(each))).join(', ');
  return { type: error.name, message, ...('code' in error && { code: error.code }) };
}
