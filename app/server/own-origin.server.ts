/** Whether an Origin header names this product: as APP_URL has it, or as the host the request was sent to (C27). */
export function isOwnOrigin(origin: string, host: string | undefined, appUrl: string): boolean {
  if (!URL.canParse(origin)) return false;
  return new URL(origin).origin === new URL(appUrl).origin || new URL(origin).host === host;
}

/** Stands in Sec-Fetch-Site for a browser that hid where a form came from, as it does for pages under 'no-referrer'. */
export const HIDDEN_ORIGIN = 'hidden';
