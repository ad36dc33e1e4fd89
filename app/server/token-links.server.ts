import { data, redirect } from '@remix-run/node';
import { AppError } from '#app/domain/app-error.ts';
import { paths } from '#app/paths.ts';
import { errorToast, redirectWithToast } from './flash.server.ts';

/** The token that a link brought. Without one there is nothing to show but sign-in (B063). */
export function requireLinkToken(value: unknown): string {
  if (typeof value !== 'string' || value === '') throw redirect(paths.auth, 303);
  return value;
}

/** Sign-in, with the words for a link that does not work (B065). */
export function redirectInvalidLink(words: string): Promise<Response> {
  return redirectWithToast(paths.auth, errorToast(words));
}

/** What `use` of a token leads to; `linkRefused` when it finds the token used up or expired meanwhile. */
export async function withLinkToken(use: () => Promise<Response>): Promise<Response> {
  try {
    return await use();
  } catch (error) {
    if (error instanceof AppError && error.code === 'notFound') return redirectInvalidLink(error.message);
    throw error;
  }
}

/** A page whose address holds a token: nothing that is sent from it names that address (C24). */
export function dataWithoutReferrer<Shown>(shown: Shown) {
  return data(shown, { headers: { 'referrer-policy': 'no-referrer' } });
}

/** The same while somebody is signed in: its Logout must tell its origin, and the origin is all it tells. */
export function dataWithOriginReferrer<Shown>(shown: Shown) {
  return data(shown, { headers: { 'referrer-policy': 'strict-origin' } });
}
