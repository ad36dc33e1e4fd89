import { describe, expect, it } from 'vitest';
import { queuePhotos } from '#app/domain/meters/photo-queue.server.ts';

describe('the photo queue', () => {
  it('one photo is worked on at a time, and past the limit the next is refused with 503', async () => {
    const running: string[] = [];
    let release = () => {};
    const gate = new Promise<void>((resolve) => (release = resolve));
    const read = queuePhotos(async (name: string) => {
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

  it('a photo that fails rejects its own caller alone, and the next one is worked on', async () => {
    const read = queuePhotos(async (name: string) => {
      if (name === 'bad') throw new Error('broken');
      return name;
    }, 4);
    const [bad, good] = await Promise.allSettled([read('bad'), read('good')]);
    expect([bad.status, good.status]).toEqual(['rejected', 'fulfilled']);
  });
});
