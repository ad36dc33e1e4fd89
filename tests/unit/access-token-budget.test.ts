import { expect, it, vi } from 'vitest';
import { MAX_ACCESS_TOKEN_REQUESTS } from '#app/limits.ts';
import { Limiter } from '#app/domain/limiter.server.ts';
import { budgetHeaders, spendTokenBudget } from '#app/server/api/api-user.server.ts';

/** Numbers that no database of another test gives: the budgets are the process's. */
const [SPENT, OTHER] = [2_000_000_007, 2_000_000_008];

const request = () => new Request('http://localhost:3000/api/user');

it('an access token that was used 300 times within a minute is refused with 429, another one is not (B905)', () => {
  for (let count = 0; count < MAX_ACCESS_TOKEN_REQUESTS; count += 1) spendTokenBudget(request(), SPENT);
  const refused = request();
  expect(() => spendTokenBudget(refused, SPENT)).toThrow(
    expect.objectContaining({ code: 'tooMany', retryAfterSeconds: expect.closeTo(60, -1) }),
  );
  expect(budgetHeaders(refused)).toMatchObject({ ratelimit: expect.stringContaining(';r=0;t=') });
  expect(() => spendTokenBudget(request(), OTHER)).not.toThrow();
});

it('a window that has not ended outlives the sweep of those that have (B905)', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000 });
  try {
    const limiter = new Limiter(1, 60_000);
    limiter.count('early');
    vi.setSystemTime(1_030_000);
    limiter.count('late');
    vi.setSystemTime(1_061_000);
    expect(['early', 'late'].map((key) => limiter.look(key).count)).toEqual([0, 1]);
    expect(limiter.count('other').count).toBe(1);
    expect(limiter.count('late')).toEqual({ count: 2, secondsLeft: 29, left: -1 });
    expect(limiter.count('early')).toEqual({ count: 1, secondsLeft: 60, left: 0 });
  } finally {
    vi.useRealTimers();
  }
});
