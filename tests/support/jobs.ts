import { sql } from 'kysely';
import type { Db } from '#db/connect.server.ts';
import type { Ending, Job, JobWork } from '#app/domain/jobs/job.ts';
import { claimJob } from '#app/domain/jobs/queries.server.ts';
import { runJob } from '#app/server/jobs/run-jobs.server.ts';

/** One try at the job that is due longest; what became of it, undefined without one. */
export async function runNextJob(db: Db, work: JobWork): Promise<(Partial<Ending> & { job: Job }) | undefined> {
  const job = await claimJob(db, { kinds: [work.kind], fullLanes: [] });
  return job && { job, ...(await runJob(db, work, job)) };
}

/** One try at each job that is due, one after another. */
export async function runDueJobs(db: Db, work: JobWork) {
  const tries = [];
  for (let next = await runNextJob(db, work); next; next = await runNextJob(db, work)) tries.push(next);
  return tries;
}

/** As if so much time had passed for all jobs. */
export async function passTime(db: Db, interval: string): Promise<void> {
  await sql`
    update jobs set run_at = run_at - ${interval}::interval, due_at = due_at - ${interval}::interval`.execute(db);
}
