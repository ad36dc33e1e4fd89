import { AppError } from '#app/domain/app-error.ts';
import { texts } from '#app/domain/texts.ts';
import { env } from '#app/env.server.ts';

/** Throws 'forbidden' for a cross-site request; clients other than browsers send neither header. */
export function assertSameOrigin(request: Request): void {
  if (!isSameOrigin(request)) throw new AppError('forbidden', texts.crossOrigin);
}

/** Throws for another origin. Pages with a link token send no referrer, which hides their forms' origin over http. */
export function assertSameOrHiddenOrigin(request: Request): void {
  if (request.headers.get('sec-fetch-site') !== HIDDEN_FETCH_SITE) assertSameOrigin(request);
}

function isSameOrigin({ headers }: Request): boolean {
  const site = headers.get('sec-fetch-site');
  if (site !== null) return site === 'same-origin' || site === 'none';
  const origin = headers.get('origin');
  if (origin === null) return true;
  return isOwnOrigin(origin, headers.get('host') ?? undefined, env.APP_URL);
}

/** Compares an Origin header with APP_URL, scheme included, or with another host that the request was sent to. */
export function isOwnOrigin(origin: string, host: string | undefined, appUrl: string): boolean {
  // A browser sends an origin alone; 'http://somebody@our-host' is none.
  if (!URL.canParse(origin) || new URL(origin).origin !== origin) return false;
  const [theirs, ours] = [new URL(origin), new URL(appUrl)];
  return theirs.host === ours.host ? theirs.protocol === ours.protocol : theirs.host === host;
}

/** Stands for Sec-Fetch-Site if a browser hides the origin, as under 'no-referrer'. */
export const HIDDEN_FETCH_SITE = 'hidden';
