import { Link } from '#app/ui/link.tsx';
import { paths } from '#app/paths.ts';
import { Card } from '#app/ui/card.tsx';
import { DateTime, type DateTimeText } from '#app/ui/date-time.tsx';

interface Neighbour {
  id: number;
  started: DateTimeText;
  marks: string[];
}

interface NeighboursProps {
  previous: Neighbour | null;
  next: Neighbour | null;
}

export function Neighbours({ previous, next }: NeighboursProps) {
  return (
    <Card title="Flights before and after">
      <ul className="note-list">
        <li>
          <NeighbourLine label="Before" flight={previous} />
        </li>
        <li>
          <NeighbourLine label="After" flight={next} />
        </li>
      </ul>
    </Card>
  );
}

function NeighbourLine({ label, flight }: { label: string; flight: Neighbour | null }) {
  if (!flight) return <p>{`${label}: none`}</p>;
  return (
    <>
      <p>
        {label}: <Link to={paths.flightPage(flight.id)}>{`#${flight.id}`}</Link>, <DateTime value={flight.started} />
      </p>
      {flight.marks.length === 0 && <p className="hint">No gaps in the readings.</p>}
      {flight.marks.map((mark) => (
        <p key={mark} className="inline-note" data-tone="caution">
          {mark}
        </p>
      ))}
    </>
  );
}
