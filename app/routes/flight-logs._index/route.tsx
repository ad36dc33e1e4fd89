import { authedLoader } from '#app/server/screen-loader.server.ts';
import { authedFormAction } from '#app/server/screen-action.server.ts';
import { data } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { z } from 'zod';
import { ButtonLink } from '#app/ui/button.tsx';
import { CancelledCheckOutsTable } from './cancelled-check-outs-table.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { FilterForm } from '#app/ui/forms/filter-form.tsx';
import { FilterSelect } from '#app/ui/forms/filter-select.tsx';
import { FlightLogDialog } from './flight-log-dialog.tsx';
import { FlightLogTable } from './flight-log-table.tsx';
import { Notice } from '#app/ui/notice.tsx';
import { Pager } from '#app/ui/pager.tsx';
import { Screen } from '#app/ui/page/screen.tsx';
import { pageTitle, useToast } from '#app/ui/hooks/use-root-data.ts';
import { db } from '#app/server/db.server.ts';
import { setAircraftStatus } from '#app/domain/aircraft/set-aircraft-status.server.ts';
import { findFlightRow } from '#app/domain/flights/flight-row.server.ts';
import { can } from '#app/domain/permissions.ts';
import { texts } from '#app/domain/texts.ts';
import { parseAircraftFilter } from '#app/features/aircraft/aircraft-filter.server.ts';
import { statusUpdatedToast } from '#app/features/aircraft/status-toast.server.ts';
import { loadCancelledCheckOuts } from './cancelled-check-outs.server.ts';
import { parseCursor } from '#app/server/cursor.server.ts';
import { redirectWithToast } from '#app/server/flash.server.ts';
import { loadFlightDetails } from '#app/features/flights/flight-details.server.ts';
import { loadAircraftOptions, loadFlightLogList } from './flight-log-list.server.ts';
import { newRequestId } from '#app/server/form-action.server.ts';
import { parseId, requireId } from '#app/server/ids.server.ts';
import { paths } from '#app/paths.ts';

export const meta = pageTitle('Flight Logs');

export const loader = authedLoader({
  can: 'anyRole',
  school: 'optional',
  load: async ({ actor, url }) => {
    const aircraftId = parseAircraftFilter(url);
    const after = parseCursor(url.searchParams.get('after'));
    const before = parseCursor(url.searchParams.get('before'));
    const logParameter = url.searchParams.get('log');
    const canSeeCancelled = can(actor.role, 'cancel any check-out');
    const showsCancelled = canSeeCancelled && url.searchParams.get('show') === 'cancelled';
    const { at, ...list } = showsCancelled
      ? await loadCancelledCheckOuts(actor, { aircraftId, after })
      : await loadFlightLogList(actor, { aircraftId, after, before });
    const flight = logParameter === null ? null : await loadFlightDetails(actor, parseId(logParameter), at);
    const page = {
      ...list,
      aircraftId: aircraftId ?? null,
      aircraft: await loadAircraftOptions(actor),
      flight,
      isUnknownFlight: logParameter !== null && flight === null,
      canExport: can(actor.role, 'export flight logs') && !showsCancelled,
      canSeeCancelled,
      canCheckOut: can(actor.role, 'check out aircraft'),
      requestId: newRequestId(),
    };
    return data(page, { status: page.isUnknownFlight ? 404 : 200 });
  },
});

/** 'Set to Maintenance' in the details, where the squawks give the reason. */
export const action = authedFormAction({
  can: 'set aircraft status',
  schema: z.object({ flightLogId: z.string().optional() }),
  failed: texts.statusUpdateFailed,
  run: async ({ actor, url, input, requestId }) => {
    const log = await findFlightRow(db, actor, requireId(input.flightLogId, texts.flightLogNotFound));
    const status = { status: 'maintenance' } as const;
    const { groundedOnReturn } = await setAircraftStatus(db, actor, log.aircraft_id, status, requestId);
    url.searchParams.delete('index');
    return redirectWithToast(url.pathname + url.search, statusUpdatedToast(groundedOnReturn));
  },
});

export default function FlightLogs() {
  const page = useLoaderData<typeof loader>();
  const {
    logs,
    aircraftId,
    aircraft,
    flight,
    canExport,
    canSeeCancelled,
    canCheckOut,
    cancelled,
    isUnknownFlight,
    requestId,
    older,
    newer,
  } = page;
  const reply = useActionData<typeof action>();
  const exporting = canExport && (
    <ButtonLink to={paths.exportFlightLogs(aircraftId ?? undefined)} reloadDocument download>
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
      toast={useToast(reply)}
      actions={exporting}
    >
      {isUnknownFlight && <Notice tone="danger">{texts.flightLogNotFound}</Notice>}
      {aircraft.failure && <Notice tone="danger">{aircraft.failure}</Notice>}
      {aircraft.value && (
        <FilterForm>
          <FilterSelect
            name="aircraftId"
            label="Aircraft"
            value={aircraftId === null ? '' : String(aircraftId)}
            options={aircraft.value}
          />
          {canSeeCancelled && (
            <FilterSelect name="show" label="Show" value={cancelled ? 'cancelled' : ''} options={SHOW_OPTIONS} />
          )}
        </FilterForm>
      )}
      {cancelled ? (
        <CancelledCheckOutsTable checkOuts={cancelled} />
      ) : logs.length > 0 ? (
        <FlightLogTable logs={logs} />
      ) : (
        <NoFlights filtered={aircraftId !== null} canCheckOut={canCheckOut} />
      )}
      <Pager olderHref={older} newerHref={newer} />
    </Screen>
  );
}

const SHOW_OPTIONS = [
  { value: '', label: 'Flights' },
  { value: 'cancelled', label: 'Cancelled check-outs' },
];

function NoFlights({ filtered, canCheckOut }: { filtered: boolean; canCheckOut: boolean }) {
  return filtered ? (
    <EmptyState
      text="No flights with this aircraft yet."
      action={<ButtonLink to={paths.flightLogs}>Show all aircraft</ButtonLink>}
    />
  ) : (
    <EmptyState
      text="No flights yet. Check out an aircraft, and its flight is listed here."
      action={canCheckOut && <ButtonLink to={paths.checkOut}>Check Out</ButtonLink>}
    />
  );
}
