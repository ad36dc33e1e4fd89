/** Whether an Origin header is this application's: that of APP_URL, or the host the request was sent to. */
export function isOwnOrigin(origin: string, host: string | undefined, appUrl: string): boolean {
  if (!URL.canParse(origin)) return false;
  return new URL(origin).origin === new URL(appUrl).origin || new URL(origin).host === host;
}

/** Stands in Sec-Fetch-Site where a browser hides the origin, as under 'no-referrer'. */
export const HIDDEN_ORIGIN = 'hidden';
