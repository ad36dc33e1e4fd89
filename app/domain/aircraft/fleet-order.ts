import { isGrave } from './find-conditions.ts';
import type { Aircraft } from './schema.server.ts';

export type StatusAndCondition = Pick<Aircraft, 'status' | 'condition'>;

const GRAVITY = ['unsafe', 'overdue', 'deferral_over', 'maintenance', 'checked_out', 'due_soon', 'free'] as const;

/** Sorts a fleet, the gravest first: as who runs it wants to read it. */
export function byGravity(one: StatusAndCondition, other: StatusAndCondition): number {
  return gravityOf(one) - gravityOf(other);
}

/** Sorts a fleet for who chooses an aircraft to fly: free ones, those that ask for a tick, then what cannot be had. */
export function byReadiness(one: StatusAndCondition, other: StatusAndCondition): number {
  return readinessOf(one) - readinessOf(other);
}

function gravityOf({ status, condition }: StatusAndCondition): number {
  const isGraver = isGrave(condition) || status === null;
  return GRAVITY.indexOf((isGraver ? condition : status) ?? 'free');
}

function readinessOf({ status, condition }: StatusAndCondition): number {
  if (status !== null) return GRAVITY.length;
  return isGrave(condition) ? GRAVITY.length - GRAVITY.indexOf(condition) - 1 : 0;
}
