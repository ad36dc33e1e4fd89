import { AppError } from '#app/domain/app-error.ts';
import { texts } from '#app/domain/texts.ts';
import { env } from '#app/env.server.ts';
import { HIDDEN_ORIGIN, isOwnOrigin } from './own-origin.server.ts';

/**
 * Throws 'forbidden' when a browser says that another site sent this request (C27). A client that sends neither
 * Sec-Fetch-Site nor Origin is no browser and carries nobody's cookies by accident.
 */
export function assertSameOrigin(request: Request): void {
  if (!isSameOrigin(request)) throw new AppError('forbidden', texts.crossOrigin);
}

/**
 * The same for a form that carries a secret of its own and uses no session: its page sends no referrer (C24), and over
 * plain http a browser then hides the origin, too.
 */
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
