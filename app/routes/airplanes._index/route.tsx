import { keepFormOnNetworkError } from '#app/ui/forms/form.tsx';
import { authedFormAction, authedLoader, newRequestId } from '#app/server/screen.server.ts';
import { useActionData, useLoaderData } from '@remix-run/react';
import { z } from 'zod';
import { AircraftCard } from './aircraft-card.tsx';
import { AircraftMenu } from './aircraft-menu.tsx';
import { ButtonLink, CardList, EmptyState } from '#app/ui/elements.tsx';
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx';
import { PartFailure } from '#app/ui/page/part-failure.tsx';
import { Screen, pageTitle, useToast } from '#app/ui/page/screen.tsx';
import { db } from '#app/server/db.server.ts';
import { type Actor, assertCan, type Member } from '#app/domain/actor.ts';
import { deleteAircraft } from '#app/domain/aircraft/change-aircraft.server.ts';
import { byGravity } from '#app/domain/aircraft/fleet-order.ts';
import { findFleetInDetail } from '#app/domain/aircraft/queries.server.ts';
import { findOpenFlights } from '#app/domain/flights/queries.server.ts';
import { can } from '#app/domain/permissions.ts';
import { texts } from '#app/domain/texts.ts';
import { whoAddsAircraft } from '#app/features/flights/ways-on.server.ts';
import { toDueView } from '#app/features/aircraft/due-view.ts';
import { toOpenFlight } from '#app/features/aircraft/open-flight.server.ts';
import { changeStatus } from '#app/features/aircraft/status-toast.server.ts';
import { loadOrFailure } from '#app/server/error-responses.server.ts';
import { redirectWithToast, successToast, type Toast } from '#app/server/flash.server.ts';
import { parseId, requireId } from '#app/server/query-values.server.ts';
import { paths } from '#app/paths.ts';

export const clientAction = keepFormOnNetworkError('Failed to update aircraft status');

export const meta = pageTitle('Aircraft Fleet');

export const loader = authedLoader({
  can: 'anyRole',
  school: 'optional',
  load: async ({ actor, url }) => {
    const fleet = await loadOrFailure(loadFleet(actor), texts.fetchAircraftFailed);
    const canSetStatus = can(actor.role, 'set aircraft status');
    const canManage = can(actor.role, 'manage aircraft');
    const confirmId = /^delete-aircraft:(\d+)$/.exec(url.searchParams.get('confirm') ?? '')?.[1];
    const toDelete = canManage ? fleet.value?.find(({ id }) => id === parseId(confirmId)) : undefined;
    const whoAdds = whoAddsAircraft(actor);
    return { fleet, canSetStatus, canManage, toDelete, whoAdds, requestId: newRequestId() };
  },
});

async function loadFleet(actor: Actor) {
  const fleet = await findFleetInDetail(db, actor.schoolId);
  const open = await findOpenFlights(db, actor.schoolId);
  const flights = new Map(open.map((flight) => [flight.aircraft.id, toOpenFlight(flight, actor)]));
  return fleet.toSorted(byGravity).map(({ known: _known, due, ...aircraft }) => ({
    ...aircraft,
    due: due.map(toDueView),
    openFlight: flights.get(aircraft.id) ?? null,
  }));
}

type FleetChange = (actor: Member, id: number, requestId: string | undefined) => Promise<Toast>;

const FLEET_CHANGES = {
  'set-maintenance': (actor, id, requestId) => changeStatus(actor, id, 'maintenance', requestId),
  'mark-available': (actor, id, requestId) => changeStatus(actor, id, null, requestId),
  'delete-aircraft': async (actor, id, requestId) => {
    await deleteAircraft(db, actor, id, requestId);
    return successToast('Aircraft deleted successfully');
  },
} satisfies Record<string, FleetChange>;

const changeSchema = z.object({
  intent: z.enum(['set-maintenance', 'mark-available', 'delete-aircraft'], texts.actionRequired),
  aircraftId: z.string().optional(),
});

export const action = authedFormAction({
  can: 'set aircraft status',
  schema: changeSchema,
  failed: (form) => (form.get('intent') === 'delete-aircraft' ? 'Failed to delete aircraft' : texts.statusUpdateFailed),
  run: async ({ actor, input, requestId }) => {
    if (input.intent === 'delete-aircraft') assertCan(actor, 'manage aircraft');
    const id = requireId(input.aircraftId, texts.aircraftNotFound);
    return redirectWithToast(paths.fleet, await FLEET_CHANGES[input.intent](actor, id, requestId));
  },
});

export default function Fleet() {
  const { fleet, canSetStatus, canManage, toDelete, whoAdds, requestId } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  const toAdd = (
    <>
      {canManage && (
        <ButtonLink variant="primary" to={paths.addAircraft}>
          Add New Aircraft
        </ButtonLink>
      )}
      <ButtonLink to={paths.maintenance}>Maintenance</ButtonLink>
      <ButtonLink variant="quiet" to={paths.aircraftCodes}>
        QR Codes
      </ButtonLink>
    </>
  );
  const question = toDelete && (
    <ConfirmDialog
      title={`Delete ${toDelete.tailNumber}`}
      text="Are you sure you want to delete this aircraft? This action cannot be undone."
      confirmLabel="Delete"
      cancelHref={paths.fleet}
      action={paths.fleetAction}
      formValues={{ intent: 'delete-aircraft', aircraftId: String(toDelete.id), requestId }}
    />
  );
  return (
    <Screen title="Aircraft Fleet" showBackLink actions={toAdd} beforeTitle={question} toast={useToast(reply)}>
      <PartFailure part={fleet} />
      {fleet.value?.length === 0 && (
        <EmptyState
          text="No aircraft found. Add your first aircraft to get started."
          action={whoAdds && <p className="hint">{whoAdds}</p>}
        />
      )}
      <CardList>
        {fleet.value?.map((aircraft) => (
          <AircraftCard
            key={aircraft.id}
            aircraft={aircraft}
            due={aircraft.due}
            openFlight={aircraft.openFlight}
            menu={canSetStatus && <AircraftMenu aircraft={aircraft} requestId={requestId} canDelete={canManage} />}
          />
        ))}
      </CardList>
    </Screen>
  );
}
