import { Link } from '#app/ui/link.tsx';
import type { ReactNode } from 'react';
import { DUE_SHOWN_ON_CARD } from '#app/limits.ts';
import { paths } from '#app/paths.ts';
import type { Aircraft } from '#app/domain/aircraft/schema.server.ts';
import { AircraftBadges, GROUNDED_ON_RETURN } from '#app/features/aircraft/aircraft-badge.tsx';
import { DueList } from '#app/features/aircraft/due-list.tsx';
import type { OpenFlightView } from '#app/features/aircraft/open-flight.server.ts';
import type { DueView } from '#app/features/aircraft/due-view.ts';
import { Breakable } from '#app/ui/breakable.tsx';
import { ButtonLink, Card, DescriptionList } from '#app/ui/elements.tsx';
import { Reading } from '#app/features/meters/reading.tsx';

interface AircraftCardProps {
  aircraft: Aircraft;
  due: DueView[];
  openFlight: OpenFlightView | null;
  menu?: ReactNode;
}

export function AircraftCard({ aircraft, due, openFlight, menu }: AircraftCardProps) {
  const { id, tailNumber, make, model, year, lastHobbsTime, lastTachTime } = aircraft;
  return (
    <Card
      title={<Link to={paths.aircraft(id)}>{tailNumber}</Link>}
      isTailNumber
      subtitle={`${make} ${model}`}
      badge={<AircraftBadges {...aircraft} />}
      actions={
        <>
          <StatusActions aircraft={aircraft} openFlight={openFlight} />
          {menu}
        </>
      }
    >
      <DescriptionList
        items={[
          { term: 'Last Hobbs Time', detail: lastHobbsTime && <Reading value={lastHobbsTime} /> },
          { term: 'Last Tach Time', detail: lastTachTime && <Reading value={lastTachTime} /> },
          { term: 'Year', detail: year },
        ]}
      />
      <DueList items={due} limit={DUE_SHOWN_ON_CARD} />
    </Card>
  );
}

function StatusActions({
  aircraft: { id, status, groundedOnReturn },
  openFlight,
}: Pick<AircraftCardProps, 'aircraft' | 'openFlight'>) {
  if (status === 'maintenance') return <p className="hint">Aircraft unavailable</p>;
  if (status === 'checked_out') {
    return (
      <div className="aircraft-out">
        <p className="hint">Currently in use</p>
        {openFlight && (
          <p>
            {openFlight.pilot && <Breakable text={openFlight.pilot} />}{' '}
            <Link to={paths.flightPage(openFlight.id)}>{openFlight.out}</Link>
          </p>
        )}
        {groundedOnReturn && <p className="hint">{GROUNDED_ON_RETURN}</p>}
      </div>
    );
  }
  return <ButtonLink to={paths.scanForAircraft(id)}>Update Meters</ButtonLink>;
}
