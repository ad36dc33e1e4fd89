import { Link } from '#app/ui/link.tsx';
import { paths } from '#app/paths.ts';
import { Card, DateTime } from '#app/ui/elements.tsx';
import { Reading } from '../meters/reading.tsx';
import type { MeterHistoryRow } from './meter-history.server.ts';

const NAMES = { hobbs: 'Hobbs', tachometer: 'Tach' };
const WORDS = { 'new aircraft': 'new', replaced: 'replaced', 'rolled over': 'rolled over' };

export function MeterHistory({ rows }: { rows: MeterHistoryRow[] }) {
  return (
    <Card title="Meters before">
      {rows.length === 0 && <p>No meter was replaced or has rolled over.</p>}
      {rows.length > 0 && (
        <ul className="note-list">
          {rows.map((row) => (
            <li key={row.id}>
              <p>
                {NAMES[row.meter]} {WORDS[row.reason]}: <Reading value={row.oldLast} /> to{' '}
                <Reading value={row.newFirst} />
              </p>
              {row.remark !== '' && <p className="user-text">{row.remark}</p>}
              <p className="hint">
                {row.by}, <DateTime value={row.at} />
                {row.flightLogId !== null && (
                  <>
                    , <Link to={paths.flightPage(row.flightLogId)}>in flight {row.flightLogId}</Link>
                  </>
                )}
              </p>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
