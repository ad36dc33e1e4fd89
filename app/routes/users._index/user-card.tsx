import { Form } from '@remix-run/react';
import type { User } from '#app/domain/people/schema.server.ts';
import { paths } from '#app/paths.ts';
import { RoleBadge } from '#app/features/people/role-badge.tsx';
import { Button, ButtonLink } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { HiddenField, RequestId } from '#app/ui/forms/hidden-field.tsx';

interface UserCardProps {
  user: User & { mark: string | null };
  /** Whether it is the signed-in user's card, which offers neither sign-out nor deletion. */
  isOwn: boolean;
  /** Null: may not manage users. */
  requestId: string | null;
}

export function UserCard({ user, isOwn, requestId }: UserCardProps) {
  const { id, username, name, mark, email, role } = user;
  return (
    <Card
      id={`user-${id}`}
      title={username}
      subtitle={name || mark ? [name, mark].filter(Boolean).join(', ') : undefined}
      badge={<RoleBadge role={role} />}
      actions={
        requestId && (
          <>
            <Form method="post" action={paths.usersAction} preventScrollReset>
              <RequestId value={requestId} />
              <HiddenField name="userId" value={String(id)} />
              <Button variant="quiet" name="intent" value="send-password-link">
                Send password link<span className="visually-hidden"> to {username}</span>
              </Button>
              {!isOwn && (
                <Button variant="quiet" name="intent" value="sign-out-user">
                  Sign out everywhere<span className="visually-hidden">: {username}</span>
                </Button>
              )}
            </Form>
            <ButtonLink to={paths.user(id)}>
              Edit<span className="visually-hidden"> {username}</span>
            </ButtonLink>
            {!isOwn && (
              <ButtonLink variant="danger" to={paths.confirmDeleteUser(id)} preventScrollReset>
                Delete<span className="visually-hidden"> {username}</span>
              </ButtonLink>
            )}
          </>
        )
      }
    >
      <p className="subtitle">{email}</p>
    </Card>
  );
}
