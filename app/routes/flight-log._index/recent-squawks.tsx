import { Card } from '#app/ui/card.tsx';
import { DateTime, type DateTimeText } from '#app/ui/date-time.tsx';

export interface Squawk {
  id: number;
  notes: string;
  by: string;
  on: DateTimeText | null;
}

export function RecentSquawks({ squawks }: { squawks: Squawk[] }) {
  return (
    <Card title="Recent squawks">
      {squawks.length === 0 ? (
        <p className="hint">None on the last five flights.</p>
      ) : (
        <ul className="note-list">
          {squawks.map(({ id, notes, by, on }) => (
            <li key={id}>
              <p className="user-text">{notes}</p>
              <p className="hint">
                {by}
                {on && ', '}
                {on && <DateTime value={on} />}
              </p>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
