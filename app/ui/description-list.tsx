import type { ReactNode } from 'react';

export interface DescriptionItem {
  term: string;
  /** Null leaves the item out. */
  detail: ReactNode;
}

export function DescriptionList({ items }: { items: DescriptionItem[] }) {
  return (
    <dl className="description-list">
      {items
        .filter(({ detail }) => detail !== null)
        .map(({ term, detail }) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{detail}</dd>
          </div>
        ))}
    </dl>
  );
}
