import { paths } from '#app/paths.ts';
import { Button } from '#app/ui/elements.tsx';
import { ActForm } from '#app/ui/forms/form.tsx';

interface StatusFormProps {
  aircraftId: number;
  requestId: string;
  intent: 'set-maintenance' | 'mark-available';
  /** Words that complete the label for screen readers. */
  labelSuffix?: string;
}

const LABELS = { 'set-maintenance': 'Set to Maintenance', 'mark-available': 'Mark as Available' };

export function StatusForm({ aircraftId, requestId, intent, labelSuffix }: StatusFormProps) {
  return (
    <ActForm action={paths.aircraftAction(aircraftId)} preventScrollReset requestId={requestId}>
      <Button name="intent" value={intent}>
        {LABELS[intent]}
        {labelSuffix && <span className="visually-hidden"> {labelSuffix}</span>}
      </Button>
    </ActForm>
  );
}
