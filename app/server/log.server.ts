import { pino } from 'pino';
import { env } from '#app/env.server.ts';

/** One JSON line per event, never a password, token or cookie. */
export const log = pino({ level: env.LOG_LEVEL, base: undefined });
