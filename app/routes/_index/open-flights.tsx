import { Link } from '@remix-run/react';
import { paths } from '#app/paths.ts';
import { Badge } from '#app/ui/badge.tsx';
import { ButtonLink } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { CardList, Stack } from '#app/ui/layout.tsx';
import { DescriptionList } from '#app/ui/description-list.tsx';
import { Notice } from '#app/ui/notice.tsx';
import { DateTime, type DateTimeText } from '#app/ui/date-time.tsx';

export interface OpenFlightCardData {
  id: number;
  aircraftId: number;
  tailNumber: string;
  makeAndModel: string;
  started: DateTimeText;
  /** Null: not open for long, or not for the user to know. */
  hoursOpen: string | null;
  /** Null: the user's own. */
  pilot: string | null;
  isOwn: boolean;
  canOversee: boolean;
}

export function OpenFlights({ title, flights }: { title: string; flights: OpenFlightCardData[] }) {
  if (flights.length === 0) return null;
  return (
    <section aria-labelledby="open-flights">
      <Stack>
        <h2 id="open-flights">{title}</h2>
        <CardList>
          {flights.map((flight) => (
            <OpenFlightCard key={flight.id} flight={flight} />
          ))}
        </CardList>
      </Stack>
    </section>
  );
}

function OpenFlightCard({ flight }: { flight: OpenFlightCardData }) {
  return (
    <Card
      title={<Link to={paths.aircraft(flight.aircraftId)}>{flight.tailNumber}</Link>}
      isTailNumber
      headingLevel={3}
      subtitle={flight.makeAndModel}
      badge={<Badge tone="in-progress">In Progress</Badge>}
      actions={(flight.isOwn || flight.canOversee) && <OpenFlightActions flight={flight} />}
    >
      <DescriptionList
        items={[
          { term: 'Started', detail: <DateTime value={flight.started} /> },
          { term: 'Pilot', detail: flight.pilot },
        ]}
      />
      {flight.hoursOpen && <Notice tone="caution">{`Open for ${flight.hoursOpen} hours`}</Notice>}
    </Card>
  );
}

function OpenFlightActions({ flight: { id, isOwn, canOversee } }: { flight: OpenFlightCardData }) {
  return (
    <>
      {isOwn && (
        <ButtonLink variant="primary" to={paths.checkIn(id)}>
          Complete Post-Flight Check
        </ButtonLink>
      )}
      {canOversee && <ButtonLink to={paths.closeFlight(id)}>Close on behalf</ButtonLink>}
      <ButtonLink variant="quiet" to={paths.cancelCheckOut(id)}>
        Cancel check-out
      </ButtonLink>
    </>
  );
}
