import { Link } from '#app/ui/link.tsx';
import type { User } from '#app/domain/people/schema.server.ts';
import { paths } from '#app/paths.ts';
import { RoleBadge } from '#app/features/people/role-badge.tsx';
import { Badge, Button, ButtonLink } from '#app/ui/elements.tsx';
import { Breakable } from '#app/ui/breakable.tsx';
import { HiddenField } from '#app/ui/forms/fields.tsx';
import { Menu } from '#app/ui/menu.tsx';
import { ActForm } from '#app/ui/forms/form.tsx';

type MarkedUser = User & { mark: string | null; isInFlight: boolean };

interface Addresses {
  action: string;
  askToDelete: string;
}

interface UserListProps {
  users: MarkedUser[];
  addresses: Addresses;
  ownId: number;
  requestId: string | null;
}

export function UserList({ users, addresses, ownId, requestId }: UserListProps) {
  return (
    <ul className="user-rows">
      {users.map((user) => (
        <UserRow key={user.id} {...{ user, addresses, requestId }} isOwn={user.id === ownId} />
      ))}
    </ul>
  );
}

interface UserRowProps {
  user: MarkedUser;
  addresses: Addresses;
  /** True if it is the signed-in user's row, which offers neither sign-out nor deletion. */
  isOwn: boolean;
  requestId: string | null;
}

function UserRow({ user, addresses, isOwn, requestId }: UserRowProps) {
  const { id, username, name, mark, email, role, isInFlight } = user;
  const aside = [name, mark, isOwn && 'you'].filter(Boolean).join(', ');
  return (
    <li id={`user-${id}`}>
      <div>
        <h2>
          {requestId === null ? (
            <Breakable text={username} />
          ) : (
            <Link className="row-link" to={paths.user(id)}>
              <Breakable text={username} />
            </Link>
          )}
        </h2>
        {aside && <p className="hint">{aside}</p>}
      </div>
      <p className="badge-list">
        <RoleBadge role={role} />
        {isInFlight && <Badge tone="in-progress">In flight</Badge>}
      </p>
      <p className="address">
        <Breakable text={email} />
      </p>
      {requestId !== null && <UserMenu {...{ user, addresses, isOwn, requestId }} />}
    </li>
  );
}

function UserMenu({ user, addresses, isOwn, requestId }: UserRowProps & { requestId: string }) {
  const { id, username } = user;
  const change = (intent: string, label: string, rest: string) => (
    <ActForm action={addresses.action} preventScrollReset requestId={requestId}>
      <HiddenField name="userId" value={id} />
      <Button variant="quiet" name="intent" value={intent}>
        {label}
        <span className="visually-hidden">{rest}</span>
      </Button>
    </ActForm>
  );
  return (
    <Menu label="Actions" labelSuffix={`for ${username}`}>
      <ButtonLink variant="quiet" to={paths.user(id)}>
        Edit<span className="visually-hidden"> {username}</span>
      </ButtonLink>
      {change('send-password-link', 'Send password link', ` to ${username}`)}
      {!isOwn && change('sign-out-user', 'Sign out everywhere', `: ${username}`)}
      {!isOwn && (
        <ButtonLink variant="quiet" to={`${addresses.askToDelete}${id}`} preventScrollReset>
          Delete<span className="visually-hidden"> {username}</span>
        </ButtonLink>
      )}
    </Menu>
  );
}
