import { Link } from '#app/ui/link.tsx';
import { ConditionBadge, GROUNDED_ON_RETURN } from '#app/features/aircraft/aircraft-badge.tsx';
import { paths } from '#app/paths.ts';
import { Badge, ButtonLink, DescriptionList, Notice, DateTime } from '#app/ui/elements.tsx';
import { Breakable } from '#app/ui/breakable.tsx';
import type { DashboardData } from './dashboard.server.ts';

type OpenFlightRowData = DashboardData['openFlights'][number];

export function OpenFlights({ title, flights }: { title: string; flights: OpenFlightRowData[] }) {
  if (flights.length === 0) return null;
  return (
    <section aria-labelledby="open-flights" className="open-flights">
      <h2 id="open-flights">{title}</h2>
      <ul>
        {flights.map((flight) => (
          <OpenFlightRow key={flight.id} flight={flight} />
        ))}
      </ul>
    </section>
  );
}

function OpenFlightRow({ flight }: { flight: OpenFlightRowData }) {
  return (
    <li>
      <div>
        <h3 className="tail-number">
          <Link to={paths.aircraft(flight.aircraftId)}>{flight.tailNumber}</Link>
        </h3>
        <p className="subtitle">{flight.makeAndModel}</p>
      </div>
      <Badge tone="in-progress">In Progress</Badge>
      <DescriptionList
        items={[
          {
            term: 'Started',
            detail: (
              <Link to={paths.flightPage(flight.id)}>
                <DateTime value={flight.started} />
              </Link>
            ),
          },
          { term: 'Pilot', detail: flight.pilot && <Breakable text={flight.pilot} /> },
          {
            term: 'Condition',
            detail: flight.condition && (
              <ConditionBadge kind={flight.condition.kind}>{flight.condition.text}</ConditionBadge>
            ),
          },
          { term: 'Status', detail: flight.groundedOnReturn ? GROUNDED_ON_RETURN : null },
        ]}
      />
      {flight.hoursOpen && (
        <Notice tone={flight.isOverdue ? 'danger' : 'caution'}>{`Open for ${flight.hoursOpen} hours`}</Notice>
      )}
      {flight.isOwn && (
        <ButtonLink variant="cta" to={paths.checkIn(flight.id)}>
          Complete Post-Flight Check
        </ButtonLink>
      )}
      {flight.canOversee && flight.hoursOpen && (
        <ButtonLink to={paths.closeFlight(flight.id)}>Close on behalf</ButtonLink>
      )}
    </li>
  );
}
