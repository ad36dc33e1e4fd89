import type { Role } from '#db/roles.ts';
import { ROLE_DEFINITIONS } from '#app/domain/roles.ts';
import { Badge } from '#app/ui/elements.tsx';

export function RoleBadge({ role }: { role: Role }) {
  const { text, tone } = ROLE_DEFINITIONS[role].badge;
  return <Badge tone={tone}>{text}</Badge>;
}
