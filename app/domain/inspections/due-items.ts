import { type DuePoint, dueText, isReached, isSoon, type Standing, urgency } from './due-point.ts';

export interface Due {
  id: number;
  name: string;
  due: DuePoint;
}

export interface DueItem extends Due {
  /** Text such as 'Due in 3.4 h', 'Overdue by 1.2 h', 'Due on 3 Dec'. */
  text: string;
  kind: 'overdue' | 'due_soon' | null;
}

/** Puts inspections into words, the most urgent first. */
export function toDueItems<Item extends Due>(inspections: Item[], standing: Standing): (Item & DueItem)[] {
  return inspections
    .toSorted((a, b) => urgency(a.due, standing) - urgency(b.due, standing) || a.id - b.id)
    .map((inspection) => ({
      ...inspection,
      text: dueText(inspection.due, standing),
      kind: kindOf(inspection.due, standing),
    }));
}

function kindOf(due: DuePoint, standing: Standing): DueItem['kind'] {
  if (isReached(due, standing)) return 'overdue';
  return isSoon(due, standing) ? 'due_soon' : null;
}
