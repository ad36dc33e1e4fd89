import type { ReactNode } from 'react';
import { DueText } from './aircraft-badge.tsx';
import type { DueView } from './due-view.ts';

interface DueListProps {
  items: DueView[];
  /** All unless given; how many more there are is said. */
  limit?: number;
  actionFor?: (item: DueView) => ReactNode;
}

/** What is due, the most urgent first: on the fleet, the aircraft's page and at check-out. */
export function DueList({ items, limit = items.length, actionFor }: DueListProps) {
  if (items.length === 0) return null;
  const hidden = items.length - limit;
  return (
    <ul className="due-list">
      {items.slice(0, limit).map((item) => (
        <li key={item.id}>
          <span>{item.name}</span> <DueText item={item} />
          {actionFor?.(item)}
        </li>
      ))}
      {hidden > 0 && <li className="hint">{`and ${hidden} more`}</li>}
    </ul>
  );
}
