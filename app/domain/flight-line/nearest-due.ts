import { type DuePoint, dueText, isReached, type Standing, urgency } from '../inspections/due-point.ts';

export interface NearestDue {
  name: string;
  /** 'Due in 3.4 h', 'Overdue by 1.2 h', 'Due on 3 Dec' */
  text: string;
  isOverdue: boolean;
}

/** What is overdue or due next; null where nothing is due. */
export function nearestDue(inspections: { name: string; due: DuePoint }[], standing: Standing): NearestDue | null {
  const [first] = inspections.toSorted(
    (a, b) =>
      Number(isReached(b.due, standing)) - Number(isReached(a.due, standing)) ||
      urgency(a.due, standing) - urgency(b.due, standing),
  );
  if (!first) return null;
  return { name: first.name, text: dueText(first.due, standing), isOverdue: isReached(first.due, standing) };
}
