import { keepFormOnNetworkError } from '#app/ui/forms/form.tsx';
import { authedFormAction, authedLoader } from '#app/server/screen.server.ts';
import { useActionData, useLoaderData } from '@remix-run/react';
import { AircraftCard } from './aircraft-card.tsx';
import { AircraftMenu } from './aircraft-menu.tsx';
import { changeFleet, changeFleetSchema, loadFleetPage } from './fleet-page.server.ts';
import { ButtonLink, CardList, EmptyState } from '#app/ui/elements.tsx';
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx';
import { PartFailure } from '#app/ui/page/part-failure.tsx';
import { Screen, createTitleMeta, useToast } from '#app/ui/page/screen.tsx';
import { texts } from '#app/domain/texts.ts';
import { paths } from '#app/paths.ts';

const failedText = (intent: unknown) =>
  intent === 'delete-aircraft' ? 'Failed to delete aircraft' : texts.statusUpdateFailed;

export const clientAction = keepFormOnNetworkError(failedText);

export const meta = createTitleMeta('Aircraft Fleet');

export const loader = authedLoader({
  can: 'anyRole',
  school: 'optional',
  load: ({ actor, url }) => loadFleetPage(actor, url),
});

export const action = authedFormAction({
  can: 'set aircraft status',
  schema: changeFleetSchema,
  failed: (form) => failedText(form.get('intent')),
  run: ({ actor, input, requestId }) => changeFleet(actor, input, requestId),
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
