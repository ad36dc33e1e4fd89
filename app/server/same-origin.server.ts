import { AppError } from '#app/domain/app-error.ts';
import { texts } from '#app/domain/texts.ts';
import { env } from '#app/env.server.ts';
import { HIDDEN_ORIGIN, isOwnOrigin } from './own-origin.server.ts';

/** Throws 'forbidden' for a cross-site request; clients other than browsers send neither header. */
export function assertSameOrigin(request: Request): void {
  if (!isSameOrigin(request)) throw new AppError('forbidden', texts.crossOrigin);
}

/** Throws for another origin. Pages with a link token send no referrer, which hides their forms' origin over http. */
export function assertNotCrossOrigin(request: Request): void {
  if (request.headers.get('sec-fetch-site') !== HIDDEN_ORIGIN) assertSameOrigin(request);
}

function isSameOrigin({ headers }: Request): boolean {
  const site = headers.get('sec-fetch-site');
  if (site !== null) return site === 'same-origin' || site === 'none';
  const origin = headers.get('origin');
  if (origin === null) return true;
  return isOwnOrigin(origin, headers.get('host') ?? undefined, env.APP_URL);
}
