import { AppError } from '#app/domain/app-error.ts';
import { accessTokenTexts } from '#app/domain/people/access-tokens/access-token-texts.server.ts';
import { ACCESS_TOKEN_WINDOW_MS, MAX_ACCESS_TOKEN_REQUESTS } from '#app/limits.ts';
import { RequestBudget, secondsLeft, type Spent } from './request-budget.ts';

const budget = new RequestBudget<number>(ACCESS_TOKEN_WINDOW_MS);
const spentByRequest = new WeakMap<Request, Spent>();

/** Counts the request against its token's minute. Throws 'tooMany'. */
export function spendTokenBudget(request: Request, tokenId: number): void {
  const spent = budget.of(tokenId);
  spent.requests += 1;
  spentByRequest.set(request, spent);
  if (spent.requests <= MAX_ACCESS_TOKEN_REQUESTS) return;
  throw new AppError('tooMany', accessTokenTexts.tooManyRequests).retryAfter(secondsLeft(spent));
}

/** Returns what is left of the minute, in the IETF draft's RateLimit header fields; none without a token. */
export function budgetHeaders(request: Request): Record<string, string> {
  const spent = spentByRequest.get(request);
  if (!spent) return {};
  const left = Math.max(MAX_ACCESS_TOKEN_REQUESTS - spent.requests, 0);
  return {
    'ratelimit-policy': `"token";q=${MAX_ACCESS_TOKEN_REQUESTS};w=${ACCESS_TOKEN_WINDOW_MS / 1000}`,
    ratelimit: `"token";r=${left};t=${secondsLeft(spent)}`,
  };
}
