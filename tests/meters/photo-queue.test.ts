import { expect, it } from 'vitest';
import { oneAtATime } from '#app/domain/turns/queues.server.ts';

it('one photo is decoded or read at a time, and one that fails rejects its own caller alone (B423)', async () => {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const read = oneAtATime(async (name: string) => {
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
