import type { ReactNode } from 'react';
import { CONDITION_LABELS, type ConditionKind, isGrave } from '#app/domain/aircraft/find-conditions.ts';
import type { Aircraft } from '#app/domain/aircraft/schema.server.ts';
import { Badge } from '#app/ui/elements.tsx';

/** Stands here and not beside the labels of conditions, which screens without an aircraft load, too. */
export const GROUNDED_ON_RETURN = 'Maintenance on return';

interface AircraftBadgeProps extends Pick<Aircraft, 'status' | 'condition'> {
  isOverdue?: boolean;
}

/** Shows an aircraft's state wherever it is named; a grave condition takes the place of 'Available'. */
export function AircraftBadge({ status, condition, isOverdue = false }: AircraftBadgeProps) {
  if (status === 'maintenance') return <Badge tone="maintenance">In Maintenance</Badge>;
  if (status === 'checked_out') return <Badge tone={isOverdue ? 'overdue' : 'checked-out'}>Checked Out</Badge>;
  return isGrave(condition) ? <ConditionBadge kind={condition} /> : <Badge tone="available">Available</Badge>;
}

export function AircraftBadges({ status, condition }: Pick<Aircraft, 'status' | 'condition'>) {
  const isSaid = condition === null || (status === null && isGrave(condition));
  return (
    <span className="badge-list">
      <AircraftBadge status={status} condition={condition} />
      {!isSaid && <ConditionBadge kind={condition} />}
    </span>
  );
}

export function ConditionBadge({
  kind,
  children = CONDITION_LABELS[kind],
}: {
  kind: ConditionKind;
  children?: ReactNode;
}) {
  return <Badge tone={isGrave(kind) ? 'maintenance' : 'medium'}>{children}</Badge>;
}

export function DueText({ item: { kind, text } }: { item: { kind: ConditionKind | null; text: string } }) {
  return kind ? <ConditionBadge kind={kind}>{text}</ConditionBadge> : <span>{text}</span>;
}
