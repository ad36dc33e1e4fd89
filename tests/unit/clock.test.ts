import { afterEach, expect, it, vi } from 'vitest';
import { watchClock } from '#app/server/observability/metrics.server.ts';

afterEach(() => vi.useRealTimers());

it.each([90, -90])('a clock that is set by %d seconds is noticed (B963)', (seconds) => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval'] });
  const setWithinMinute = watchClock();
  expect(setWithinMinute()).toBe(0);
  vi.setSystemTime(Date.now() + seconds * 1000);
  expect(Math.round(setWithinMinute())).toBe(90);
});
