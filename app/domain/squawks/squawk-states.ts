import type { SquawkState } from '#db/tables.ts';
import { SQUAWK_WITHDRAWAL_HOURS } from '#app/limits.ts';

export type { SquawkState };

export const SQUAWK_STATES = ['open', 'deferred', 'fixed', 'withdrawn'] as const satisfies SquawkState[];

export const SQUAWK_STATE_LABELS: Record<SquawkState, string> = {
  open: 'Open',
  deferred: 'Deferred',
  fixed: 'Fixed',
  withdrawn: 'Withdrawn',
};

/** States of squawks that the next check-out shows. */
export const UNFIXED_STATES: readonly SquawkState[] = ['open', 'deferred'];

/** Returns true while the user who reported a squawk may withdraw it. */
export function canStillWithdrawSquawk(createdAt: string | Date, now = Date.now()): boolean {
  return now - new Date(createdAt).getTime() <= SQUAWK_WITHDRAWAL_HOURS * 3_600_000;
}
