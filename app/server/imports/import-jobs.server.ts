import { setTimeout as sleep } from 'node:timers/promises';
import { remainingWaitMs, waitForDatabase, withoutWaitingBudget } from '#db/waiting-budget.ts';
import { findRequested } from '#app/domain/imports/request-import.server.ts';
import { KeyedTurns } from '#app/domain/keyed-turns.server.ts';
import { runImport } from '#app/domain/imports/run-import.server.ts';
import { env } from '#app/env.server.ts';
import { db } from '../db.server.ts';
import { log } from '../log.server.ts';
import { importDb } from './import-db.server.ts';

interface Named {
  id: number;
  schoolId: number;
}

/** Runs one import of a school at a time, so that none waits for another's lock. */
const turns = new KeyedTurns();
const running = new Map<number, Promise<void>>();

/** Does the work asked for of an import, once in this process. The caller waits so long, and keeps time for an answer. */
export async function runImportFor(named: Named, milliseconds: number = env.DATABASE_WAIT_MS): Promise<void> {
  const work = running.get(named.id) ?? begin(named);
  // Half of the time is left, so that the answer can still be read from the database.
  const limitMs = Math.min(milliseconds, remainingWaitMs(0) / 2);
  await waitForDatabase(0, () => Promise.race([work, sleep(limitMs, undefined, { ref: false })]));
}

/** Does the work that is asked for and not under way, as after the end of the process that had begun it. */
export async function runWaitingImports(): Promise<void> {
  for (const named of await findRequested(db)) await (running.get(named.id) ?? begin(named));
}

function begin(named: Named): Promise<void> {
  const run = () => runImport({ work: importDb, progress: db }, named);
  const work = withoutWaitingBudget(() => turns.take(`school ${named.schoolId}`, run))
    .catch((error: unknown) => log.warn({ err: error, importId: named.id }, 'an import failed'))
    .finally(() => running.delete(named.id));
  running.set(named.id, work);
  return work;
}
