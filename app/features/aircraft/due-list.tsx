import { DueText } from './aircraft-badge.tsx';
import type { DueView } from './due-view.ts';

interface DueListProps {
  items: DueView[];
  /** Number of items that are listed, all by default; the list says how many more there are. */
  limit?: number;
}

export function DueList({ items, limit = items.length }: DueListProps) {
  if (items.length === 0) return null;
  const hidden = items.length - limit;
  return (
    <ul className="due-list">
      {items.slice(0, limit).map((item) => (
        <li key={item.id}>
          <span>{item.name}</span> <DueText item={item} />
        </li>
      ))}
      {hidden > 0 && <li className="hint">{`and ${hidden} more`}</li>}
    </ul>
  );
}
