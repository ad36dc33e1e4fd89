/** The gravest first. */
export const CONDITION_KINDS = ['unsafe', 'overdue', 'deferral_over', 'due_soon'] as const;
export type ConditionKind = (typeof CONDITION_KINDS)[number];

export const CONDITION_LABELS: Record<ConditionKind, string> = {
  unsafe: 'Unsafe to fly',
  overdue: 'Overdue',
  deferral_over: 'Deferral over',
  due_soon: 'Due soon',
};

/** What stands where 'Available' would stand, and asks for a tick at the check-out. */
export function isGrave(condition: ConditionKind | null): condition is Exclude<ConditionKind, 'due_soon'> {
  return condition !== null && condition !== 'due_soon';
}

/** ' [Unsafe to fly]' right behind a tail number, where a narrow select does not cut it off. */
export function conditionSuffix(condition: ConditionKind | null): string {
  return isGrave(condition) ? ` [${CONDITION_LABELS[condition]}]` : '';
}
