import {
  MAX_PENDING_PHOTOS,
  MAX_PENDING_PHOTOS_OF_SCHOOL,
  MAX_PENDING_PHOTOS_OF_USER,
  PHOTO_RETRY_S,
} from '#app/limits.ts';
import { PHOTO_WAIT_MS } from '#db/deadlines.ts';
import type { Member } from '../actor.ts';
import { AppError } from '../app-error.ts';
import { FairQueue } from '../fair-queue.server.ts';
import { KeyedCounter } from '../keyed-counter.ts';
import { texts } from '../texts.ts';

// The queue lets one photo be decoded while another is read.
const queue = new FairQueue(2);
const pendingByUser = new KeyedCounter<number>();

export function photosPending(): { running: number; waiting: number } {
  return { running: queue.running, waiting: queue.waiting };
}

/** Runs `work` in the school's turn. Throws 'tooMany' for the user's fourth photo, 'unavailable' past other limits. */
export async function takePhotoTurn<Result>({ id, schoolId }: Member, work: () => Promise<Result>): Promise<Result> {
  if (pendingByUser.of(id) >= MAX_PENDING_PHOTOS_OF_USER) {
    throw new AppError('tooMany', texts.ownPhotosWaiting).retryAfter(PHOTO_RETRY_S);
  }
  const school = String(schoolId);
  if (queue.pendingOf(school) >= MAX_PENDING_PHOTOS_OF_SCHOOL || queue.waiting >= MAX_PENDING_PHOTOS) {
    throw new AppError('unavailable', texts.tooManyPhotosWaiting).retryAfter(PHOTO_RETRY_S);
  }
  pendingByUser.increment(id);
  const tooLate = () => new AppError('unavailable', texts.tooManyPhotosWaiting).retryAfter(PHOTO_RETRY_S);
  try {
    return await queue.addWithin(PHOTO_WAIT_MS, school, work, tooLate);
  } finally {
    pendingByUser.decrement(id);
  }
}
