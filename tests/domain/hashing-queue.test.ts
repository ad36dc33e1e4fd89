import { availableParallelism } from 'node:os';
import { describe, expect, it } from 'vitest';
import { queueHashing } from '#app/domain/people/hashing-queue.server.ts';

const SLOTS = Math.max(1, availableParallelism() - 1);
const filler = Array.from({ length: SLOTS - 1 }, (_, index) => `filler ${index}`);

/** Work that ends when told to, and the order in which it began. */
function makeQueue() {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const add = (sender: string, name = sender, isKnown = false) =>
    queueHashing({ name: sender, isKnown }, () => {
      begun.push(name);
      return new Promise<string>((end) => ends.push(() => end(name)));
    });
  const finish = async () => {
    for (let quiet = 0; quiet < 3;) {
      const end = ends.shift();
      end?.();
      quiet = end ? 0 : quiet + 1;
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { begun, add, finish };
}

describe('the queue of password hashes', () => {
  it('B421: leaves one core free, and runs a sender’s first before another’s second', async () => {
    const { begun, add, finish } = makeQueue();
    const all = [...filler, 'flood 1'].map((name) => add(name));
    all.push(...['flood 2', 'flood 3', 'flood 4'].map((name) => add('flood', name)));
    all.push(add('pilot'), add('student'));
    expect(begun).toEqual([...filler, 'flood 1']);
    await finish();
    expect(begun).toEqual([...filler, 'flood 1', 'flood 2', 'pilot', 'student', 'flood 3', 'flood 4']);
    await Promise.all(all);
  });

  it('B421: lets a known device in whoever else waits, one at a time', async () => {
    const { begun, add, finish } = makeQueue();
    const all = Array.from({ length: SLOTS + 5 }, (_, index) => add(`stranger ${index}`));
    all.push(add('phone', 'phone', true), add('tablet', 'tablet', true));
    expect(begun.slice(SLOTS)).toEqual(['phone']);
    await finish();
    await Promise.all(all);
    expect(begun).toHaveLength(SLOTS + 7);
  });

  it('B421: two hundred may wait; one more is told to try again, and who has waited goes on', async () => {
    const { begun, add, finish } = makeQueue();
    const all = Array.from({ length: SLOTS + 200 }, (_, index) => add(`sender ${index}`));
    await expect(add('one more')).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 5 });
    await finish();
    await Promise.all(all);
    expect(begun).toHaveLength(SLOTS + 200);
  });

  it('B421: goes on after work that failed, and forgets its sender', async () => {
    const failing = queueHashing({ name: 'broken' }, () => Promise.reject(new Error('no memory')));
    await expect(failing).rejects.toThrow('no memory');
    expect(await queueHashing({ name: 'broken' }, async () => 'done')).toBe('done');
  });
});
