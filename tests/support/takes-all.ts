import { it } from 'vitest';

/** Whether the run is `npm run test:all`, and tries all of what `npm test` tries in part. */
export const takesAll = process.env.EVERY === 'yes';

/** A test that `npm run test:all` alone runs. */
export const nightly = it.runIf(takesAll);
