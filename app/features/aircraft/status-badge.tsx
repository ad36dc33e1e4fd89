import { Badge } from '#app/ui/badge.tsx';

/** Null: available. */
export function StatusBadge({ status }: { status: 'maintenance' | 'checked_out' | null }) {
  if (status === 'maintenance') return <Badge tone="maintenance">In Maintenance</Badge>;
  if (status === 'checked_out') return <Badge tone="checked-out">Checked Out</Badge>;
  return <Badge tone="available">Available</Badge>;
}
