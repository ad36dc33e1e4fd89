import { data } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { ButtonLink } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { FilterForm } from '../components/filter-form.tsx';
import { FilterSelect } from '../components/filter-select.tsx';
import { FlightDetailsBody } from '../components/flight-details.tsx';
import { FlightLogTable } from '../components/flight-log-table.tsx';
import { NeighbourLinks } from '../components/neighbour-links.tsx';
import { Notice } from '../components/notice.tsx';
import { Pager } from '../components/pager.tsx';
import { Screen } from '../components/screen.tsx';
import { titled, useToast } from '../components/use-root.ts';
import { may } from '../domain/permissions.ts';
import { texts } from '../domain/texts.ts';
import { aircraftFilterOf } from '../http/aircraft-filter.server.ts';
import { cursorFrom } from '../http/cursor.server.ts';
import { aircraftOptions, flightInDialog, flightLogList } from '../http/flight-logs.server.ts';
import { signedIn } from '../http/screen.server.ts';
import { paths } from '../paths.ts';

export const meta = titled('Flight Logs');

export const loader = signedIn(async ({ actor, url }) => {
  const aircraftId = aircraftFilterOf(url);
  const after = cursorFrom(url.searchParams.get('after'));
  const before = cursorFrom(url.searchParams.get('before'));
  const asked = url.searchParams.get('log');
  const { at, ...list } = await flightLogList(actor, { aircraftId, after, before });
  const flight = asked === null ? null : await flightInDialog(actor, asked, at);
  const page = {
    ...list,
    aircraftId: aircraftId ?? null,
    aircraft: await aircraftOptions(actor),
    flight,
    unknownFlight: asked !== null && flight === null,
    exports: may(actor.role, 'export flight logs'),
  };
  return data(page, { status: page.unknownFlight ? 404 : 200 });
});

type Page = ReturnType<typeof useLoaderData<typeof loader>>;

export default function FlightLogs() {
  const page = useLoaderData<typeof loader>();
  const { logs, aircraftId, aircraft, flight, exports, unknownFlight, older, newer } = page;
  const exporting = exports && (
    <ButtonLink to={paths.exportFlightLogs(aircraftId ?? undefined)} reloadDocument download>
      Export CSV
    </ButtonLink>
  );
  return (
    <Screen
      title="Flight Logs"
      back
      lead={flight && <FlightLogDialog key={flight.details.id} flight={flight} />}
      toast={useToast(undefined)}
      actions={exporting}
    >
      {unknownFlight && <Notice tone="danger">{texts.flightLogNotFound}</Notice>}
      {aircraft.failure && <Notice tone="danger">{aircraft.failure}</Notice>}
      {aircraft.value && (
        <FilterForm>
          <FilterSelect
            name="aircraftId"
            label="Aircraft"
            value={aircraftId === null ? '' : String(aircraftId)}
            options={aircraft.value}
          />
        </FilterForm>
      )}
      {logs.length > 0 ? <FlightLogTable logs={logs} /> : <NoFlights filtered={aircraftId !== null} />}
      <Pager older={older} newer={newer} />
    </Screen>
  );
}

function FlightLogDialog({ flight }: { flight: NonNullable<Page['flight']> }) {
  const { details, closeHref, newer, older } = flight;
  return (
    <Dialog
      title="Flight Log Details"
      closeHref={closeHref}
      actions={
        <>
          {details.own && (
            <ButtonLink variant="primary" to={paths.checkIn(details.id)}>
              Complete Post-Flight Check
            </ButtonLink>
          )}
          <NeighbourLinks noun="flight" newer={newer} older={older} />
        </>
      }
    >
      <FlightDetailsBody flight={details} />
    </Dialog>
  );
}

function NoFlights({ filtered }: { filtered: boolean }) {
  return filtered ? (
    <EmptyState
      text="No flights with this aircraft yet."
      action={<ButtonLink to={paths.flightLogs}>Show all aircraft</ButtonLink>}
    />
  ) : (
    <EmptyState
      text="No flights yet. Check out an aircraft, and its flight is listed here."
      action={<ButtonLink to={paths.checkOut}>Check Out</ButtonLink>}
    />
  );
}
