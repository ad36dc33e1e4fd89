import { Badge } from '#app/ui/badge.tsx';

const ROLES = {
  administrator: { tone: 'default', word: 'Administrator' },
  instructor: { tone: 'secondary', word: 'Instructor' },
  student: { tone: 'outline', word: 'Student' },
} as const;

/** A user's role with a capital first letter, in the three styles of spec §6. */
export function RoleBadge({ role }: { role: keyof typeof ROLES }) {
  return <Badge tone={ROLES[role].tone}>{ROLES[role].word}</Badge>;
}
