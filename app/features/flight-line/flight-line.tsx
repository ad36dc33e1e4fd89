import { Link } from '#app/ui/link.tsx';
import { TAPE_FIRST_HOUR, TAPE_LAST_HOUR } from '#app/limits.ts';
import { paths } from '#app/paths.ts';
import { DateTime } from '#app/ui/elements.tsx';
import type { FlightLineAircraft, FlightLineView } from './flight-line-view.server.ts';
import { FlightLineRow } from './flight-line-row.tsx';

interface FlightLineProps {
  line: FlightLineView;
  /** Those of the line that stand nowhere else on the page. */
  rows?: FlightLineAircraft[];
  /** 'large' is for the screen behind the counter, which shows nothing else. */
  size?: 'normal' | 'large';
}

export function FlightLine({ line, rows = line.rows, size = 'normal' }: FlightLineProps) {
  const { counts, asOf, more } = line;
  return (
    <section className="flight-line" data-size={size} aria-labelledby="the-line">
      <div className="flight-line-head">
        {size === 'normal' && <h2 id="the-line">The line</h2>}
        <p>{counts}</p>
        <p className="hint">
          as of <DateTime value={asOf} />
        </p>
        {size === 'normal' && line.rows.length > 0 && (
          <Link className="text-link" to={paths.line}>
            Open on its own screen
          </Link>
        )}
      </div>
      {rows.length > 0 && (
        <>
          <p className="flight-line-hours" aria-hidden="true">
            {HOURS.map((hour) => (
              <span key={hour}>{hour}</span>
            ))}
          </p>
          <FlightLineRows rows={rows} line={line} />
        </>
      )}
      {line.rows.length === 0 && (
        <p className="hint">No aircraft yet. {line.whoAdds ?? <Link to={paths.addAircraft}>Add the first one</Link>}</p>
      )}
      {more > 0 && (
        <p className="hint">
          and {more} more in <Link to={paths.fleet}>the fleet</Link>
        </p>
      )}
    </section>
  );
}

export function FlightLineRows({ rows, line }: Required<Pick<FlightLineProps, 'rows' | 'line'>>) {
  return (
    <ul className="flight-line-rows">
      {rows.map((aircraft) => (
        <FlightLineRow key={aircraft.id} aircraft={aircraft} line={line} />
      ))}
    </ul>
  );
}

const HOURS_APART = 3;
const HOURS = Array.from({ length: (TAPE_LAST_HOUR - TAPE_FIRST_HOUR) / HOURS_APART + 1 }, (_, index) =>
  String(TAPE_FIRST_HOUR + index * HOURS_APART).padStart(2, '0'),
);
