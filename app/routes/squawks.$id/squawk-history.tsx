import type { SquawkView } from '#app/features/squawks/squawk-view.server.ts';
import { Card, DateTime } from '#app/ui/elements.tsx';

export function SquawkHistory({ history }: { history: SquawkView['history'] }) {
  return (
    <Card title="History">
      <ol className="note-list">
        {history.map(({ what, until, remark, by, at }, index) => (
          <li key={index}>
            <p className="user-text">
              {[what, until].filter(Boolean).join(' ')}
              {remark && `: ${remark}`}
            </p>
            <p className="hint">
              {by}, <DateTime value={at} />
            </p>
          </li>
        ))}
      </ol>
    </Card>
  );
}
