import { redirect } from '@remix-run/node';
import { Screen } from '#app/ui/page/screen.tsx';
import { db } from '#app/server/db.server.ts';
import { failure, redirectWith, success } from '#app/server/flash.server.ts';
import { tell } from '#app/server/error-responses.server.ts';
import { anyone, anyonePost } from '#app/server/screen.server.ts';
import { endSession } from '#app/server/session.server.ts';
import { paths } from '#app/paths.ts';

export const loader = anyone(async () => redirect(paths.dashboard));

export const action = anyonePost(async ({ request }) => {
  try {
    const cookie = await endSession(db, request);
    return redirectWith(paths.dashboard, success('Success', 'Logged out successfully'), [cookie]);
  } catch (error) {
    return redirectWith(paths.dashboard, failure(tell(error, 'Please try again.').text, 'Logout failed'));
  }
});

/** Never seen: without a page of its own a refused post would be answered by no page at all. */
export default function Logout() {
  return <Screen title="Logout">{null}</Screen>;
}
