import { AppError } from '#app/domain/app-error.ts';
import { Limiter } from '#app/domain/limiter.server.ts';
import { accessTokenTexts } from '#app/domain/people/access-tokens/access-token-texts.server.ts';
import { ACCESS_TOKEN_WINDOW_MS, MAX_ACCESS_TOKEN_REQUESTS } from '#app/limits.ts';

const limiter = new Limiter(MAX_ACCESS_TOKEN_REQUESTS, ACCESS_TOKEN_WINDOW_MS);
const counted = new WeakMap<Request, { left: number; secondsLeft: number }>();

/** Counts the request against its token's minute. Throws 'tooMany'. */
export function spendTokenBudget(request: Request, tokenId: number): void {
  const spent = limiter.count(String(tokenId));
  counted.set(request, spent);
  if (spent.left < 0) throw new AppError('tooMany', accessTokenTexts.tooManyRequests).retryAfter(spent.secondsLeft);
}

/** Returns what is left of the minute, in the IETF draft's RateLimit header fields; none without a token. */
export function budgetHeaders(request: Request): Record<string, string> {
  const spent = counted.get(request);
  if (!spent) return {};
  return {
    'ratelimit-policy': `"token";q=${MAX_ACCESS_TOKEN_REQUESTS};w=${ACCESS_TOKEN_WINDOW_MS / 1000}`,
    ratelimit: `"token";r=${Math.max(spent.left, 0)};t=${spent.secondsLeft}`,
  };
}
