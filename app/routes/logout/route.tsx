import { ActForm, keepFormOnNetworkError, SubmitButton } from '#app/ui/forms/form.tsx';
import { publicAction, publicLoader } from '#app/server/screen.server.ts';
import { redirect } from '@remix-run/node';
import { DISCARDS_UNSENT } from '#app/domain/typed-forms/field-names.ts';
import { texts } from '#app/domain/texts.ts';
import { ButtonLink, Card, Actions } from '#app/ui/elements.tsx';
import { HiddenField } from '#app/ui/forms/fields.tsx';
import { createTitleMeta, Screen } from '#app/ui/page/screen.tsx';
import { errorToast, redirectWithToast, successToast } from '#app/server/flash.server.ts';
import { toErrorView } from '#app/server/error-responses.server.ts';
import { CLEAR_SITE_DATA_HEADERS, signOut } from '#app/server/session/session.server.ts';
import { paths } from '#app/paths.ts';

export const meta = createTitleMeta('Not Everything Was Sent');

export const clientAction = keepFormOnNetworkError('Logout failed', texts.stillSignedIn);

/** Only where a device has said that something on it was not sent. */
export const loader = publicLoader(async ({ actor, url }) => {
  if (!actor || !url.searchParams.has('unsent')) throw redirect(paths.dashboard);
  return null;
});

export const action = publicAction({
  handle: async ({ request }) => {
    try {
      const cookie = await signOut(request);
      const toast = successToast('Success', 'Logged out successfully');
      return await redirectWithToast(paths.dashboard, toast, [cookie], CLEAR_SITE_DATA_HEADERS);
    } catch (error) {
      const { text } = toErrorView(error, 'Please try again.');
      return redirectWithToast(paths.dashboard, errorToast(text, 'Logout failed'));
    }
  },
});

export default function Logout() {
  return (
    <Screen title="Not Everything Was Sent" showBackLink width="form">
      <Card>
        <p>
          Something that was entered on this device has not been sent: by you, or by somebody who was signed in here
          before. Logging out removes it from this device for good.
        </p>
        <ActForm action={paths.logout}>
          <HiddenField name={DISCARDS_UNSENT} value="yes" />
          <Actions>
            <ButtonLink to={paths.dashboard}>Stay signed in</ButtonLink>
            <SubmitButton variant="danger" pendingLabel="Logging out...">
              Log out and remove it
            </SubmitButton>
          </Actions>
        </ActForm>
      </Card>
    </Screen>
  );
}
