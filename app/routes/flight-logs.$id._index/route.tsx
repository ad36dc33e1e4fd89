import { Link, useLoaderData } from '@remix-run/react';
import { AppError } from '#app/domain/app-error.ts';
import { findFlightPermissions } from '#app/domain/flights/flight-permissions.server.ts';
import { findFlightRevisions } from '#app/domain/flights/flight-revisions.server.ts';
import { findFlightLog } from '#app/domain/flights/queries.server.ts';
import { findSquawkOfFlight } from '#app/domain/squawks/queries.server.ts';
import { texts } from '#app/domain/texts.ts';
import { findNamesakeMarks } from '#app/domain/people/former/namesakes.server.ts';
import { loadImportText, toFlightDetails } from '#app/features/flights/flight-details.server.ts';
import { loadFlightTapes } from '#app/features/flights/flight-tapes.server.ts';
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
    const log = await findFlightLog(db, actor.schoolId, params.id);
    if (!log) throw new AppError('notFound', texts.flightLogNotFound);
    const [revisions, permissions, squawk, { neighbours, tapes }, marks] = await Promise.all([
      findFlightRevisions(db, actor.schoolId, log.id),
      findFlightPermissions(db, actor, log),
      findSquawkOfFlight(db, actor.schoolId, log.id),
      loadFlightTapes(actor, log),
      findNamesakeMarks(db, actor),
    ]);
    return {
      flight: {
        ...toFlightDetails(log, actor, { ...revisions, permissions, marks }),
        tapes,
        imported: await loadImportText(actor, log.id),
      },
      squawk: squawk ? toSquawkView(squawk, actor, marks) : null,
      neighbours,
    };
  },
});

export default function FlightPage() {
  const { flight, squawk, neighbours } = useLoaderData<typeof loader>();
  const actions = (
    <>
      {flight.permissions.correct && <ButtonLink to={paths.correctReadings(flight.id)}>Correct readings</ButtonLink>}
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
