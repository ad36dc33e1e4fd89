import { SquawkList } from '#app/features/squawks/squawk-list.tsx';
import type { SquawkView } from '#app/features/squawks/squawk-view.server.ts';
import { Card, DateTime, type DateTimeText } from '#app/ui/elements.tsx';

interface RecentNote {
  id: number;
  notes: string;
  by: string;
  on: DateTimeText | null;
}

export interface RecentSquawksProps {
  squawks: SquawkView[];
  recentNotes: RecentNote[];
  hasRecentNotes: boolean;
}

export function RecentSquawks({ squawks, recentNotes, hasRecentNotes }: RecentSquawksProps) {
  return (
    <Card title="Recent squawks">
      <SquawkList squawks={squawks} />
      {recentNotes.length > 0 && (
        <>
          {squawks.length > 0 && <h3>On the last five flights</h3>}
          <ul className="note-list">
            {recentNotes.map(({ id, notes, by, on }) => (
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
        </>
      )}
      {!hasRecentNotes && <p className="hint">None on the last five flights.</p>}
    </Card>
  );
}
