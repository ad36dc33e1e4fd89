import { pino } from 'pino';
import { eventOrigin } from '#app/domain/audit/event-origin.server.ts';
import { env } from '#app/env.server.ts';
import { requestContext } from './observability/request-context.server.ts';

/** Writes a JSON line per event with its request's id, as the activity has it; never a password, token or cookie. */
export const log = pino({
  level: env.LOG_LEVEL,
  base: undefined,
  mixin: () => {
    const reqId = eventOrigin()?.requestId ?? requestContext()?.reqId;
    return reqId === undefined ? {} : { reqId };
  },
});
