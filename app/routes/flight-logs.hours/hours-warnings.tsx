import { Link } from '#app/ui/link.tsx';
import { paths } from '#app/paths.ts';
import { DateTime, type DateTimeText } from '#app/ui/elements.tsx';

interface HoursWarningsProps {
  stuck: { id: number; aircraft: { id: number; tailNumber: string }; pilot: string; started: DateTimeText }[];
}

export function HoursWarnings({ stuck }: HoursWarningsProps) {
  if (stuck.length === 0) return null;
  return (
    <ul className="not-checked-in">
      {stuck.map(({ id, aircraft, pilot, started }) => (
        <li key={id} className="inline-note" data-tone="caution">
          Not checked in: <Link to={paths.flightPage(id)}>{aircraft.tailNumber}</Link>, {pilot}, since{' '}
          <DateTime value={started} />
        </li>
      ))}
    </ul>
  );
}
