import { data, redirect } from '@remix-run/node';
import { AppError } from '#app/domain/app-error.ts';
import { paths } from '#app/paths.ts';
import { errorToast, redirectWithToast } from './flash.server.ts';

/** The token of a link; redirects to sign-in without one. */
export function requireLinkToken(value: unknown): string {
  if (typeof value !== 'string' || value === '') throw redirect(paths.auth, 303);
  return value;
}

/** Sign-in, with a toast that the link does not work. */
export function redirectInvalidLink(words: string): Promise<Response> {
  return redirectWithToast(paths.auth, errorToast(words));
}

/** The response of `use`, or that of an invalid link when the token is used up or expired. */
export async function withLinkToken(use: () => Promise<Response>): Promise<Response> {
  try {
    return await use();
  } catch (error) {
    if (error instanceof AppError && error.code === 'notFound') return redirectInvalidLink(error.message);
    throw error;
  }
}

/** A page whose URL holds a token: it sends no referrer at all. */
export function dataWithoutReferrer<Shown>(shown: Shown) {
  return data(shown, { headers: { 'referrer-policy': 'no-referrer' } });
}

/** The same while somebody is signed in: its log-out form needs the origin. */
export function dataWithOriginReferrer<Shown>(shown: Shown) {
  return data(shown, { headers: { 'referrer-policy': 'strict-origin' } });
}
