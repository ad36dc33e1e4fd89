/** Compares an Origin header with APP_URL and the request's host. */
export function isOwnOrigin(origin: string, host: string | undefined, appUrl: string): boolean {
  if (!URL.canParse(origin)) return false;
  return new URL(origin).origin === new URL(appUrl).origin || new URL(origin).host === host;
}

/** Replaces Sec-Fetch-Site where a browser hides the origin, as under 'no-referrer'. */
export const HIDDEN_ORIGIN = 'hidden';
