import { Link } from '#app/ui/link.tsx';
import type { DueItem } from '#app/domain/inspections/due-items.ts';
import { DueText } from '#app/features/aircraft/aircraft-badge.tsx';
import { paths } from '#app/paths.ts';
import { Badge } from '#app/ui/badge.tsx';
import { Card } from '#app/ui/card.tsx';
import { DateTime, type DateTimeText } from '#app/ui/date-time.tsx';

interface HoursWarningsProps {
  stuck: { id: number; aircraft: { id: number; tailNumber: string }; pilot: string; started: DateTimeText }[];
  due: { id: number; aircraftId: number; tailNumber: string; name: string; text: string; kind: DueItem['kind'] }[];
}

/** Warns of flights that keep the sums from being whole, and of work that keeps aircraft on the ground. */
export function HoursWarnings({ stuck, due }: HoursWarningsProps) {
  if (stuck.length === 0 && due.length === 0) return null;
  return (
    <div className="hours-warnings">
      {stuck.length > 0 && (
        <Card title="Not checked in">
          <ul className="due-list">
            {stuck.map(({ id, aircraft, pilot, started }) => (
              <li key={id}>
                <span>
                  <Link className="text-link" to={paths.flightLog(id)}>
                    {aircraft.tailNumber}
                  </Link>
                  {`, ${pilot}`}
                </span>
                <Badge tone="maintenance">
                  <span>
                    since <DateTime value={started} />
                  </span>
                </Badge>
              </li>
            ))}
          </ul>
        </Card>
      )}
      {due.length > 0 && (
        <Card title="Due first">
          <ul className="due-list">
            {due.map(({ id, aircraftId, tailNumber, name, ...item }) => (
              <li key={id}>
                <span>
                  <Link className="text-link" to={paths.aircraft(aircraftId)}>
                    {tailNumber}
                  </Link>
                  {`, ${name}`}
                </span>
                <DueText item={item} />
              </li>
            ))}
          </ul>
        </Card>
      )}
    </div>
  );
}
