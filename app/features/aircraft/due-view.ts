import { intervalText } from '#app/domain/inspections/interval.ts';
import type { DueItem } from '#app/domain/inspections/queries.server.ts';

export interface DueView {
  id: number;
  name: string;
  /** 'Due in 3.4 h', 'Overdue by 1.2 h', 'Due on 3 Dec' */
  text: string;
  isOverdue: boolean;
  /** 'every 100 h'; null: due once. */
  every: string | null;
}

export function toDueView({ id, name, text, isOverdue, interval }: DueItem): DueView {
  return { id, name, text, isOverdue, every: interval && `every ${intervalText(interval)}` };
}
