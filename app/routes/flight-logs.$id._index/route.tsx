import { Link, useLoaderData } from '@remix-run/react';
import { findNeighbourFlights } from '#app/domain/aircraft/line-queries.server.ts';
import { readingLine } from '#app/domain/aircraft/reading-line.ts';
import { findSegmentChanges } from '#app/domain/aircraft/segment-changes.server.ts';
import type { Actor } from '#app/domain/actor.ts';
import { AppError } from '#app/domain/app-error.ts';
import { findFlightPermissions } from '#app/domain/flights/flight-permissions.server.ts';
import { findFlightRevisions } from '#app/domain/flights/flight-revisions.server.ts';
import { findFlightLog } from '#app/domain/flights/queries.server.ts';
import type { FlightLog } from '#app/domain/flights/schema.server.ts';
import { formatDateTime } from '#app/domain/format.server.ts';
import { findSquawkOfFlight } from '#app/domain/squawks/queries.server.ts';
import { texts } from '#app/domain/texts.ts';
import { findNamesakeMarks, withMarkedNames } from '#app/domain/people/former/namesakes.server.ts';
import { toFlightDetails } from '#app/features/flights/flight-details.server.ts';
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
    const [revisions, permissions, squawk, neighbours, marks] = await Promise.all([
      findFlightRevisions(db, actor.schoolId, log.id),
      findFlightPermissions(db, actor, log),
      findSquawkOfFlight(db, actor.schoolId, log.id),
      loadNeighbours(actor, log),
      findNamesakeMarks(db, actor),
    ]);
    return {
      flight: toFlightDetails(withMarkedNames(log, marks), actor, revisions, permissions),
      squawk: squawk ? toSquawkView(squawk, actor) : null,
      neighbours,
    };
  },
});

/** The flights before and after, and how their readings meet this one's. */
async function loadNeighbours({ schoolId, timeZone }: Actor, log: FlightLog) {
  const { previous, next } = await findNeighbourFlights(db, schoolId, log);
  const { id, startHobbsTime, endHobbsTime, startTachTime, endTachTime } = log;
  const readings = {
    hobbs: { start: startHobbsTime, end: endHobbsTime },
    tach: { start: startTachTime, end: endTachTime },
  };
  const flights = [previous, { id, startedAt: log.createdAt, readings }, next].filter((flight) => flight !== undefined);
  const changes = await findSegmentChanges(db, schoolId, log.aircraft.id, flights);
  const marksBefore = (flightId: number | undefined) =>
    (['hobbs', 'tach'] as const).flatMap((meter) =>
      readingLine(meter, flights, changes)
        .filter((step) => step.flightId === flightId)
        .flatMap(({ before }) => before.map(({ text }) => `${meter === 'hobbs' ? 'Hobbs' : 'Tach'}: ${text}`)),
    );
  const toNeighbour = (flight: typeof previous, marks: string[]) =>
    flight === undefined ? null : { id: flight.id, started: formatDateTime(flight.startedAt, timeZone), marks };
  return { previous: toNeighbour(previous, marksBefore(id)), next: toNeighbour(next, marksBefore(next?.id)) };
}

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
