import type { ReactNode } from 'react';

/** Names and their values; null where there is nothing to say leaves the line out. */
export function DescriptionList({ items }: { items: { term: string; detail: ReactNode }[] }) {
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
