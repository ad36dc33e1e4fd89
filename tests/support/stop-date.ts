import { onTestFinished, vi } from 'vitest';

/** Stops `new Date()` of this process until the end of the test, now or at that time; the database's clock goes on. */
export function stopDate(at: Date | string = new Date()): void {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(at) });
  onTestFinished(() => void vi.useRealTimers());
}
