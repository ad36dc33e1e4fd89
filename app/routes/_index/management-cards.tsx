import { paths } from '#app/paths.ts';
import { ButtonLink } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';

export function AircraftManagementCard({ canAdd }: { canAdd: boolean }) {
  return (
    <Card
      title="Aircraft Management"
      actions={
        <>
          <ButtonLink to={paths.fleet}>View Aircraft Fleet</ButtonLink>
          {canAdd && <ButtonLink to={paths.addAircraft}>Add New Aircraft</ButtonLink>}
        </>
      }
    >
      <p>Status, last readings and maintenance of every aircraft.</p>
    </Card>
  );
}

export function UserManagementCard() {
  return (
    <Card
      title="User Management"
      actions={
        <>
          <ButtonLink to={paths.users}>Manage Users</ButtonLink>
          <ButtonLink to={paths.invitations}>Invite New User</ButtonLink>
        </>
      }
    >
      <p>Who may sign in, and in which role.</p>
    </Card>
  );
}
