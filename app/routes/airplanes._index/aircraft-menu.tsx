import { paths } from '#app/paths.ts';
import { Button, ButtonLink } from '#app/ui/elements.tsx';
import { HiddenField } from '#app/ui/forms/fields.tsx';
import { Menu } from '#app/ui/menu.tsx';
import { ActForm } from '#app/ui/forms/form.tsx';

interface AircraftMenuProps {
  aircraft: { id: number; tailNumber: string };
  requestId: string;
  canDelete: boolean;
}

export function AircraftMenu({ aircraft: { id, tailNumber }, requestId, canDelete }: AircraftMenuProps) {
  const statusForm = (intent: string, label: string) => (
    <ActForm action={paths.fleetAction} preventScrollReset requestId={requestId}>
      <HiddenField name="aircraftId" value={id} />
      <Button variant="quiet" name="intent" value={intent}>
        {label}
      </Button>
    </ActForm>
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
