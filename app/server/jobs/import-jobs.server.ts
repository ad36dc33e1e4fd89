import { setTimeout as sleep } from 'node:timers/promises';
import { remainingWaitMs, waitWithinBudget } from '#db/waiting-budget.ts';
import { connect } from '#db/connect.server.ts';
import { IMPORT_LOCK_WAIT_MS, IMPORT_STATEMENT_MS } from '#db/deadlines.ts';
import type { JobWork } from '#app/domain/jobs/job.ts';
import { runChangeInTurn } from '#app/domain/turns/queues.server.ts';
import { runRequestedWork } from '#app/domain/imports/run-import.server.ts';
import { env } from '#app/env.server.ts';
import { IMPORT_CONNECTIONS, MAX_IMPORT_RETRY_SECONDS } from '#app/limits.ts';
import { db } from '../db.server.ts';
import { runDueJobOfSubject } from './run-jobs.server.ts';
import { log } from '../log.server.ts';
import { onShutdown } from '../remix-serve/shutdown.server.ts';

export const importJob: JobWork = {
  ...{ kind: 'import', atOnce: IMPORT_CONNECTIONS, longestRetrySeconds: MAX_IMPORT_RETRY_SECONDS },
  run({ subjectId, schoolId, attempts }) {
    const named = { id: subjectId, schoolId: schoolId ?? 0 };
    // One import of a school at a time, so that none waits for another's lock.
    return runChangeInTurn(`imports of school ${schoolId}`, () =>
      runRequestedWork({ work: importDb, progress: db }, named, attempts),
    );
  },
};

/** Does what was asked for of an import at once; waits for it at most so long, and leaves the request time. */
export async function runImportWithin(id: number, milliseconds: number = env.DATABASE_WAIT_MS): Promise<void> {
  // Half, so that the answer can still be read from the database.
  const limitMs = Math.min(milliseconds, remainingWaitMs(0) / 2);
  const work = runDueJobOfSubject(db, importJob, id);
  await waitWithinBudget(0, () => Promise.race([work, sleep(limitMs, undefined, { ref: false })]));
}

/** Connections of their own, so that long imports leave pages theirs. */
export const importDb = connect(env.DATABASE_URL, {
  max: IMPORT_CONNECTIONS,
  statementTimeoutMs: IMPORT_STATEMENT_MS,
  lockTimeoutMs: IMPORT_LOCK_WAIT_MS,
  poolWaitMs: IMPORT_STATEMENT_MS,
  // A large file is read and proven between two statements.
  idleInTransactionMs: IMPORT_STATEMENT_MS,
  onConnectionError: (error) => log.warn({ err: error, reqId: undefined }, 'a database connection broke'),
});

onShutdown('pools', () => importDb.destroy());
