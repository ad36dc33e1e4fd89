import { Form } from '@remix-run/react';
import { paths } from '#app/paths.ts';
import { Button, ButtonLink } from '#app/ui/elements.tsx';
import { HiddenField, RequestId } from '#app/ui/forms/fields.tsx';
import { Menu } from '#app/ui/menu.tsx';

interface AircraftMenuProps {
  aircraft: { id: number; tailNumber: string };
  requestId: string;
  canDelete: boolean;
}

export function AircraftMenu({ aircraft: { id, tailNumber }, requestId, canDelete }: AircraftMenuProps) {
  const statusForm = (intent: string, label: string) => (
    <Form method="post" action={paths.fleetAction} preventScrollReset>
      <RequestId value={requestId} />
      <HiddenField name="aircraftId" value={String(id)} />
      <Button variant="quiet" name="intent" value={intent}>
        {label}
      </Button>
    </Form>
  );
  return (
    <Menu label="Actions" labelSuffix={`for ${tailNumber}`}>
      {statusForm('set-maintenance', 'Set to Maintenance')}
      {statusForm('mark-available', 'Mark as Available')}
      {canDelete && (
        <ButtonLink variant="quiet" to={paths.confirmDeleteAircraft(id)} preventScrollReset>
          Delete aircraft
        </ButtonLink>
      )}
    </Menu>
  );
}
