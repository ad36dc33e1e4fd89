import { channel } from 'node:diagnostics_channel';
import type { Trx } from '#db/connect.server.ts';

/** All work that is not done within a request. */
export const JOB_KINDS = [
  ...(['mail', 'delivery', 'import', 'password link'] as const),
  ...(['reminders', 'removals', 'seals', 'clean-up'] as const),
];
export type JobKind = (typeof JOB_KINDS)[number];

/** A try at a job, claimed by this process. */
export interface Job {
  id: number;
  kind: JobKind;
  /** The id of the mail, delivery, import or request; 0 for work that comes again and again. */
  subjectId: number;
  /** Null of work for all schools. */
  schoolId: number | null;
  /** The webhook, if it is a delivery. */
  lane: number;
  attempts: number;
  claimedAt: Date;
}

/** How a kind of job is done. */
export interface JobWork {
  kind: JobKind;
  /** The most that one process does at once. */
  atOnce: number;
  atOnceOfLane?: number;
  /** After 5 seconds, then twice as long each time, at most so long. */
  longestRetrySeconds: number;
  /** Comes again so long after it was done. */
  everySeconds?: number;
  /** Runs outside of any transaction. An error that it throws fails the try. */
  run(job: Job, stopping: AbortSignal): Promise<Ending>;
}

/** Done; failed, and to be tried again; given up for good; or given back untried, as at a shutdown. */
export const TRY_OUTCOMES = ['done', 'failed', 'given up', 'released'] as const;
type Outcome = (typeof TRY_OUTCOMES)[number];

/** The outcome of a try. */
export interface Ending {
  outcome: Outcome;
  /** Writes it where it is read, in the transaction that ends the try; undone where another process took the job over. */
  record?: (trx: Trx) => Promise<void>;
  /** The last moment at which a failed one is tried again. */
  notAfter?: Date;
  /** Before one that was given back is taken again. */
  pauseSeconds?: number;
  says?: string;
  details?: object;
}

/** Told the kind and outcome of each try. */
export const endedTriesChannel = channel('flightline:ended-tries');
