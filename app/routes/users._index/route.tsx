import { authedFormAction, authedLoader, newRequestId } from '#app/server/screen.server.ts';
import { useActionData, useLoaderData } from '@remix-run/react';
import { z } from 'zod';
import { ButtonLink, EmptyState } from '#app/ui/elements.tsx';
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx';
import { Screen, pageTitle, useToast } from '#app/ui/page/screen.tsx';
import { FilterForm, FilterText } from '#app/ui/forms/filter-form.tsx';
import { LinkToCopy } from '#app/ui/page/link-to-copy.tsx';
import { Pager } from '#app/ui/pager.tsx';
import { UserList } from './user-list.tsx';
import { loadUsersPage } from './users-page.server.ts';
import { db } from '#app/server/db.server.ts';
import type { Member } from '#app/domain/actor.ts';
import { deleteUser } from '#app/domain/people/change-user.server.ts';
import { withLink } from '#app/domain/mail/queries.server.ts';
import { findUser } from '#app/domain/people/list-users.server.ts';
import { removeLostSecondFactor } from '#app/domain/people/second-factor/change-second-factor.server.ts';
import { sendPasswordLink } from '#app/domain/people/reset-password.server.ts';
import { signOutUser } from '#app/domain/people/end-sessions.server.ts';
import { can } from '#app/domain/permissions.ts';
import { texts } from '#app/domain/texts.ts';
import { linkToast, redirectWithToast, successToast, type Toast } from '#app/server/flash.server.ts';
import { parseId, requireId } from '#app/server/query-values.server.ts';
import { MAX_SEARCH_CHARACTERS } from '#app/limits.ts';
import { paths } from '#app/paths.ts';

export { clientAction } from '#app/ui/forms/form.tsx';

export const meta = pageTitle('Users');

export const loader = authedLoader({
  can: 'anyRole',
  school: 'optional',
  load: async ({ actor, url }) => {
    const canManage = can(actor.role, 'manage users');
    const confirmId = /^delete-user:(\d+)$/.exec(url.searchParams.get('confirm') ?? '')?.[1];
    const deleteId = canManage ? parseId(confirmId) : undefined;
    const [page, toDelete] = await Promise.all([
      loadUsersPage(actor, url),
      deleteId === undefined || deleteId === actor.id ? undefined : findUser(db, actor.schoolId, deleteId),
    ]);
    return { ...page, ownId: actor.id, toDelete, requestId: canManage ? newRequestId() : null };
  },
});

type UserChange = (actor: Member, id: number, requestId: string | undefined) => Promise<Toast>;

const USER_CHANGES = {
  'delete-user': async (actor, id, requestId) => {
    await deleteUser(db, actor, id, requestId);
    return successToast('User deleted successfully');
  },
  'send-password-link': async (actor, id, requestId) => {
    const { result, link } = await withLink((onLink) => sendPasswordLink(db, actor, id, requestId, onLink));
    return linkToast('Password link sent', `A mail with the link is on its way to ${result.email}.`, link);
  },
  'remove-second-factor': async (actor, id, requestId) => {
    const { username } = await removeLostSecondFactor(db, actor, id, requestId);
    return successToast('Second factor removed', `${username} signs in with the password alone now.`);
  },
  'sign-out-user': async (actor, id, requestId) => {
    const { username } = await signOutUser(db, actor, id, requestId);
    return successToast('User signed out', `${username} is signed out on every device.`);
  },
} satisfies Record<string, UserChange>;

const FAILURES: Record<string, string> = {
  'delete-user': 'Failed to delete user',
  'remove-second-factor': 'Failed to remove the second factor',
  'sign-out-user': 'Failed to sign the user out',
};

const changeSchema = z.object({
  intent: z.enum(['delete-user', 'remove-second-factor', 'send-password-link', 'sign-out-user'], texts.actionRequired),
  userId: z.string().optional(),
});

export const action = authedFormAction({
  can: 'manage users',
  schema: changeSchema,
  failed: (form) => FAILURES[String(form.get('intent'))] ?? 'Failed to send password link',
  run: async ({ actor, input, requestId }) => {
    const id = requireId(input.userId, texts.userNotFound);
    return redirectWithToast(paths.users, await USER_CHANGES[input.intent](actor, id, requestId));
  },
});

export default function Users() {
  const { users, search, first, next, ownId, toDelete, requestId } = useLoaderData<typeof loader>();
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
  const toast = useToast(reply);
  return (
    <Screen title="Users" showBackLink actions={toAdd} beforeTitle={question} toast={toast}>
      <LinkToCopy toast={toast} />
      {search !== null && (
        <FilterForm submitLabel="Find">
          <FilterText name="q" label="Name or email" value={search} maxLength={MAX_SEARCH_CHARACTERS} />
        </FilterForm>
      )}
      {users.length === 0 && <EmptyState text={search === null ? texts.noSchool : 'Nobody found'} />}
      {users.length > 0 && <UserList users={users} ownId={ownId} requestId={requestId} />}
      <Pager newerHref={first} olderHref={next} labels={{ newer: 'First', older: 'Next' }} />
    </Screen>
  );
}
