import { authedFormAction, authedLoader, newFormRequestId } from '#app/server/screen.server.ts';
import { useActionData, useLoaderData } from '@remix-run/react';
import { RoleBadge } from '#app/features/people/role-badge.tsx';
import { ButtonLink, Card, DescriptionList } from '#app/ui/elements.tsx';
import { Screen, createTitleMeta, useToast } from '#app/ui/page/screen.tsx';
import { ACCOUNT_CHANGE_HANDLERS, changeAccountSchema, loadAccountPage } from './account-page.server.ts';
import { OwnAccessTokens, OwnPasskeys } from './own-keys.tsx';
import { OwnData, OwnKeyboardShortcuts, OwnSecurityNotices } from './own-settings.tsx';
import { OwnSessions } from './own-sessions.tsx';
import { can } from '#app/domain/permissions.ts';
import { paths } from '#app/paths.ts';

export { clientAction } from '#app/ui/forms/form.tsx';

export const meta = createTitleMeta('Account');

export const loader = authedLoader({
  can: 'anyRole',
  school: 'optional',
  load: async ({ actor }) => ({ ...(await loadAccountPage(actor)), requestId: newFormRequestId() }),
});

export const action = authedFormAction({
  can: 'anyRole',
  school: 'optional',
  schema: changeAccountSchema,
  failed: 'Failed to change your account',
  run: ({ actor, input, requestId }) => ACCOUNT_CHANGE_HANDLERS[input.intent](actor, input, requestId),
});

export default function Account() {
  const account = useLoaderData<typeof loader>();
  const { username, name, email, role, singleKeys, hasSecondFactor, requestId } = account;
  const reply = useActionData<typeof action>();
  return (
    <Screen
      title="Account"
      badge={<RoleBadge role={role} />}
      showBackLink
      toast={useToast(reply)}
      width="form"
      actions={can(role, 'manage school') && <ButtonLink to={paths.school}>School</ButtonLink>}
    >
      <Card
        title="Sign-in"
        actions={
          <>
            <ButtonLink to={paths.changePassword}>Change Password</ButtonLink>
            <ButtonLink to={paths.changeEmail}>Change Email</ButtonLink>
            <ButtonLink to={paths.changeName}>Change Name</ButtonLink>
            <ButtonLink to={paths.secondFactor}>
              {hasSecondFactor ? 'Change Second Factor' : 'Set Up Second Factor'}
            </ButtonLink>
          </>
        }
      >
        <DescriptionList
          items={[
            { term: 'Username', detail: <span className="user-text">{username}</span> },
            { term: 'Name', detail: <span className="user-text">{name ?? '-'}</span> },
            { term: 'Email', detail: <span className="address">{email}</span> },
            { term: 'Second factor', detail: hasSecondFactor ? 'On' : 'Off' },
          ]}
        />
      </Card>
      <OwnPasskeys passkeys={account.passkeys} requestId={requestId} />
      <OwnAccessTokens tokens={account.accessTokens} requestId={requestId} />
      <OwnKeyboardShortcuts singleKeys={singleKeys} requestId={requestId} />
      <OwnSessions sessions={account.sessions} requestId={requestId} />
      <OwnSecurityNotices notices={account.notices} />
      <OwnData />
    </Screen>
  );
}
