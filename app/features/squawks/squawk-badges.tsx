import { type SquawkState, STATE_LABELS } from '#app/domain/squawks/squawk-states.ts';
import { Badge, type BadgeTone } from '#app/ui/badge.tsx';

const TONES: Record<SquawkState, BadgeTone> = {
  open: 'medium',
  deferred: 'secondary',
  fixed: 'completed',
  withdrawn: 'outline',
};

export function SquawkBadges({ state, unsafe }: { state: SquawkState; unsafe: boolean }) {
  return (
    <span className="badge-list">
      {unsafe && <Badge tone="maintenance">Unsafe to fly</Badge>}
      <Badge tone={TONES[state]}>{STATE_LABELS[state]}</Badge>
    </span>
  );
}
