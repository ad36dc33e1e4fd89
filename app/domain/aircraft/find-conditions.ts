import type { SquawkState } from '#db/tables.ts';
import { MAX_SQUAWK_LABEL_CHARACTERS } from '#app/limits.ts';
import { type DueInspection, type DuePoint, excessText, type Standing, toDueItems } from '../inspections/due-point.ts';

export interface ConditionItem {
  kind: ConditionKind;
  id: number;
  name: string;
  /** Text such as 'Unsafe to fly', 'Overdue by 1.2 h', 'Deferral over by 2 days', 'Due in 3.4 h'. */
  text: string;
}

export interface UnfixedSquawk {
  id: number;
  text: string;
  unsafe: boolean;
  state: SquawkState;
  until: DuePoint | null;
}

/** Finds what a pilot should know of an aircraft that stands there, the gravest first. */
export function toConditionItems(
  squawks: UnfixedSquawk[],
  inspections: DueInspection[],
  standing: Standing,
): ConditionItem[] {
  const items = [
    ...squawks.flatMap((squawk) => conditionsOf(squawk, standing)),
    ...toDueItems(inspections, standing).flatMap(({ id, name, text, kind }) =>
      kind ? [{ kind, id, name, text }] : [],
    ),
  ];
  return CONDITION_KINDS.flatMap((kind) => items.filter((item) => item.kind === kind));
}

/** An administrator who defers an unsafe squawk has judged it, until the deferral has run out: then it is both. */
function conditionsOf({ id, text, unsafe, state, until }: UnfixedSquawk, standing: Standing): ConditionItem[] {
  const over = deferralOverText(until, standing);
  const name = shortened(text);
  return [
    ...(unsafe && (state === 'open' || over !== null)
      ? [{ kind: 'unsafe' as const, id, name, text: CONDITION_LABELS.unsafe }]
      : []),
    ...(over === null ? [] : [{ kind: 'deferral_over' as const, id, name, text: over }]),
  ];
}

/** Returns 'Deferral over by 28.5 h'; null before, and without a deferral. */
export function deferralOverText(until: DuePoint | null, standing: Standing): string | null {
  const excess = until && excessText(until, standing);
  return excess && `${CONDITION_LABELS.deferral_over} by ${excess}`;
}

function shortened(text: string): string {
  const characters = [...text.replace(/\s+/g, ' ')];
  if (characters.length <= MAX_SQUAWK_LABEL_CHARACTERS) return characters.join('');
  return `${characters.slice(0, MAX_SQUAWK_LABEL_CHARACTERS - 1).join('')}…`;
}

/** Kinds of condition, the gravest first. */
export const CONDITION_KINDS = ['unsafe', 'overdue', 'deferral_over', 'due_soon'] as const;
export type ConditionKind = (typeof CONDITION_KINDS)[number];

export const CONDITION_LABELS: Record<ConditionKind, string> = {
  unsafe: 'Unsafe to fly',
  overdue: 'Overdue',
  deferral_over: 'Deferral over',
  due_soon: 'Due soon',
};

/** Returns true for a condition that takes the place of 'Available' and asks for a tick at the check-out. */
export function isGrave(condition: ConditionKind | null): condition is Exclude<ConditionKind, 'due_soon'> {
  return condition !== null && condition !== 'due_soon';
}

const STATUS_LABELS = { maintenance: 'Maintenance', checked_out: 'Checked Out' };
type Status = keyof typeof STATUS_LABELS | null;

/** Returns ' [Checked Out]' where a badge has no place; '' for an aircraft that stands there. */
export function statusSuffix(status: Status, since = ''): string {
  return status === null ? '' : ` [${STATUS_LABELS[status]}${since}]`;
}

/** Returns ' [Unsafe to fly]', right behind a tail number, where a narrow select does not cut it off. */
export function conditionSuffix(condition: ConditionKind | null): string {
  return isGrave(condition) ? ` [${CONDITION_LABELS[condition]}]` : '';
}
