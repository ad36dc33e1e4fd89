/** Processor time of the product's process, as a multiple of the peer's in the same rounds. */
export const PEER_LIMITS = {
  'page of 50 rows': { 'Next.js': 0.4, 'Fastify + EJS': 2 },
  'JSON, 50 flights': { 'Express + pg': 1.3 },
  'JSON, 20 aircraft': { 'Express + pg': 1.3 },
  'JSON, 200 users': { 'Express + pg': 1.3 },
  '/healthz': { 'node:http': 4 },
} as const;

/** Limit for the difference between runs; no ratio holds above it. */
export const MAX_SPREAD = 0.1;

/** Processor time at a million flights, process and Postgres together, as a multiple of that at a thousand. */
export const MAX_GROWTH = 1.3;
export const MAX_FLIGHT_DETAILS_STATEMENTS = 5;
export const MAX_DETAILS_POSTGRES_MS = 3;
