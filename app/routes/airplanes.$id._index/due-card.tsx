import { Link } from '#app/ui/link.tsx';
import { DueText } from '#app/features/aircraft/aircraft-badge.tsx';
import { Gauge } from '#app/features/inspections/gauge.tsx';
import { paths } from '#app/paths.ts';
import { Card } from '#app/ui/card.tsx';
import type { AircraftPageData } from './aircraft-page.server.ts';

export function DueCard({ page: { aircraft, due, canManageInspections } }: { page: AircraftPageData }) {
  const toAdd = canManageInspections && (
    <Link className="text-link" to={paths.addInspection(aircraft.id)}>
      Add Inspection
    </Link>
  );
  return (
    <Card title="Due" badge={toAdd}>
      {due.length === 0 && <p className="hint">Nothing is due.</p>}
      {due.length > 0 && (
        <ul className="note-list">
          {due.map(({ id, name, every, lastDone, used, ...item }) => (
            <li key={id}>
              <p className="due-line">
                <strong>{canManageInspections ? <DueLink id={id} name={name} /> : name}</strong> <DueText item={item} />
              </p>
              {used !== null && <Gauge used={used} label={`${Math.round(used * 100)} % of the interval used`} />}
              <p className="hint user-text">{[every, lastDone].filter(Boolean).join('. ')}</p>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function DueLink({ id, name }: { id: number; name: string }) {
  return (
    <Link className="text-link" to={paths.inspection(id)}>
      {name}
      <span className="visually-hidden">: done or change</span>
    </Link>
  );
}
