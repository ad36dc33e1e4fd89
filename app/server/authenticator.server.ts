import { Authenticator } from 'remix-auth';
import { FormStrategy } from 'remix-auth-form';
import { db } from './db.server.ts';
import { type SignInInput, signInSchema } from '#app/domain/people/schema.server.ts';
import { signIn } from '#app/domain/people/sign-in.server.ts';
import { clientNetwork } from './client-address.server.ts';

const authenticator = new Authenticator<number>().use(
  new FormStrategy(({ form, request }) =>
    signIn(db, signInSchema.parse(Object.fromEntries(form)), clientNetwork(request)),
  ),
);

/**
 * The id of the user who signs in with these credentials, from page and API alike.
 * Throws 'unauthorized' or 'tooMany' (C37). The body has been read and checked by now, so the strategy gets it anew.
 */
export function authenticate(request: Request, { username, password }: SignInInput): Promise<number> {
  const headers = new Headers(request.headers);
  headers.delete('content-length');
  headers.delete('content-type');
  const body = new URLSearchParams({ username, password });
  return authenticator.authenticate('form', new Request(request.url, { method: 'POST', headers, body }));
}
