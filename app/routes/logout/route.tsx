import { keepFormOnNetworkError } from '#app/ui/forms/keep-form-on-network-error.ts';
import { publicLoader } from '#app/server/screen-loader.server.ts';
import { publicAction } from '#app/server/screen-action.server.ts';
import { redirect } from '@remix-run/node';
import { Screen } from '#app/ui/page/screen.tsx';
import { errorToast, redirectWithToast, successToast } from '#app/server/flash.server.ts';
import { toErrorView } from '#app/server/error-responses.server.ts';
import { CLEAR_SITE_DATA } from '#app/server/session/session.server.ts';
import { signOut } from '#app/server/session/sign-out.server.ts';
import { KEEPS_UNSENT } from '#app/service-worker/headers.ts';
import { paths } from '#app/paths.ts';

export const clientAction = keepFormOnNetworkError('Logout failed');

export const loader = publicLoader(async () => redirect(paths.dashboard));

export const action = publicAction({
  handle: async ({ request }) => {
    try {
      const cookie = await signOut(request);
      const toast = successToast('Success', 'Logged out successfully');
      return await redirectWithToast(paths.dashboard, toast, [cookie], clearing(request));
    } catch (error) {
      const { text } = toErrorView(error, 'Please try again.');
      return redirectWithToast(paths.dashboard, errorToast(text, 'Logout failed'));
    }
  },
});

/** Forgets what the browser stores, unless a worker keeps encrypted forms to send and forgets all else by itself. */
function clearing({ headers }: Request): Record<string, string> {
  return headers.has(KEEPS_UNSENT) ? {} : CLEAR_SITE_DATA;
}

/** The page is never shown, but a rejected post needs a route with a component to render its error. */
export default function Logout() {
  return <Screen title="Logout">{null}</Screen>;
}
