import { Link } from '#app/ui/link.tsx';
import { TAPE_MINUTES } from '#app/domain/flight-line/tape.ts';
import { paths } from '#app/paths.ts';
import { Reading } from '../meters/reading.tsx';
import { AircraftBadge, GROUNDED_ON_RETURN } from '../aircraft/aircraft-badge.tsx';
import type { FlightLineAircraft, FlightLineView } from './flight-line-view.server.ts';

interface FlightLineRowProps {
  aircraft: FlightLineAircraft;
  line: Pick<FlightLineView, 'canCheckOut' | 'now'>;
}

export function FlightLineRow({ aircraft, line }: FlightLineRowProps) {
  const { id, tailNumber, state, condition, hobbs } = aircraft;
  const isHere = state === 'available' || state === 'attention';
  return (
    <li data-state={state}>
      <Link className="flight-line-tail" to={paths.aircraft(id)}>
        {tailNumber}
      </Link>
      <AircraftBadge status={STATUSES[state]} condition={condition} isOverdue={state === 'overdue'} />
      <span className="flight-line-drum">{hobbs && <Reading value={hobbs} />}</span>
      <p className="flight-line-facts">
        <Facts aircraft={aircraft} />
      </p>
      {isHere && line.canCheckOut && <CheckOutLink aircraft={aircraft} />}
      <Tape aircraft={aircraft} now={line.now} />
    </li>
  );
}

const STATUSES = {
  overdue: 'checked_out',
  out: 'checked_out',
  attention: null,
  available: null,
  maintenance: 'maintenance',
} as const;

function Facts({
  aircraft: { tailNumber, state, flight, unsafe, deferral, squawks, due },
}: Pick<FlightLineRowProps, 'aircraft'>) {
  return (
    <>
      {flight && (
        <span>
          {flight.pilot && <b>{flight.pilot} </b>}
          <Link to={paths.flightPage(flight.id)}>
            {flight.since}
            <span className="visually-hidden">, flight of {tailNumber}</span>
          </Link>
        </span>
      )}
      {flight?.groundedOnReturn && <span>{GROUNDED_ON_RETURN}</span>}
      {unsafe && state !== 'attention' && <span data-overdue="">{unsafe}</span>}
      {deferral && <span data-overdue="">{deferral}</span>}
      {squawks > 0 && <span>{squawks === 1 ? '1 squawk' : `${squawks} squawks`}</span>}
      {due && <span data-overdue={due.kind === 'overdue' || undefined}>{`${due.name}: ${due.text}`}</span>}
    </>
  );
}

/** The link's words differ from those of the button above, which leads to the same screen without an aircraft. */
function CheckOutLink({ aircraft: { id, tailNumber } }: Pick<FlightLineRowProps, 'aircraft'>) {
  return (
    <Link className="button" to={paths.readMeters(id)}>
      <span>
        Check <span className="flight-line-name">{tailNumber} </span>out
      </span>
    </Link>
  );
}

function Tape({ aircraft: { flown, flying }, now }: Pick<FlightLineRowProps, 'aircraft'> & { now: number | null }) {
  const isDay = now !== null && now >= 0 && now <= TAPE_MINUTES;
  return (
    <svg className="flight-line-tape" viewBox={`0 0 ${TAPE_MINUTES} 8`} preserveAspectRatio="none" aria-hidden="true">
      {flown.map(([from, minutes]) => (
        <rect key={from} x={from} width={minutes} height="8" />
      ))}
      {flying && <rect data-open="" x={flying[0]} width={flying[1]} height="8" />}
      {isDay && <path d={`M${now} 0v8`} />}
    </svg>
  );
}
