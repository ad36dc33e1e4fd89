import type { JoinedInvitation } from '#app/domain/invitations/joined-invitations.server.ts';
import { RoleBadge } from '#app/features/people/role-badge.tsx';
import { Badge, Card, DateTime, type DateTimeText } from '#app/ui/elements.tsx';

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
