import type { DueItem } from '#app/domain/inspections/due-point.ts';

export type DueView = Pick<DueItem, 'id' | 'name' | 'text' | 'kind'>;

export function toDueView({ id, name, text, kind }: DueItem): DueView {
  return { id, name, text, kind };
}
