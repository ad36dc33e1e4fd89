import { StatusForm } from '#app/features/aircraft/status-form.tsx';
import { SquawkList } from '#app/features/squawks/squawk-list.tsx';
import type { SquawkView } from '#app/features/squawks/squawk-view.server.ts';
import { paths } from '#app/paths.ts';
import { ButtonLink } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import type { AircraftPageData } from './page-data.ts';

export function SquawksCard({ page }: { page: AircraftPageData }) {
  const { aircraft, squawks, settledSquawks, canSetStatus, requestId } = page;
  const canGround = canSetStatus && aircraft.status !== 'maintenance' && !aircraft.groundedOnReturn;
  const groundFor = ({ by }: SquawkView) => (
    <StatusForm
      aircraftId={aircraft.id}
      requestId={requestId}
      intent="set-maintenance"
      labelSuffix={`for the squawk of ${by}`}
    />
  );
  return (
    <Card
      title="Squawks"
      actions={!aircraft.isRemoved && <ButtonLink to={paths.addSquawk(aircraft.id)}>Add Squawk</ButtonLink>}
    >
      {squawks.length === 0 && <p className="hint">None open.</p>}
      <SquawkList squawks={squawks} {...(canGround && { actionFor: groundFor })} />
      {settledSquawks.length > 0 && (
        <details className="squawk-history">
          <summary>Fixed and withdrawn</summary>
          <SquawkList squawks={settledSquawks} />
        </details>
      )}
    </Card>
  );
}
