import { Link } from '#app/ui/link.tsx';
import { DueText } from '#app/features/aircraft/aircraft-badge.tsx';
import { paths } from '#app/paths.ts';
import { ButtonLink } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import type { AircraftPageData } from './page-data.ts';

export function DueCard({ page: { aircraft, due, canManageInspections } }: { page: AircraftPageData }) {
  const toAdd = canManageInspections && <ButtonLink to={paths.addInspection(aircraft.id)}>Add Inspection</ButtonLink>;
  return (
    <Card title="Due" actions={toAdd}>
      {due.length === 0 && <p className="hint">Nothing is due.</p>}
      {due.length > 0 && (
        <ul className="note-list">
          {due.map(({ id, name, every, lastDone, ...item }) => (
            <li key={id}>
              <p className="due-line">
                <strong>{name}</strong> <DueText item={item} />
              </p>
              <p className="hint user-text">{[every, lastDone].filter(Boolean).join('. ')}</p>
              {canManageInspections && (
                <Link className="text-link" to={paths.inspection(id)}>
                  Done or change<span className="visually-hidden">{` for ${name}`}</span>
                </Link>
              )}
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
