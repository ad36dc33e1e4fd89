import { describe, expect, it } from 'vitest';
import { queueHashing } from '#app/domain/people/hashing-queue.server.ts';

/** Work that ends when told to, and the order in which it began. */
function workshop() {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const add = (sender: string, name = sender) =>
    queueHashing(sender, () => {
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
  it('B421: runs two at a time, a sender’s first before another’s second', async () => {
    const { begun, add, finish } = workshop();
    const all = ['flood 1', 'flood 2', 'flood 3', 'flood 4'].map((name) => add('flood', name));
    all.push(add('pilot'), add('student'));
    expect(begun).toEqual(['flood 1', 'flood 2']);
    await finish();
    expect(begun).toEqual(['flood 1', 'flood 2', 'pilot', 'student', 'flood 3', 'flood 4']);
    expect(await Promise.all(all)).toEqual(['flood 1', 'flood 2', 'flood 3', 'flood 4', 'pilot', 'student']);
  });

  it('B421: two hundred may wait; one more is told to try again, and who has waited goes on', async () => {
    const { begun, add, finish } = workshop();
    const all = Array.from({ length: 202 }, (_, index) => add(`sender ${index}`));
    await expect(add('one more')).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 5 });
    await finish();
    await Promise.all(all);
    expect(begun).toHaveLength(202);
  });

  it('B421: goes on after work that failed, and forgets its sender', async () => {
    const failing = queueHashing('broken', () => Promise.reject(new Error('no memory')));
    await expect(failing).rejects.toThrow('no memory');
    expect(await queueHashing('broken', async () => 'done')).toBe('done');
  });
});
