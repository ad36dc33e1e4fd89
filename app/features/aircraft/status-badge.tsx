import { Badge } from '#app/ui/badge.tsx';

/** An aircraft's status: Available green, In Maintenance red, Checked Out yellow (spec §4); null means available. */
export function StatusBadge({ status }: { status: 'maintenance' | 'checked_out' | null }) {
  if (status === 'maintenance') return <Badge tone="maintenance">In Maintenance</Badge>;
  if (status === 'checked_out') return <Badge tone="checked-out">Checked Out</Badge>;
  return <Badge tone="available">Available</Badge>;
}
