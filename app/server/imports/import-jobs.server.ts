import { setTimeout as sleep } from 'node:timers/promises';
import { remainingWaitMs, waitForDatabase, withoutWaitingBudget } from '#db/waiting-budget.ts';
import { findRequested } from '#app/domain/imports/request-import.server.ts';
import { inTurn } from '#app/domain/turns/queues.server.ts';
import { runImport } from '#app/domain/imports/run-import.server.ts';
import { env } from '#app/env.server.ts';
import { db } from '../db.server.ts';
import { log } from '../log.server.ts';
import { importDb } from './import-db.server.ts';

interface Named {
  id: number;
  schoolId: number;
}

const running = new Map<number, Promise<void>>();

/** Does what was asked for of an import, once in this process; waits for it at most so long, and leaves the request time. */
export async function runImportFor(named: Named, milliseconds: number = env.DATABASE_WAIT_MS): Promise<void> {
  const work = running.get(named.id) ?? begin(named);
  // Half, so that the answer can still be read from the database.
  const limitMs = Math.min(milliseconds, remainingWaitMs(0) / 2);
  await waitForDatabase(0, () => Promise.race([work, sleep(limitMs, undefined, { ref: false })]));
}

/** Does what is asked for and not under way, as after the end of the process that had begun it. */
export async function runWaitingImports(): Promise<void> {
  for (const named of await findRequested(db)) await (running.get(named.id) ?? begin(named));
}

/** One import of a school at a time, so that none waits for another's lock. */
function begin(named: Named): Promise<void> {
  const run = () => runImport({ work: importDb, progress: db }, named);
  const work = withoutWaitingBudget(() => inTurn(`imports of school ${named.schoolId}`, run))
    .catch((error: unknown) => log.warn({ err: error, importId: named.id }, 'an import failed'))
    .finally(() => running.delete(named.id));
  running.set(named.id, work);
  return work;
}
