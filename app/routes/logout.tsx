import { redirect } from '@remix-run/node';
import { Screen } from '../components/screen.tsx';
import { db } from '../db.server.ts';
import { failure, redirectWith, success } from '../http/flash.server.ts';
import { tell } from '../http/refusals.server.ts';
import { anyone, anyonePost } from '../http/screen.server.ts';
import { endSession } from '../http/session.server.ts';
import { paths } from '../paths.ts';

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
