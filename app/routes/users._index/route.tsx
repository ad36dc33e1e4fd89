import { useActionData, useLoaderData } from '@remix-run/react';
import { z } from 'zod';
import { ButtonLink } from '#app/ui/button.tsx';
import { CardList } from '#app/ui/layout.tsx';
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { Screen } from '#app/ui/page/screen.tsx';
import { pageTitle, useToast } from '#app/ui/hooks/use-root-data.ts';
import { UserCard } from './user-card.tsx';
import { db } from '#app/server/db.server.ts';
import { requireSchool, assertCan, type Member } from '#app/domain/actor.ts';
import { deleteUser } from '#app/domain/people/delete-user.server.ts';
import { findUsers } from '#app/domain/people/queries.server.ts';
import { sendPasswordLink } from '#app/domain/people/send-password-link.server.ts';
import { can } from '#app/domain/permissions.ts';
import { texts } from '#app/domain/texts.ts';
import { redirectWithToast, successToast, type Toast } from '#app/server/flash.server.ts';
import { newRequestId, handleForm } from '#app/server/form-action.server.ts';
import { parseId, requireId } from '#app/server/ids.server.ts';
import { authedLoader, authedAction } from '#app/server/screen.server.ts';
import { paths } from '#app/paths.ts';

export const meta = pageTitle('Users');

export const loader = authedLoader(async ({ actor, url }) => {
  const users = actor.schoolId === null ? [] : await findUsers(db, actor.schoolId);
  const manages = can(actor.role, 'manage users');
  const asked = /^delete-user:(\d+)$/.exec(url.searchParams.get('confirm') ?? '')?.[1];
  const toDelete = manages ? users.find(({ id }) => id === parseId(asked) && id !== actor.id) : undefined;
  return { users, ownId: actor.id, toDelete, requestId: manages ? newRequestId() : null };
});

type UserChange = (actor: Member, id: number, requestId: string | undefined) => Promise<Toast>;

const USER_CHANGES = {
  'delete-user': async (actor, id, requestId) => {
    await deleteUser(db, actor, id, requestId);
    return successToast('User deleted successfully');
  },
  'send-password-link': async (actor, id, requestId) => {
    const { email } = await sendPasswordLink(db, actor, id, requestId);
    return successToast('Password link sent', `A mail with the link is on its way to ${email}.`);
  },
} satisfies Record<string, UserChange>;

const changeFields = z.object({
  intent: z.enum(['delete-user', 'send-password-link'], 'Please choose what to do'),
  userId: z.string().optional(),
});

export const action = authedAction(async ({ actor, form }) => {
  assertCan(actor, 'manage users');
  const failed = form.get('intent') === 'delete-user' ? 'Failed to delete user' : 'Failed to send password link';
  return handleForm(form, changeFields, { failed }, async ({ intent, userId }, requestId) => {
    const id = requireId(userId, texts.userNotFound);
    return redirectWithToast(paths.users, await USER_CHANGES[intent](requireSchool(actor), id, requestId));
  });
});

export default function Users() {
  const { users, ownId, toDelete, requestId } = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  const toAdd = requestId && (
    <>
      <ButtonLink variant="primary" to={paths.invitations}>
        Invite New User
      </ButtonLink>
      <ButtonLink to={paths.addUser}>Add User</ButtonLink>
    </>
  );
  const question = toDelete && requestId && (
    <ConfirmDialog
      title={`Delete ${toDelete.username}`}
      text="Are you sure you want to delete this user?"
      confirmLabel="Delete"
      pendingLabel="Deleting..."
      cancelHref={paths.users}
      action={paths.usersAction}
      formValues={{ intent: 'delete-user', userId: String(toDelete.id), requestId }}
    />
  );
  return (
    <Screen title="Users" showBackLink actions={toAdd} beforeTitle={question} toast={useToast(reply)}>
      {users.length === 0 && <EmptyState text={texts.noSchool} />}
      <CardList>
        {users.map((user) => (
          <UserCard key={user.id} user={user} isOwn={user.id === ownId} requestId={requestId} />
        ))}
      </CardList>
    </Screen>
  );
}
