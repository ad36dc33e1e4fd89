/** Compares an Origin header with APP_URL, scheme included, or with another host that the request was sent to. */
export function isOwnOrigin(origin: string, host: string | undefined, appUrl: string): boolean {
  // A browser sends an origin alone; 'http://somebody@our-host' is none.
  if (!URL.canParse(origin) || new URL(origin).origin !== origin) return false;
  const [theirs, ours] = [new URL(origin), new URL(appUrl)];
  return theirs.host === ours.host ? theirs.protocol === ours.protocol : theirs.host === host;
}

/** Stands for Sec-Fetch-Site if a browser hides the origin, as under 'no-referrer'. */
export const HIDDEN_ORIGIN = 'hidden';
