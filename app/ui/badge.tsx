import type { ReactNode } from 'react';

export type BadgeTone =
  | 'available'
  | 'maintenance'
  | 'checked-out'
  | 'in-progress'
  | 'overdue'
  | 'completed'
  | 'high'
  | 'medium'
  | 'low'
  | 'default'
  | 'secondary'
  | 'outline';

/** Shows a state as a word, a shape and a colour, so that it never depends on colour alone. */
export function Badge({ tone, children }: { tone: BadgeTone; children: ReactNode }) {
  return (
    <span className="badge" data-tone={tone}>
      {children}
    </span>
  );
}
