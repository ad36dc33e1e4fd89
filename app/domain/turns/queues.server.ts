import { availableParallelism } from 'node:os';
import {
  EXPORT_RETRY_S,
  HASHING_RETRY_S,
  MAX_EXPORTS_OF_SCHOOL,
  MAX_OPERATIONS_OF_SCHOOL,
  MAX_PENDING_PHOTOS,
  MAX_PENDING_PHOTOS_OF_SCHOOL,
  MAX_PENDING_PHOTOS_OF_WORK_STEP,
  MAX_PENDING_PHOTOS_OF_USER,
  MAX_PENDING_IMPORT_FILES,
  MAX_PENDING_IMPORT_FILES_OF_SCHOOL,
  MAX_WAITING_HASHINGS,
  PHOTO_RETRY_S,
  IMPORT_FILE_RETRY_S,
} from '#app/limits.ts';
import {
  DATABASE_RETRY_AFTER_SECONDS,
  HASHING_WAIT_MS,
  IMPORT_READER_WAIT_MS,
  PHOTO_STEP_WAIT_MS,
  PHOTO_WAIT_MS,
} from '#db/deadlines.ts';
import { countAsDatabaseWait, remainingWaitMs } from '#db/waiting-budget.ts';
import type { Member } from '../actor.ts';
import { importFileTexts } from '../imports/files/import-file-texts.ts';
import { texts } from '../texts.ts';
import { type QueueLevelLimits, Turns } from './turns.ts';

const photosWait = ['unavailable', texts.tooManyPhotosWaiting, PHOTO_RETRY_S] as const;

/** Lanes are schools, then users. One photo is decoded while another is read. */
export const photoQueue = new Turns(
  [
    { atOnce: 2, most: 2 + MAX_PENDING_PHOTOS, refusal: photosWait },
    { most: MAX_PENDING_PHOTOS_OF_SCHOOL, refusal: photosWait },
    { most: MAX_PENDING_PHOTOS_OF_USER, refusal: ['tooMany', texts.ownPhotosWaiting, PHOTO_RETRY_S] },
  ],
  { waitMs: PHOTO_WAIT_MS },
);

/** Runs the work on a photo of a user when it is the school's turn, and in the school the user's. */
export function runPhotoWorkInTurn<Result>({ id, schoolId }: Member, work: () => Promise<Result>): Promise<Result> {
  return photoQueue.run([String(schoolId), String(id)], work);
}

/** A step of that work, which has one thread or as much memory as one photo takes. Throws 'unavailable'. */
export function onePhotoStepAtATime<In, Out>(work: (input: In) => Promise<Out>): (input: In) => Promise<Out> {
  const level: QueueLevelLimits = { atOnce: 1, most: MAX_PENDING_PHOTOS_OF_WORK_STEP, refusal: photosWait };
  const queue = new Turns([level], { waitMs: PHOTO_STEP_WAIT_MS });
  return (input) => queue.run([], () => work(input));
}

const files: QueueLevelLimits = { refusal: ['unavailable', importFileTexts.filesWait, IMPORT_FILE_RETRY_S] };
const ownFiles: QueueLevelLimits = { refusal: ['unavailable', importFileTexts.ownFilesWait, IMPORT_FILE_RETRY_S] };

/** Lanes are schools. Each process that reads a file may take a gigabyte. */
export const importReaderQueue = newFileQueue();

/** Files with everything of a school: the ids in them are held in memory, and nobody's import waits for their proof. */
export const archiveProofQueue = newFileQueue();

function newFileQueue(): Turns {
  const levels = [
    { ...files, atOnce: 1, most: 1 + MAX_PENDING_IMPORT_FILES },
    { ...ownFiles, most: MAX_PENDING_IMPORT_FILES_OF_SCHOOL },
  ];
  return new Turns(levels, { waitMs: IMPORT_READER_WAIT_MS });
}

/** Lanes are schools; nobody waits. */
export const exportPlaces = new Turns(
  [{}, { most: MAX_EXPORTS_OF_SCHOOL, refusal: ['tooMany', texts.tooManyRequests, EXPORT_RETRY_S] }],
  { waitMs: 0 },
);

const locked: QueueLevelLimits = { refusal: ['unavailable', texts.databaseLocked, DATABASE_RETRY_AFTER_SECONDS] };

/** Lanes are what is changed. Who changes the same waits here, where waiting takes no connection, rather than for its row's lock. */
export const changeQueue = new Turns([locked, { atOnce: 1 }]);

/** Runs the changes of one thing one after the other. Throws 'unavailable' when the request may wait no longer for the database. */
export function runChangeInTurn<Result>(changed: string, work: () => Promise<Result>): Promise<Result> {
  return waitIn(changeQueue, changed, work);
}

/** Lanes are schools. Who waits for a lock keeps a connection, and those of other schools need some. */
const operationQueue = new Turns([locked, { atOnce: MAX_OPERATIONS_OF_SCHOOL }]);

/** Runs an operation beside a few others of its school; within `runChangeInTurn`, never around it. Throws as `runChangeInTurn` does. */
export function runSchoolOperationInTurn<Result>(school: string, work: () => Promise<Result>): Promise<Result> {
  return waitIn(operationQueue, school, work);
}

async function waitIn<Result>(queue: Turns, lane: string, work: () => Promise<Result>): Promise<Result> {
  const leave = await countAsDatabaseWait(() => queue.enter([lane], { waitMs: remainingWaitMs(0) }));
  try {
    return await work();
  } finally {
    leave();
  }
}

// One core stays free of others' hashes, for known devices and for all other requests.
const hashQueues = { known: newHashQueue(1), others: newHashQueue(Math.max(1, availableParallelism() - 1)) };

export interface HashSender {
  name: string;
  /** True if the user has signed in there before, and so need not wait for others. */
  isKnown?: boolean;
}

/** Runs the work on a password's hash when it is its sender's turn. Throws 'unavailable'. */
export function runHashingInTurn<Result>({ name, isKnown }: HashSender, work: () => Promise<Result>): Promise<Result> {
  // The first two groups of an address are mostly one provider's.
  const range = name.split(/[.:]/).slice(0, 2).join(' ');
  return hashQueues[isKnown ? 'known' : 'others'].run([range, name], work);
}

/** Each sender of a flood sends its next only after an answer, so nobody else is overtaken twice by the newest. */
function newHashQueue(atOnce: number): Turns {
  const refusal = ['unavailable', texts.tooManySignIns, HASHING_RETRY_S] as const;
  const level: QueueLevelLimits = { atOnce, most: atOnce + MAX_WAITING_HASHINGS, refusal };
  return new Turns([level], { waitMs: HASHING_WAIT_MS, isNewestFirst: true });
}
