import type { Role } from '#db/tables.ts';
import { Badge, type BadgeTone } from '#app/ui/badge.tsx';

const ROLE_BADGES: Record<Role, { tone: BadgeTone; label: string }> = {
  administrator: { tone: 'default', label: 'Administrator' },
  instructor: { tone: 'secondary', label: 'Instructor' },
  student: { tone: 'outline', label: 'Student' },
};

export function RoleBadge({ role }: { role: Role }) {
  const { tone, label } = ROLE_BADGES[role];
  return <Badge tone={tone}>{label}</Badge>;
}
