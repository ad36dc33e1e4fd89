import { useLoaderData } from '@remix-run/react';
import { findFlightLogs } from '#app/domain/flights/queries.server.ts';
import type { FlightLog } from '#app/domain/flights/schema.server.ts';
import { formatDateTime } from '#app/domain/format.server.ts';
import { shortHours } from '#app/domain/reading.ts';
import { Reading } from '#app/features/meters/reading.tsx';
import { KEPT_FLIGHTS } from '#app/limits.ts';
import { db } from '#app/server/db.server.ts';
import { authedLoader } from '#app/server/screen-loader.server.ts';
import { Badge } from '#app/ui/badge.tsx';
import { Card } from '#app/ui/card.tsx';
import { DateTime } from '#app/ui/date-time.tsx';
import { DescriptionList } from '#app/ui/description-list.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { CardList } from '#app/ui/layout.tsx';
import { pageTitle, useToast } from '#app/ui/hooks/use-root-data.ts';
import { Screen } from '#app/ui/page/screen.tsx';

const TITLE = 'Your Last Flights';

export const meta = pageTitle(TITLE);

export const loader = authedLoader({
  can: 'anyRole',
  school: 'optional',
  load: async ({ actor }) => {
    const logs = await findFlightLogs(db, actor.schoolId, { pilotId: actor.id, limit: KEPT_FLIGHTS });
    return { flights: logs.map((log) => toRow(log, actor.timeZone)) };
  },
});

/** The page has no links to more, because a pilot reads it without a network. */
export default function OwnFlights() {
  const { flights } = useLoaderData<typeof loader>();
  return (
    <Screen title={TITLE} showBackLink toast={useToast(undefined)}>
      {flights.length === 0 && <EmptyState text="You have not flown yet." />}
      <CardList>
        {flights.map(({ id, tailNumber, started, start, end, flown }) => (
          <Card
            key={id}
            title={tailNumber}
            isTailNumber
            subtitle={<DateTime value={started} />}
            badge={flown === null && <Badge tone="in-progress">In Progress</Badge>}
          >
            <DescriptionList
              items={[
                { term: end.hobbs ? 'Hobbs' : 'Hobbs Start', detail: <Readings from={start.hobbs} to={end.hobbs} /> },
                { term: end.tach ? 'Tach' : 'Tach Start', detail: <Readings from={start.tach} to={end.tach} /> },
                { term: 'Flown', detail: flown },
              ]}
            />
          </Card>
        ))}
      </CardList>
    </Screen>
  );
}

function Readings({ from, to }: { from: string; to: string | null }) {
  if (to === null) return <Reading value={from} />;
  return (
    <span className="reading-pair">
      <Reading value={from} /> – <Reading value={to} />
    </span>
  );
}

function toRow(log: FlightLog, timeZone: string) {
  return {
    id: log.id,
    tailNumber: log.aircraft.tailNumber,
    started: formatDateTime(log.createdAt, timeZone),
    start: { hobbs: log.startHobbsTime, tach: log.startTachTime },
    end: { hobbs: log.endHobbsTime, tach: log.endTachTime },
    flown: log.hobbsHours === null ? null : `${shortHours(log.hobbsHours)} h`,
  };
}
