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

const ROLES = {
  administrator: { tone: 'default', word: 'Administrator' },
  instructor: { tone: 'secondary', word: 'Instructor' },
  student: { tone: 'outline', word: 'Student' },
} as const;

/** A user's role with a capital first letter, in the three styles of spec §6. */
export function RoleBadge({ role }: { role: keyof typeof ROLES }) {
  return <Badge tone={ROLES[role].tone}>{ROLES[role].word}</Badge>;
}

/** An aircraft's status: Available green, In Maintenance red, Checked Out yellow (spec §4); null means available. */
export function StatusBadge({ status }: { status: 'maintenance' | 'checked_out' | null }) {
  if (status === 'maintenance') return <Badge tone="maintenance">In Maintenance</Badge>;
  if (status === 'checked_out') return <Badge tone="checked-out">Checked Out</Badge>;
  return <Badge tone="available">Available</Badge>;
}
