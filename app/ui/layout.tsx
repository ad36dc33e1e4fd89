import { Children, type ReactNode } from 'react';

/** Lays cards side by side: one column on a phone, two on a desk. */
export function Columns({ children }: { children: ReactNode }) {
  return <div className="columns">{children}</div>;
}

/** A list of like cards, as many in a row as fit: each child becomes a list item. */
export function CardList({ label, children }: { label?: string; children: ReactNode }) {
  return (
    <ul className="card-list" aria-label={label}>
      {Children.map(children, (child) => (child ? <li>{child}</li> : null))}
    </ul>
  );
}

/** Things below each other at the house's distance. */
export function Stack({ children }: { children: ReactNode }) {
  return <div className="stack">{children}</div>;
}

/** Buttons and links in a row; wraps on a phone. */
export function Actions({ children }: { children: ReactNode }) {
  return <div className="actions">{children}</div>;
}
