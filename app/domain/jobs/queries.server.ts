import { sql } from 'kysely';
import type { Db, Trx } from '#db/connect.server.ts';
import { FIRST_JOB_RETRY_SECONDS, GIVEN_UP_JOB_KEPT_DAYS, JOB_CLAIM_SECONDS } from '#app/limits.ts';
import { ago, fromNow, now } from '../database-clock.server.ts';
import type { Ending, Job, JobKind, JobWork } from './job.ts';

/** The jobs that this process may take now. */
export interface ClaimableJobs {
  kinds: readonly JobKind[];
  fullLanes: readonly number[];
}

/** Nothing is sent to a paused webhook. */
const isHeld = sql<boolean>`kind = 'delivery' and lane in (select id from webhooks where paused_at is not null)`;

/** Claims the job due longest for half a minute, skipping rows that other processes claim; a crash only delays it. */
export function claimJob(db: Db, { kinds, fullLanes }: ClaimableJobs): Promise<Job | undefined> {
  return claim(
    db,
    sql`
    select id from jobs
    where given_up_at is null and run_at <= now() and kind = any(${kinds}::text[])
      and lane <> all(${fullLanes}::integer[]) and not (${isHeld})
    order by run_at, id limit 1 for update skip locked`,
  );
}

/** Claims the job of one subject, whatever else is due. */
export function claimJobOf(db: Db, kind: JobKind, subjectId: number): Promise<Job | undefined> {
  return claim(
    db,
    sql`
    select id from jobs
    where given_up_at is null and run_at <= now() and kind = ${kind} and subject_id = ${subjectId}
    for update skip locked`,
  );
}

async function claim(db: Db, found: ReturnType<typeof sql>): Promise<Job | undefined> {
  const { rows } = await sql<Job>`
    update jobs set attempts = attempts + 1, run_at = ${claimEnd} where id = (${found})
    returning id, kind, subject_id as "subjectId", school_id as "schoolId", lane, attempts, now() as "claimedAt"`.execute(
    db,
  );
  return rows[0];
}

const claimEnd = fromNow(JOB_CLAIM_SECONDS, 'seconds');

/** Keeps jobs that are still worked on from other processes. */
export async function renewClaims(db: Db, jobs: readonly Job[]): Promise<void> {
  await sql`
    update jobs set run_at = ${claimEnd}
    from unnest(${jobs.map(({ id }) => id)}::integer[], ${jobs.map(({ attempts }) => attempts)}::integer[])
      as held (held_id, held_attempts)
    where id = held_id and attempts = held_attempts`.execute(db);
}

/** Ends a try. False where another process has taken the job over, unless this one has done it. */
export async function endTry(
  trx: Trx,
  { id, attempts }: Job,
  { outcome, notAfter, pauseSeconds = 0 }: Ending,
  { everySeconds, longestRetrySeconds }: JobWork,
): Promise<boolean> {
  if (outcome === 'done' && everySeconds === undefined) {
    const { numDeletedRows } = await trx.deleteFrom('jobs').where('id', '=', id).executeTakeFirst();
    return numDeletedRows > 0n;
  }
  const pause = Math.min(FIRST_JOB_RETRY_SECONDS * 2 ** (attempts - 1), longestRetrySeconds);
  const next = fromNow(everySeconds ?? 0, 'seconds');
  const columns = {
    done: { attempts: 0, run_at: next, due_at: next },
    failed: { run_at: sql<Date>`least(${fromNow(pause, 'seconds')}, ${notAfter ?? null}::timestamptz)` },
    'given up': { given_up_at: now },
    released: { attempts: attempts - 1, run_at: fromNow(pauseSeconds, 'seconds') },
  }[outcome];
  const { numUpdatedRows } = await trx
    .updateTable('jobs')
    .set(columns)
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Makes the jobs that come again and again, where they are not there yet. */
export async function insertRecurringJobs(db: Db, works: readonly JobWork[]): Promise<void> {
  for (const { kind, everySeconds } of works) {
    if (everySeconds === undefined) continue;
    const first = fromNow(everySeconds, 'seconds');
    const job = { kind, due_at: first, run_at: first };
    await db
      .insertInto('jobs')
      .values(job)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/** Has a job that waits tried at once. */
export async function hastenJob(trx: Trx, kind: JobKind, subjectId: number): Promise<void> {
  await trx
    .updateTable('jobs')
    .set({ run_at: now })
    .where('kind', '=', kind)
    .where('subject_id', '=', subjectId)
    .execute();
}

export interface Backlog {
  kind: JobKind;
  /** Due, whether or not they were tried. */
  waiting: number;
  /** Since the one that waits longest was due; 0 without one. */
  oldestSeconds: number;
  /** Within the last hour, for good. */
  givenUp: number;
}

/** Counts the jobs of each kind that has one. */
export async function findBacklogs(db: Db): Promise<Backlog[]> {
  const waits = sql<boolean>`given_up_at is null and due_at <= now() and not (${isHeld})`;
  const { rows } = await sql<Backlog>`
    select kind, count(*) filter (where ${waits})::integer as waiting,
      coalesce(extract(epoch from now() - min(due_at) filter (where ${waits})), 0)::float as "oldestSeconds",
      count(*) filter (where given_up_at > ${ago(1, 'hours')})::integer as "givenUp"
    from jobs group by kind`.execute(db);
  return rows;
}

/** Keeps a given-up job for a while, as a number; its subject tells what became of it. */
export async function deleteGivenUpJobs(db: Db): Promise<void> {
  await db.deleteFrom('jobs').where('given_up_at', '<', ago(GIVEN_UP_JOB_KEPT_DAYS, 'days')).execute();
}
