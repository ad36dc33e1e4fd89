import { useActionData, useLoaderData } from '@remix-run/react';
import { z } from 'zod';
import { requireFlightRow } from '#app/domain/flights/queries.server.ts';
import { texts } from '#app/domain/texts.ts';
import { changeStatusWithToast } from '#app/features/aircraft/status-toast.server.ts';
import { FlightActs } from '#app/features/flights/flight-acts.tsx';
import { loadFlight } from '#app/features/flights/flight-details.server.ts';
import { FlightFacts } from '#app/features/flights/flight-details.tsx';
import { paths } from '#app/paths.ts';
import { db } from '#app/server/db.server.ts';
import { redirectWithToast } from '#app/server/flash.server.ts';
import { authedFormAction, authedLoader, newFormRequestId } from '#app/server/screen.server.ts';
import { Card } from '#app/ui/elements.tsx';
import { keepFormOnNetworkError } from '#app/ui/forms/form.tsx';
import { createTitleMeta, useToast, PrintButton, Screen } from '#app/ui/page/screen.tsx';
import { Trail } from '#app/ui/page/trail.tsx';

export const clientAction = keepFormOnNetworkError(texts.statusUpdateFailed);

export const meta = createTitleMeta('Flight');

const ids = { id: texts.flightLogNotFound };

export const loader = authedLoader({
  can: 'anyRole',
  school: 'optional',
  ids,
  load: async ({ actor, params }) => ({ flight: await loadFlight(actor, params.id), requestId: newFormRequestId() }),
});

/** Grounds the aircraft, also from the dialog: the squawks of the flight give the reason. */
export const action = authedFormAction({
  can: 'set aircraft status',
  ids,
  schema: z.object({}),
  failed: texts.statusUpdateFailed,
  run: async ({ actor, params, requestId }) => {
    const log = await requireFlightRow(db, actor, params.id);
    const toast = await changeStatusWithToast(actor, log.aircraft_id, 'maintenance', requestId);
    return redirectWithToast(paths.flightPage(params.id), toast);
  },
});

export default function FlightPage() {
  const { flight, requestId } = useLoaderData<typeof loader>();
  const toast = useToast(useActionData<typeof action>());
  const { tailNumber, aircraftId } = flight;
  return (
    <Screen
      title={<span className="flight-title">{`${tailNumber}, ${flight.started.text}`}</span>}
      showBackLink
      trail={
        <Trail
          steps={[
            { label: 'Logs', to: paths.flightLogs },
            { label: tailNumber, to: paths.flightLogsPage({ aircraftId }) },
            { label: `#${flight.id}` },
          ]}
        />
      }
      toast={toast}
      actions={
        <>
          <FlightActs flight={flight} requestId={requestId} />
          <PrintButton />
        </>
      }
    >
      <Card>
        <FlightFacts flight={flight} headingLevel={2} />
      </Card>
    </Screen>
  );
}
