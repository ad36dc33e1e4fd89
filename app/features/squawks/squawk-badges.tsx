import { type SquawkState, SQUAWK_STATE_LABELS } from '#app/domain/squawks/squawk-states.ts';
import { ConditionBadge } from '#app/features/aircraft/aircraft-badge.tsx';
import { Badge, type BadgeTone } from '#app/ui/elements.tsx';

const TONES: Record<SquawkState, BadgeTone> = {
  open: 'medium',
  deferred: 'secondary',
  fixed: 'completed',
  withdrawn: 'outline',
};

export function SquawkStateBadge({ state }: { state: SquawkState }) {
  return <Badge tone={TONES[state]}>{SQUAWK_STATE_LABELS[state]}</Badge>;
}

interface SquawkBadgesProps {
  state: SquawkState;
  unsafe: boolean;
  /** Text such as 'Deferral over by 28.5 h'. */
  deferralOver: string | null;
}

export function SquawkBadges({ state, unsafe, deferralOver }: SquawkBadgesProps) {
  return (
    <span className="badge-list">
      {unsafe && <ConditionBadge kind="unsafe" />}
      {deferralOver ? (
        <ConditionBadge kind="deferral_over">{deferralOver}</ConditionBadge>
      ) : (
        <SquawkStateBadge state={state} />
      )}
    </span>
  );
}
