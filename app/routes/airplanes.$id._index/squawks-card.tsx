import { Link } from '#app/ui/link.tsx';
import { SquawkList } from '#app/features/squawks/squawk-list.tsx';
import { paths } from '#app/paths.ts';
import { Card } from '#app/ui/card.tsx';
import type { AircraftPageData } from './aircraft-page.server.ts';

export function SquawksCard({ page: { aircraft, squawks, settledSquawks } }: { page: AircraftPageData }) {
  const isFolded = squawks.some(({ others }) => others.length > 0);
  return (
    <Card
      title="Squawks"
      badge={
        isFolded &&
        !aircraft.isRemoved && (
          <Link className="text-link" to={paths.maintenanceOf(aircraft.id)}>
            End alike ones together
          </Link>
        )
      }
    >
      {squawks.length === 0 && <p className="hint">None open.</p>}
      <SquawkList
        squawks={squawks}
        actionFor={({ id }) => <Others of={squawks.find((squawk) => squawk.id === id)?.others ?? []} />}
      />
      {settledSquawks.length > 0 && (
        <details className="squawk-history">
          <summary>Fixed and withdrawn</summary>
          <SquawkList squawks={settledSquawks} />
        </details>
      )}
    </Card>
  );
}

function Others({ of }: { of: { id: number; text: string }[] }) {
  if (of.length === 0) return null;
  return (
    <>
      <b>{`×${of.length + 1}`}</b>
      {of.map(({ id, text }) => (
        <Link key={id} className="text-link" to={paths.squawk(id)}>
          {text}
        </Link>
      ))}
    </>
  );
}
