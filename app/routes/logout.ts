import { redirect } from '@remix-run/node';
import { db } from '../db.server.ts';
import { redirectWith, success } from '../http/flash.server.ts';
import { anyone, anyonePost } from '../http/screen.server.ts';
import { endSession } from '../http/session.server.ts';
import { paths } from '../paths.ts';

export const loader = anyone(async () => redirect(paths.dashboard));

export const action = anyonePost(async ({ request }) =>
  redirectWith(paths.dashboard, success('Success', 'Logged out successfully'), [await endSession(db, request)]),
);
