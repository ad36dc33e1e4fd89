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

/** Returns ' [Unsafe to fly]', right behind a tail number, where a narrow select does not cut it off. */
export function conditionSuffix(condition: ConditionKind | null): string {
  return isGrave(condition) ? ` [${CONDITION_LABELS[condition]}]` : '';
}
