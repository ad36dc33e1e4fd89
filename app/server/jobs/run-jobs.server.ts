import { setTimeout as sleep } from 'node:timers/promises';
import type { Db, Trx } from '#db/connect.server.ts';
import { inTransaction } from '#db/transaction.ts';
import { withoutWaitingBudget } from '#db/waiting-budget.ts';
import { endedTriesChannel, type Ending, type Job, type JobWork } from '#app/domain/jobs/job.ts';
import {
  claimJob,
  claimJobOf,
  endTry,
  insertRecurringJobs,
  renewClaims,
  type ClaimableJobs,
} from '#app/domain/jobs/queries.server.ts';
import { JOB_ERROR_DELAY_MS, JOB_POLL_INTERVAL_MS, JOB_RENEWAL_MS } from '#app/limits.ts';
import { log } from '../log.server.ts';

const running = new Map<Job, Promise<void>>();
/** Until it is over, nobody knows whether this process has a job. */
let claiming: Promise<unknown> = Promise.resolve();

/** Does the jobs that are due, as many at once as their kinds allow, until `stopping`; then waits for those begun. */
export async function runJobs(db: Db, works: readonly JobWork[], stopping: AbortSignal): Promise<void> {
  const worker = new Worker(db, works, stopping);
  while (!stopping.aborted) {
    const pause = await worker.startAllDue();
    // The next job begins as soon as an end makes room.
    await Promise.race([...running.values(), sleep(pause, undefined, { signal: stopping }).catch(() => {})]);
  }
  await Promise.all(running.values());
}

class Worker {
  #isPlanned = false;
  #isRead = true;
  #renewed = performance.now();

  constructor(
    private readonly db: Db,
    private readonly works: readonly JobWork[],
    private readonly stopping: AbortSignal,
  ) {}

  /** Returns the milliseconds to wait before the next look. */
  async startAllDue(): Promise<number> {
    try {
      if (!this.#isPlanned) await insertRecurringJobs(this.db, this.works);
      this.#isPlanned = true;
      await this.#renew();
      this.#noteRead();
      while (!this.stopping.aborted) {
        const due = claimJob(this.db, this.#room());
        claiming = due.catch(() => {});
        const job = await due;
        const work = this.works.find(({ kind }) => kind === job?.kind);
        if (!job || !work) break;
        start(this.db, work, job, this.stopping);
      }
      return JOB_POLL_INTERVAL_MS;
    } catch (error) {
      if (this.#isRead) log.warn({ err: error }, 'the jobs could not be read; they are tried until they can');
      this.#isRead = false;
      return JOB_ERROR_DELAY_MS;
    }
  }

  /** The first of many tries in vain is told, and the end of them. */
  #noteRead(): void {
    if (!this.#isRead) log.info('the jobs are read again');
    this.#isRead = true;
  }

  async #renew(): Promise<void> {
    if (performance.now() - this.#renewed < JOB_RENEWAL_MS) return;
    this.#renewed = performance.now();
    if (running.size > 0) await renewClaims(this.db, [...running.keys()]);
  }

  #room(): ClaimableJobs {
    const begun = [...running.keys()];
    const ofKind = (work: JobWork) => begun.filter(({ kind }) => kind === work.kind);
    const fullLanes = this.works.flatMap((work) => {
      const lanes = ofKind(work).map(({ lane }) => lane);
      return lanes.filter((lane) => lanes.filter((each) => each === lane).length >= (work.atOnceOfLane ?? Infinity));
    });
    return { kinds: this.works.filter((work) => ofKind(work).length < work.atOnce).map(({ kind }) => kind), fullLanes };
  }
}

const NEVER_STOPPING = new AbortController().signal;

/** Does the job of one subject at once, if it is due and nobody does it; ends when this process has done it. */
export async function runDueJobOfSubject(db: Db, work: JobWork, subjectId: number): Promise<void> {
  try {
    await claiming;
    if (!findRunning(work, subjectId)) {
      const job = await claimJobOf(db, work.kind, subjectId);
      if (job) withoutWaitingBudget(() => start(db, work, job, NEVER_STOPPING));
      else await claiming;
    }
    await findRunning(work, subjectId);
  } catch (error) {
    log.warn({ err: error, kind: work.kind, subjectId }, 'a job could not be begun; it will be done soon');
  }
}

function findRunning({ kind }: JobWork, subjectId: number): Promise<void> | undefined {
  return [...running].find(([job]) => job.kind === kind && job.subjectId === subjectId)?.[1];
}

function start(db: Db, work: JobWork, job: Job, stopping: AbortSignal): void {
  const ended = runJob(db, work, job, stopping).then(() => void running.delete(job));
  running.set(job, ended);
}

/** One try; what it came to, undefined where that does not count any more or could not be recorded. */
export async function runJob(
  db: Db,
  work: JobWork,
  job: Job,
  stopping: AbortSignal = NEVER_STOPPING,
): Promise<Ending | undefined> {
  const { kind, subjectId, attempts } = job;
  const about = { kind, attempts, ...(subjectId > 0 && { subjectId }) };
  try {
    const ending = await work.run(job, stopping).catch((error: unknown) => failed(error));
    const { outcome, says, details } = ending;
    if (says !== undefined) log[outcome === 'done' ? 'info' : 'warn']({ ...about, ...details }, says);
    const end = async (trx: Trx) => {
      await ending.record?.(trx);
      if (!(await endTry(trx, job, ending, work))) throw new TakenOverError();
    };
    await inTransaction(db, end, { isIdempotent: true });
    endedTriesChannel.publish({ kind, outcome });
    return ending;
  } catch (error) {
    if (!(error instanceof TakenOverError))
      log.warn({ err: error, ...about }, 'what became of a job could not be recorded');
    return undefined;
  }
}

class TakenOverError extends Error {}

function failed(error: unknown): Ending {
  return { outcome: 'failed', says: 'a job failed', details: { err: error } };
}
