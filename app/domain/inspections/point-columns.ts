import type { DuePoint } from './due-point.ts';

interface Columns {
  hobbs: string | null;
  tach: string | null;
  date: string | null;
}

/** Returns the point of the one column that is set; null if none is. */
export function toDuePoint({ hobbs, tach, date }: Columns): DuePoint | null {
  if (date !== null) return { at: 'date', value: date };
  if (hobbs !== null) return { at: 'hobbs', value: hobbs };
  return tach === null ? null : { at: 'tach', value: tach };
}

export function toPointColumns(point: DuePoint | null | undefined): Columns {
  const valueAt = (at: DuePoint['at']) => (point?.at === at ? point.value : null);
  return { hobbs: valueAt('hobbs'), tach: valueAt('tach'), date: valueAt('date') };
}
