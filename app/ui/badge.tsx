import type { ReactNode } from 'react';

export type BadgeTone =
  | 'available'
  | 'maintenance'
  | 'checked-out'
  | 'in-progress'
  | 'completed'
  | 'high'
  | 'medium'
  | 'low'
  | 'default'
  | 'secondary'
  | 'outline';

/** A state in a word, a shape and a colour, so that no one of them has to be seen: `<Badge tone="low">42%</Badge>`. */
export function Badge({ tone, children }: { tone: BadgeTone; children: ReactNode }) {
  return (
    <span className="badge" data-tone={tone}>
      {children}
    </span>
  );
}
