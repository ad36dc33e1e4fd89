import { authedFormAction, authedLoader } from '#app/server/screen.server.ts';
import { useActionData, useLoaderData } from '@remix-run/react';
import { ButtonLink, EmptyState } from '#app/ui/elements.tsx';
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx';
import { Screen, createTitleMeta, useToast } from '#app/ui/page/screen.tsx';
import { FilterForm, FilterText } from '#app/ui/forms/filter-form.tsx';
import { LinkToCopy } from '#app/ui/page/link-to-copy.tsx';
import { Pager } from '#app/ui/pager.tsx';
import { UserList } from './user-list.tsx';
import { changeUser, changeUserSchema, loadUsersPage } from './users-page.server.ts';
import { texts } from '#app/domain/texts.ts';
import { keepFormOnNetworkError } from '#app/ui/forms/form.tsx';
import { MAX_SEARCH_CHARACTERS } from '#app/limits.ts';
import { paths } from '#app/paths.ts';

const FAILURES: Record<string, string> = {
  'delete-user': 'Failed to delete user',
  'remove-second-factor': 'Failed to remove the second factor',
  'sign-out-user': 'Failed to sign the user out',
};
const failedText = (intent: unknown) => FAILURES[String(intent)] ?? 'Failed to send password link';

export const clientAction = keepFormOnNetworkError(failedText);

export const meta = createTitleMeta('Users');

export const loader = authedLoader({
  can: 'anyRole',
  school: 'optional',
  load: ({ actor, url }) => loadUsersPage(actor, url),
});

export const action = authedFormAction({
  can: 'manage users',
  schema: changeUserSchema,
  failed: (form) => failedText(form.get('intent')),
  run: ({ actor, url, input, requestId }) => changeUser(actor, url, input, requestId),
});

export default function Users() {
  const { users, addresses, search, first, next, ownId, toDelete, requestId } = useLoaderData<typeof loader>();
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
      cancelHref={addresses.list}
      action={addresses.action}
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
      {users.length > 0 && <UserList users={users} addresses={addresses} ownId={ownId} requestId={requestId} />}
      <Pager newerHref={first} olderHref={next} labels={{ newer: 'First', older: 'Next' }} />
    </Screen>
  );
}
