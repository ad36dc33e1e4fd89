import type { Invitation } from '#app/domain/invitations/schema.server.ts';
import { paths } from '#app/paths.ts';
import { Badge, Button, ButtonLink, Card, EmptyState, DateTime, type DateTimeText } from '#app/ui/elements.tsx';
import { Breakable } from '#app/ui/breakable.tsx';
import { RoleBadge } from '#app/features/people/role-badge.tsx';
import { HiddenField } from '#app/ui/forms/fields.tsx';
import type { JoinedInvitation } from '#app/domain/invitations/joined-invitations.server.ts';
import { ActForm } from '#app/ui/forms/form.tsx';

interface InvitationView extends Omit<
  Invitation,
  'accepted' | 'createdAt' | 'sentAt' | 'mailError' | 'mailRefused' | 'samePerson' | 'invitedBy'
> {
  invitedBy: string;
  mailProblem: string | null;
  mailAnswer: string | null;
  sent: DateTimeText;
}

export function PendingInvitations({ invitations, requestId }: { invitations: InvitationView[]; requestId: string }) {
  return (
    <Card title="Pending Invitations">
      {invitations.length === 0 && <EmptyState text="No pending invitations" />}
      <ul className="list-rows">
        {invitations.map((invitation) => (
          <li key={invitation.id}>
            <PendingInvitation invitation={invitation} requestId={requestId} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function PendingInvitation({ invitation, requestId }: { invitation: InvitationView; requestId: string }) {
  const { id, email, name, role, invitedBy, sent, expired, mailDelivered, mailProblem, mailAnswer } = invitation;
  const labelSuffix = <span className="visually-hidden"> the invitation for {email}</span>;
  const sendAgain = (
    <ActForm action={paths.invitations} preventScrollReset requestId={requestId}>
      <HiddenField name="invitationId" value={id} />
      <Button variant={expired || !mailDelivered ? 'secondary' : 'quiet'} name="intent" value="resend-invitation">
        Send again{labelSuffix}
      </Button>
    </ActForm>
  );
  return (
    <>
      <h3>
        <Breakable text={email} />
      </h3>
      <p className="badge-list">
        <RoleBadge role={role} />
        <Badge tone="in-progress">Pending</Badge>
        {expired && <Badge tone="low">Expired</Badge>}
      </p>
      <p className="hint user-text">
        {name}, invited by {invitedBy}, sent <DateTime value={sent} />
      </p>
      {!mailDelivered && (
        <p className="inline-note" data-tone="caution">
          Mail not delivered yet
        </p>
      )}
      {mailProblem && <p className="hint">{mailProblem}</p>}
      {mailAnswer && (
        <details className="fold">
          <summary>
            Details<span className="visually-hidden"> of the mail to {email}</span>
          </summary>
          <p className="hint user-text">{mailAnswer}</p>
        </details>
      )}
      <div className="actions">
        {sendAgain}
        <ButtonLink variant="quiet" to={paths.invitation(id)}>
          Edit{labelSuffix}
        </ButtonLink>
        <ButtonLink variant="quiet" to={paths.confirmDeleteInvitation(id)} preventScrollReset>
          Delete{labelSuffix}
        </ButtonLink>
      </div>
    </>
  );
}

type JoinedView = Pick<JoinedInvitation, 'id' | 'name' | 'role'> & { joinedAs: string; joined: DateTimeText };

export function JoinedInvitations({ invitations }: { invitations: JoinedView[] }) {
  if (invitations.length === 0) return null;
  return (
    <Card title="Joined" subtitle="The last invitations that ended because their people are users now">
      <ul className="list-rows">
        {invitations.map(({ id, name, role, joinedAs, joined }) => (
          <li key={id}>
            <h3 className="user-text">{name}</h3>
            <p className="badge-list">
              <RoleBadge role={role} />
              <Badge tone="completed">Joined</Badge>
            </p>
            <p className="subtitle user-text">
              as {joinedAs}, <DateTime value={joined} />
            </p>
          </li>
        ))}
      </ul>
    </Card>
  );
}
