import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { loadIsland } from '#app/ui/load-island.ts';

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('window', { setTimeout });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

it('a part of the page that fails to load is asked for every five seconds until it comes (B948)', async () => {
  const lost = new TypeError('Importing a module script failed.');
  const load = vi.fn().mockRejectedValueOnce(lost).mockRejectedValueOnce(lost).mockResolvedValue('island');
  const loading = loadIsland(load);
  for (const calls of [1, 1, 2, 2, 3]) {
    await vi.advanceTimersByTimeAsync(calls === 1 ? 2000 : 2500);
    expect(load).toHaveBeenCalledTimes(calls);
  }
  expect(await loading).toBe('island');
});
