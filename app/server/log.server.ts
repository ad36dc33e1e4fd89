import { pino } from 'pino';
import { env } from '#app/env.server.ts';

/** The process's log: one JSON line an event, never a password, token or cookie. */
export const log = pino({ level: env.LOG_LEVEL, base: undefined });
