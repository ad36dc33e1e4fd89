import { Link } from '#app/ui/link.tsx';
import { paths } from '#app/paths.ts';
import { Badge } from '#app/ui/badge.tsx';
import { Card } from '#app/ui/card.tsx';
import { DateTime, type DateTimeText } from '#app/ui/date-time.tsx';

interface HoursWarningsProps {
  stuck: { id: number; aircraft: { id: number; tailNumber: string }; pilot: string; started: DateTimeText }[];
}

/** Warns of flights that keep the sums from being whole. */
export function HoursWarnings({ stuck }: HoursWarningsProps) {
  if (stuck.length === 0) return null;
  return (
    <Card title="Not checked in">
      <ul className="due-list">
        {stuck.map(({ id, aircraft, pilot, started }) => (
          <li key={id}>
            <span>
              <Link className="text-link" to={paths.flightPage(id)}>
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
  );
}
