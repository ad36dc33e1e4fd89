import { data, redirect } from '@remix-run/node';
import { AppError } from '#app/domain/app-error.ts';
import { serverOnlyPaths } from '#app/paths.ts';
import { errorToast, redirectWithToast } from '../flash.server.ts';

/** Returns the token; redirects to sign-in without one. */
export function requireLinkToken(value: unknown): string {
  if (typeof value !== 'string' || value === '') throw redirect(serverOnlyPaths.auth, 303);
  return value;
}

export function redirectForInvalidLink(text: string, to: string = serverOnlyPaths.auth): Promise<Response> {
  return redirectWithToast(to, errorToast(text));
}

/** Responds to a used or expired token with a redirect to sign-in, or to where there is a new one. */
export async function redirectOnInvalidLinkToken(use: () => Promise<Response>, to?: string): Promise<Response> {
  try {
    return await use();
  } catch (error) {
    if (error instanceof AppError && error.code === 'notFound') return redirectForInvalidLink(error.message, to);
    throw error;
  }
}

/** Sends data for a page whose URL contains a token. */
export function dataWithoutReferrer<Data>(value: Data) {
  return data(value, { headers: { 'referrer-policy': 'no-referrer' } });
}

/** Sends data for such a page while signed in: the log-out form needs an origin. */
export function dataWithOriginReferrer<Data>(value: Data) {
  return data(value, { headers: { 'referrer-policy': 'strict-origin' } });
}
