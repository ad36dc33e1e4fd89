import { expect, it, onTestFinished, vi } from 'vitest';
import { onePhotoStepAtATime } from '#app/domain/turns/queues.server.ts';

it('one photo is decoded or read at a time, and one that fails rejects its own caller alone (B423)', async () => {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const read = onePhotoStepAtATime(async (name: string) => {
    begun.push(name);
    await new Promise<void>((end) => ends.push(end));
    if (name === 'bad') throw new Error('broken');
    return name;
  });
  const all = Promise.allSettled([read('bad'), read('good')]);
  await new Promise((resolve) => setImmediate(resolve));
  expect(begun).toEqual(['bad']);
  for (let count = 0; count < 2; count += 1) {
    ends[count]?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(begun).toEqual(['bad', 'good']);
  expect((await all).map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
});

it('a photo waits a minute for the step before it, past eight there none is taken (B1183)', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  let end = () => {};
  const read = onePhotoStepAtATime(() => new Promise<void>((resolve) => (end = resolve)));
  const first = read('');
  const refused = Array.from({ length: 7 }, () => expect(read('')).rejects.toMatchObject({ code: 'unavailable' }));
  await expect(read('')).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 5 });
  vi.advanceTimersByTime(59_999);
  await new Promise((resolve) => setImmediate(resolve));
  vi.advanceTimersByTime(1);
  await Promise.all(refused);
  end();
  await first;
});
