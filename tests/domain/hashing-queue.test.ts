import { availableParallelism } from 'node:os';
import { describe, expect, it, vi } from 'vitest';
import { verifyOwnPassword } from '#app/domain/people/sign-in.server.ts';
import { runHashingInTurn } from '#app/domain/turns/queues.server.ts';
import { testDatabase } from '#tests/support/database.ts';

const SLOTS = Math.max(1, availableParallelism() - 1);
const filler = Array.from({ length: SLOTS - 1 }, (_, index) => `filler ${index}`);

const tick = () => new Promise((resolve) => setImmediate(resolve));

/** Work that ends when told to, and the order in which it began. */
function makeQueue() {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const add = (sender: string, name = sender, isKnown = false) =>
    runHashingInTurn({ name: sender, isKnown }, () => {
      begun.push(name);
      return new Promise<string>((end) => ends.push(() => end(name)));
    });
  const finish = async (most = Infinity) => {
    for (let quiet = 0, ended = 0; quiet < 3 && ended < most;) {
      const end = ends.shift();
      if (end) ended += 1;
      end?.();
      quiet = end ? 0 : quiet + 1;
      await tick();
    }
  };
  return { begun, add, finish };
}

describe('the queue of password hashes', () => {
  it('leaves one core free, and runs a sender’s first before another’s second (B421)', async () => {
    const { begun, add, finish } = makeQueue();
    const all = [...filler, 'flood 1'].map((name) => add(name));
    all.push(...['flood 2', 'flood 3', 'flood 4'].map((name) => add('flood', name)));
    all.push(add('pilot'), add('student'));
    await tick();
    expect(begun).toEqual([...filler, 'flood 1']);
    await finish();
    expect(begun.slice(-2)).toEqual(['flood 3', 'flood 4']);
    await Promise.all(all);
  });

  it('lets a known device in whoever else waits, one at a time (B421)', async () => {
    const { begun, add, finish } = makeQueue();
    const all = Array.from({ length: SLOTS + 5 }, (_, index) => add(`stranger ${index}`));
    all.push(add('phone', 'phone', true), add('tablet', 'tablet', true));
    await tick();
    expect(begun.slice(SLOTS)).toEqual(['phone']);
    await finish();
    await Promise.all(all);
    expect(begun).toHaveLength(SLOTS + 7);
  });

  it('two hundred may wait; with one more, who comes last of the longest range is told to try again (B421, B805)', async () => {
    const { begun, add, finish } = makeQueue();
    const all = [...filler, 'running'].map((name) => add(name));
    const flood = Array.from({ length: 198 }, (_, index) => add(`10.0.0.${index}`));
    all.push(...flood.slice(1), add('192.0.2.1'), add('192.0.2.1', 'again'));
    const refused = { code: 'unavailable', retryAfterSeconds: 5 };
    await expect(add('10.0.0.7', 'second of flood')).rejects.toMatchObject(refused);
    const newest = add('198.51.100.1');
    await expect(flood[0]).rejects.toMatchObject(refused);
    all.push(newest);
    await finish();
    await Promise.all(all);
    expect(begun).toHaveLength(SLOTS + 200);
  });

  it('whoever has waited fifteen seconds is told to try again, not that the password is wrong (B421, B805)', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    const { add, finish } = makeQueue();
    const all = [...filler, 'running'].map((name) => add(name));
    const { db } = await testDatabase();
    const actor = { id: 1, username: 'anna', email: '', role: 'student', schoolId: 1, timeZone: 'UTC' } as const;
    const once = { key: undefined, operation: 'confirm password' };
    const waiting = [add('late'), verifyOwnPassword(db, actor, 'a password', { network: 'late, too' }, once)];
    const refused = waiting.map((late) =>
      expect(late).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 5 }),
    );
    await tick();
    vi.advanceTimersByTime(14_999);
    expect(await Promise.race([...waiting.map((late) => late.catch(() => 'refused')), tick()])).toBeUndefined();
    vi.advanceTimersByTime(1);
    await Promise.all(refused);
    vi.useRealTimers();
    await finish();
    await Promise.all(all);
  });

  it('whoever has signed in before comes first again (B421)', async () => {
    const { begun, add, finish } = makeQueue();
    const served = add('10.0.0.3');
    await tick();
    await finish();
    await served;
    const all = [...filler, 'running', '10.0.0.1', '10.0.0.2', '10.0.0.3'].map((name) => add(name));
    await finish();
    await Promise.all(all);
    expect(begun.at(-1)).not.toBe('10.0.0.3');
  });

  it('a flood that answers each turn with a new address from elsewhere overtakes somebody at most once (B421, B805)', async () => {
    const { begun, add, finish } = makeQueue();
    const running = [...filler, 'running'];
    const all = running.map((name) => add(name));
    for (let index = 0; index < 100; index += 1) all.push(add(`10.${index}.0.1`));
    all.push(add('192.0.2.1'));
    for (let index = 0; !begun.includes('192.0.2.1'); index += 1) {
      all.push(add(`172.${index}.0.1`));
      await finish(1);
      expect(index).toBeLessThan(3);
    }
    await finish();
    await Promise.all(all);
  });

  it('goes on after work that failed, and forgets its sender (B421)', async () => {
    const failing = runHashingInTurn({ name: 'broken' }, () => Promise.reject(new Error('no memory')));
    await expect(failing).rejects.toThrow('no memory');
    expect(await runHashingInTurn({ name: 'broken' }, async () => 'done')).toBe('done');
  });
});
