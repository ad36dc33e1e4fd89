import { z } from 'zod';

const settings = z.object({
  NODE_ENV: z.enum(['development', 'test', 'production']).default('production'),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// address' }),
  APP_URL: z.url({ protocol: /^https?$/, error: 'must be an http:// or https:// address' }).default('http://localhost:3000'),
  SESSION_SECRET: z.string({ error: 'must be set' }).min(32, 'must have at least 32 characters'),
  PRODUCT_NAME: z.string().min(1).default('Flightline'),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  TRUST_PROXY: z.coerce.number().int().min(0).max(9).default(0),
});

/** The settings this process runs with; a missing or malformed one ends the boot with a sentence that names it. */
export const env = settings.parse(process.env);
