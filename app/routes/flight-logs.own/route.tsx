import { useLoaderData } from '@remix-run/react';
import { findFlightLogs } from '#app/domain/flights/queries.server.ts';
import type { FlightLog } from '#app/domain/flights/schema.server.ts';
import { toLogRows, withClocks, zonesByDay } from '#app/features/flights/flight-log-rows.server.ts';
import { FlightLogTable } from '#app/features/flights/flight-log-table.tsx';
import { KEPT_FLIGHTS } from '#app/limits.ts';
import { paths } from '#app/paths.ts';
import { db } from '#app/server/db.server.ts';
import { authedLoader } from '#app/server/screen.server.ts';
import { EmptyState } from '#app/ui/elements.tsx';
import { createTitleMeta, useToast, Screen } from '#app/ui/page/screen.tsx';
import { Trail } from '#app/ui/page/trail.tsx';

const TITLE = 'Your Last Flights';

export const meta = createTitleMeta(TITLE);

/** The log of one pilot, with the readings, and without filters and more pages: it is also read without a network. */
export const loader = authedLoader({
  can: 'anyRole',
  school: 'optional',
  load: async ({ actor }) => {
    const found = await findFlightLogs(db, actor.schoolId, { pilotId: actor.id, limit: KEPT_FLIGHTS });
    const flights = withClocks(found, actor.timeZone);
    const zones = zonesByDay(flights);
    return {
      logs: toLogRows(flights, actor, zones).map((row, index) => ({
        ...row,
        pilot: null,
        readings: readingsText(found[index]),
      })),
      days: [...zones].map(([day, { title }]) => ({ day, title })).toReversed(),
    };
  },
});

export default function OwnFlights() {
  const { logs, days } = useLoaderData<typeof loader>();
  return (
    <Screen
      title={TITLE}
      showBackLink
      trail={<Trail steps={[{ label: 'Logs', to: paths.flightLogs }, { label: TITLE }]} />}
      toast={useToast(undefined)}
    >
      {logs.length === 0 ? (
        <EmptyState text="You have not flown yet." />
      ) : (
        <FlightLogTable logs={logs} days={days} hrefOf={paths.flightPage} />
      )}
    </Screen>
  );
}

/** Returns 'Hobbs 100.0 – 101.2, Tach 90.0 – 91.0', or the starts of a flight in progress. */
function readingsText(log: FlightLog | undefined): string {
  if (!log) return '';
  const { startHobbsTime, endHobbsTime, startTachTime, endTachTime } = log;
  const pair = (start: string, end: string | null) => [start, end].filter(Boolean).join(' – ');
  return `Hobbs ${pair(startHobbsTime, endHobbsTime)}, Tach ${pair(startTachTime, endTachTime)}`;
}
