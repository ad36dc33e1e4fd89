import { useActionData, useLoaderData } from '@remix-run/react';
import { z } from 'zod';
import { AircraftCard } from '../components/aircraft-card.tsx';
import { AircraftMenu } from '../components/aircraft-menu.tsx';
import { ButtonLink } from '../components/button.tsx';
import { CardList } from '../components/columns.tsx';
import { ConfirmDialog } from '../components/confirm-dialog.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { Notice } from '../components/notice.tsx';
import { Screen } from '../components/screen.tsx';
import { titled, useToast } from '../components/use-root.ts';
import { db } from '../db.server.ts';
import { asMember, authorize, type Member } from '../domain/actor.ts';
import { deleteAircraft } from '../domain/aircraft/delete-aircraft.server.ts';
import type { StatusFields } from '../domain/aircraft/fields.server.ts';
import { findFleet } from '../domain/aircraft/queries.server.ts';
import { setStatus } from '../domain/aircraft/set-status.server.ts';
import { may } from '../domain/permissions.ts';
import { texts } from '../domain/texts.ts';
import { statusUpdated } from '../http/aircraft-status.server.ts';
import { attempt } from '../http/attempt.server.ts';
import { redirectWith, success, type Toast } from '../http/flash.server.ts';
import { newRequestId, settle } from '../http/forms.server.ts';
import { idFrom, requiredId } from '../http/ids.server.ts';
import { signedIn, signedInPost } from '../http/screen.server.ts';
import { paths } from '../paths.ts';

export const meta = titled('Aircraft Fleet');

export const loader = signedIn(async ({ actor, url }) => {
  const fleet = await attempt(
    actor.schoolId === null ? Promise.resolve([]) : findFleet(db, actor.schoolId),
    'Failed to fetch aircraft',
  );
  const manages = may(actor.role, 'manage aircraft');
  const asked = /^delete-aircraft:(\d+)$/.exec(url.searchParams.get('confirm') ?? '')?.[1];
  const toDelete = manages ? fleet.value?.find(({ id }) => id === idFrom(asked)) : undefined;
  return { fleet, manages, toDelete, requestId: newRequestId() };
});

type Change = (actor: Member, id: number, requestId: string | undefined) => Promise<Toast>;

const CHANGES = {
  'set-maintenance': statusChange('maintenance'),
  'mark-available': statusChange(null),
  'delete-aircraft': async (actor, id, requestId) => {
    await deleteAircraft(db, actor, id, requestId);
    return success('Aircraft deleted successfully');
  },
} satisfies Record<string, Change>;

const changeFields = z.object({
  intent: z.enum(['set-maintenance', 'mark-available', 'delete-aircraft'], 'Please choose what to do'),
  aircraftId: z.string().optional(),
});

export const action = signedInPost(async ({ actor, form }) => {
  authorize(actor, 'manage aircraft');
  const deleting = form.get('intent') === 'delete-aircraft';
  const failed = deleting ? 'Failed to delete aircraft' : 'Failed to update aircraft status';
  return settle(form, changeFields, { failed }, async ({ intent, aircraftId }, requestId) => {
    const id = requiredId(aircraftId, texts.aircraftNotFound);
    return redirectWith(paths.fleet, await CHANGES[intent](asMember(actor), id, requestId));
  });
});

function statusChange(status: StatusFields['status']): Change {
  return async (actor, id, requestId) => {
    const { groundedOnReturn } = await setStatus(db, actor, id, { status }, requestId);
    return statusUpdated(groundedOnReturn);
  };
}

export default function Fleet() {
  const { fleet, manages, toDelete, requestId } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  const toAdd = manages && (
    <ButtonLink variant="primary" to={paths.addAircraft}>
      Add New Aircraft
    </ButtonLink>
  );
  const question = toDelete && (
    <ConfirmDialog
      title={`Delete ${toDelete.tailNumber}`}
      text="Are you sure you want to delete this aircraft? This action cannot be undone."
      confirmLabel="Delete"
      cancelHref={paths.fleet}
      action={paths.fleetAction}
      fields={{ intent: 'delete-aircraft', aircraftId: String(toDelete.id), requestId }}
    />
  );
  return (
    <Screen title="Aircraft Fleet" back actions={toAdd} lead={question} toast={useToast(reply)}>
      {fleet.value === null && <Notice tone="danger">{fleet.failure}</Notice>}
      {fleet.value?.length === 0 && (
        <EmptyState text="No aircraft found. Add your first aircraft to get started." />
      )}
      <CardList>
        {fleet.value?.map((aircraft) => (
          <AircraftCard
            key={aircraft.id}
            aircraft={aircraft}
            menu={manages && <AircraftMenu aircraft={aircraft} requestId={requestId} />}
          />
        ))}
      </CardList>
    </Screen>
  );
}
