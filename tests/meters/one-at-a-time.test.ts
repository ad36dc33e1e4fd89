import { describe, expect, it } from 'vitest';
import { serialQueue, withTimeout } from '#app/domain/meters/serial-queue.ts';

describe('one at a time', () => {
  it('what comes second waits for the first, and past the limit it is refused in words', async () => {
    const running: string[] = [];
    let release = () => {};
    const gate = new Promise<void>((resolve) => (release = resolve));
    const read = serialQueue(async (name: string) => {
      running.push(name);
      await gate;
      return name;
    }, 2);
    const [first, second] = [read('first'), read('second')];
    await expect(read('third')).rejects.toMatchObject({ code: 'unavailable' });
    expect(running).toEqual(['first']);
    release();
    expect(await Promise.all([first, second])).toEqual(['first', 'second']);
    expect(await read('fourth')).toBe('fourth');
  });

  it('a failure is the caller’s own and holds nobody up', async () => {
    const read = serialQueue(async (name: string) => {
      if (name === 'bad') throw new Error('broken');
      return name;
    }, 4);
    const [bad, good] = await Promise.allSettled([read('bad'), read('good')]);
    expect([bad.status, good.status]).toEqual(['rejected', 'fulfilled']);
  });

  it('what takes too long is given up', async () => {
    await expect(withTimeout(5, new Promise(() => {}))).rejects.toThrow('over 5 ms');
    expect(await withTimeout(1000, Promise.resolve(7))).toBe(7);
  });
});
