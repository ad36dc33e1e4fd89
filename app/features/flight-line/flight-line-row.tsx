import { Link } from '@remix-run/react';
import { TAPE_MINUTES } from '#app/domain/flight-line/tape.ts';
import { paths } from '#app/paths.ts';
import { Badge } from '#app/ui/badge.tsx';
import { Reading } from '../meters/reading.tsx';
import { StatusBadge } from '../aircraft/status-badge.tsx';
import type { FlightLineAircraft, FlightLineView } from './flight-line-view.server.ts';

interface FlightLineRowProps {
  aircraft: FlightLineAircraft;
  line: Pick<FlightLineView, 'canCheckOut' | 'now'>;
}

export function FlightLineRow({ aircraft, line }: FlightLineRowProps) {
  const { id, tailNumber, state, hobbs } = aircraft;
  return (
    <li data-state={state}>
      <Link className="flight-line-tail" to={paths.aircraft(id)}>
        {tailNumber}
      </Link>
      <FlightLineBadge state={state} />
      <span className="flight-line-drum">{hobbs && <Reading value={hobbs} />}</span>
      <p className="flight-line-facts">
        <Facts aircraft={aircraft} />
      </p>
      {state === 'available' && line.canCheckOut && <CheckOutLink aircraft={aircraft} />}
      <Tape aircraft={aircraft} now={line.now} />
    </li>
  );
}

function FlightLineBadge({ state }: Pick<FlightLineAircraft, 'state'>) {
  if (state === 'overdue') return <Badge tone="overdue">Checked Out</Badge>;
  if (state === 'out') return <StatusBadge status="checked_out" />;
  return <StatusBadge status={state === 'maintenance' ? state : null} />;
}

function Facts({ aircraft: { tailNumber, flight, squawks, due } }: Pick<FlightLineRowProps, 'aircraft'>) {
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
      {flight?.groundedOnReturn && <span>In maintenance on return</span>}
      {squawks > 0 && <span>{squawks === 1 ? '1 squawk' : `${squawks} squawks`}</span>}
      {due && <span data-overdue={due.isOverdue || undefined}>{`${due.name}: ${due.text}`}</span>}
    </>
  );
}

/** Words that are not those of the button above, which leads to the same screen without an aircraft. */
function CheckOutLink({ aircraft: { id, tailNumber } }: Pick<FlightLineRowProps, 'aircraft'>) {
  return (
    <Link className="button" to={paths.checkOutAircraft(id)}>
      Check {tailNumber} out
    </Link>
  );
}

/** Says nothing that the row's words do not. */
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
