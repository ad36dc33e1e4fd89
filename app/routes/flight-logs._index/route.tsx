import { authedLoader } from '#app/server/screen.server.ts';
import { useLoaderData } from '@remix-run/react';
import { Link } from '#app/ui/link.tsx';
import { ButtonLink, EmptyState, Notice } from '#app/ui/elements.tsx';
import { CancelledCheckOutsTable } from './cancelled-check-outs-table.tsx';
import { FlightLogDialog } from './flight-log-dialog.tsx';
import { FlightLogTable } from '#app/features/flights/flight-log-table.tsx';
import { PartFailure } from '#app/ui/page/part-failure.tsx';
import { Pager } from '#app/ui/pager.tsx';
import { Screen, createTitleMeta, useToast } from '#app/ui/page/screen.tsx';
import { texts } from '#app/domain/texts.ts';
import { RECENT_DAYS } from '#app/limits.ts';
import { loadFlightLogsPage } from './flight-logs-page.server.ts';
import { FlightFilterForm } from '#app/features/flights/flight-filter-form.tsx';
import { FlightSumsLine } from '#app/features/flights/flight-sums.tsx';
import { RecentDays } from './recent-days.tsx';
import { type FlightFilterQuery, paths } from '#app/paths.ts';

export const meta = createTitleMeta('Flight Logs');

export const loader = authedLoader({
  can: 'anyRole',
  school: 'optional',
  load: ({ actor, url }) => loadFlightLogsPage(actor, url),
});

export default function FlightLogs() {
  const page = useLoaderData<typeof loader>();
  const { filter, flight, options, canExport, canSeeCancelled, cancelled, isUnknownFlight, problem, requestId } = page;
  const exporting = canExport && (
    <ButtonLink to={paths.exportFlightLogs(filter)} reloadDocument download>
      Export CSV
    </ButtonLink>
  );
  return (
    <Screen
      title="Flight Logs"
      showBackLink
      beforeTitle={
        flight && (
          <FlightLogDialog
            key={flight.details.id}
            flight={flight.details}
            closeHref={flight.closeHref}
            newerHref={flight.newer}
            olderHref={flight.older}
            requestId={requestId}
          />
        )
      }
      toast={useToast(undefined)}
      actions={exporting}
    >
      {isUnknownFlight && <Notice tone="danger">{texts.flightLogNotFound}</Notice>}
      <PartFailure part={options} />
      {problem !== null && <Notice tone="danger">{problem}</Notice>}
      <div className="logbook-head">
        {options.value && (
          <FlightFilterForm
            filter={filter}
            options={options.value}
            show={canSeeCancelled ? { options: SHOW_OPTIONS, isOfCancelled: cancelled !== null } : undefined}
          />
        )}
        {cancelled === null && <RecentDays days={page.recentDays} filter={filter} />}
        {page.logs.length > 0 && page.sums && (
          <FlightSumsLine
            sums={page.sums}
            flights={page.sums.isOfRecentDays ? `Flights, last ${RECENT_DAYS} days` : 'All matching flights'}
          >
            <Link to={paths.hours(filter)}>Hours by pilot</Link>
            {canExport && (
              <Link to={paths.exportFlightSheet(filter)} reloadDocument download>
                Excel
              </Link>
            )}
          </FlightSumsLine>
        )}
        <p className="log-links">
          <Link to={paths.ownFlights}>Your Last Flights</Link>
          {page.canEnter && <Link to={paths.enterPastFlight}>Enter a Past Flight</Link>}
        </p>
      </div>
      <FlightList page={page} />
      <Pager olderHref={page.older} newerHref={page.newer} />
    </Screen>
  );
}

const SHOW_OPTIONS = [
  { value: '', label: 'Flights' },
  { value: 'cancelled', label: 'Cancelled check-outs' },
];

function FlightList({ page }: { page: ReturnType<typeof useLoaderData<typeof loader>> }) {
  const { at, logs, days, cancelled, filter, canCheckOut } = page;
  if (cancelled) return <CancelledCheckOutsTable checkOuts={cancelled} />;
  if (logs.length === 0) return <NoFlights filter={filter} canCheckOut={canCheckOut} />;
  return <FlightLogTable logs={logs} days={days} hrefOf={(log) => paths.flightLogsPage({ ...at, log })} />;
}

function NoFlights({ filter, canCheckOut }: { filter: FlightFilterQuery; canCheckOut: boolean }) {
  const { aircraftId, ...more } = filter;
  if (Object.values(more).some((value) => value !== undefined)) {
    return (
      <EmptyState
        text="No flights match this filter."
        action={<ButtonLink to={paths.flightLogs}>Show all flights</ButtonLink>}
      />
    );
  }
  return aircraftId === undefined ? (
    <EmptyState
      text="No flights yet. Check out an aircraft, and its flight is listed here."
      action={canCheckOut && <ButtonLink to={paths.checkOut}>Check Out</ButtonLink>}
    />
  ) : (
    <EmptyState
      text="No flights with this aircraft yet."
      action={<ButtonLink to={paths.flightLogs}>Show all aircraft</ButtonLink>}
    />
  );
}
