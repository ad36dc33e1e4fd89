import { Children, type ReactNode } from 'react';

/** Lays out one column on a phone, two on a wide screen. */
export function Columns({ children }: { children: ReactNode }) {
  return <div className="columns">{children}</div>;
}

/** A responsive grid of cards: each child becomes a list item. */
export function CardList({ children }: { children: ReactNode }) {
  return (
    <ul className="card-list">
      {Children.map(children, (child) => (
        <li>{child}</li>
      ))}
    </ul>
  );
}

export function Stack({ children }: { children: ReactNode }) {
  return <div className="stack">{children}</div>;
}

export function Actions({ children }: { children: ReactNode }) {
  return <div className="actions">{children}</div>;
}
