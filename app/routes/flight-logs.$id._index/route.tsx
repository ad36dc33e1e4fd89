import { useLoaderData } from '@remix-run/react';
import { Link } from '#app/ui/link.tsx';
import { AppError } from '#app/domain/app-error.ts';
import { findFlightDetails } from '#app/domain/flights/details/find-flight-details.server.ts';
import { findSquawkOfFlight } from '#app/domain/squawks/queries.server.ts';
import { texts } from '#app/domain/texts.ts';
import { findNamesakeMarks } from '#app/domain/people/former/namesakes.server.ts';
import { toFlightDetails } from '#app/features/flights/flight-details.server.ts';
import { toFlightTapes } from '#app/features/flights/flight-tapes.server.ts';
import { FlightDetailsBody } from '#app/features/flights/flight-details.tsx';
import { toSquawkView } from '#app/features/squawks/squawk-view.server.ts';
import { SquawkList } from '#app/features/squawks/squawk-list.tsx';
import { paths } from '#app/paths.ts';
import { db } from '#app/server/db.server.ts';
import { authedLoader } from '#app/server/screen-loader.server.ts';
import { ButtonLink } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { pageTitle, useToast } from '#app/ui/hooks/use-root-data.ts';
import { Screen } from '#app/ui/page/screen.tsx';
import { Neighbours } from './neighbours.tsx';

export const meta = pageTitle('Flight');

export const loader = authedLoader({
  can: 'anyRole',
  school: 'optional',
  ids: { id: texts.flightLogNotFound },
  load: async ({ actor, params }) => {
    const [found, squawk, marks] = await Promise.all([
      findFlightDetails(db, actor.schoolId, params.id),
      findSquawkOfFlight(db, actor.schoolId, params.id),
      findNamesakeMarks(db, actor),
    ]);
    if (!found) throw new AppError('notFound', texts.flightLogNotFound);
    return {
      flight: toFlightDetails(found, actor, marks),
      squawk: squawk ? toSquawkView(squawk, actor, marks) : null,
      neighbours: toFlightTapes(actor, found).neighbours,
    };
  },
});

export default function FlightPage() {
  const { flight, squawk, neighbours } = useLoaderData<typeof loader>();
  const actions = (
    <>
      {flight.permissions.correct && <ButtonLink to={paths.correctFlight(flight.id)}>Correct flight</ButtonLink>}
      <ButtonLink to={paths.flightLog(flight.id)}>In the flight logs</ButtonLink>
    </>
  );
  return (
    <Screen title={`Flight #${flight.id}`} showBackLink toast={useToast(undefined)} actions={actions}>
      <div className="flight-page">
        <Card title={<Link to={paths.aircraft(flight.aircraftId)}>{flight.tailNumber}</Link>} isTailNumber>
          <FlightDetailsBody flight={flight} />
        </Card>
        {squawk && (
          <Card title="Squawk">
            <SquawkList squawks={[squawk]} />
          </Card>
        )}
        <Neighbours {...neighbours} />
      </div>
    </Screen>
  );
}
