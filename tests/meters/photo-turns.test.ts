import { expect, it, vi } from 'vitest';
import type { Member } from '#app/domain/actor.ts';
import { runPhotoWorkInTurn } from '#app/domain/turns/queues.server.ts';

const member = (id: number, schoolId: number): Member => ({
  ...{ id, schoolId, username: `user ${id}`, email: `${id}@school.example`, role: 'student', timeZone: 'UTC' },
});

/** Turns that end when told to, and the order in which they began. */
function makeTurns() {
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const take = (user: Member) =>
    runPhotoWorkInTurn(user, () => {
      begun.push(user.id);
      return new Promise<number>((end) => ends.push(() => end(user.id)));
    });
  const finish = async () => {
    for (let quiet = 0; quiet < 3;) {
      const end = ends.shift();
      end?.();
      quiet = end ? 0 : quiet + 1;
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { begun, take, finish };
}

it('a user’s fourth photo at once is refused with 429, and taken once one is done (B423)', async () => {
  const { take, finish } = makeTurns();
  const pilot = member(1, 1);
  const all = [take(pilot), take(pilot), take(pilot)];
  await expect(take(pilot)).rejects.toMatchObject({ code: 'tooMany', retryAfterSeconds: 5 });
  await finish();
  await Promise.all(all);
  const again = take(pilot);
  await finish();
  expect(await again).toBe(1);
});

it('a school’s flood is refused past eight, and others take turns with it and are never refused (B423)', async () => {
  const { begun, take, finish } = makeTurns();
  const flood = Array.from({ length: 12 }, (_, index) => take(member(100 + index, 1)));
  const settled = Promise.allSettled(flood);
  const others = [take(member(1, 2)), take(member(2, 2)), take(member(3, 3))];
  await finish();
  expect((await settled).map(({ status }) => status === 'rejected')).toEqual([
    ...Array<boolean>(8).fill(false),
    ...Array<boolean>(4).fill(true),
  ]);
  await expect(flood[8]).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 5 });
  expect(await Promise.all(others)).toEqual([1, 2, 3]);
  expect(begun).toEqual([100, 101, 1, 3, 102, 2, 103, 104, 105, 106, 107]);
});

it('however many schools flood, thirty-two photos wait (B423)', async () => {
  const { take, finish } = makeTurns();
  const all = Array.from({ length: 34 }, (_, index) => take(member(index, index >> 1)));
  await expect(take(member(99, 99))).rejects.toMatchObject({ code: 'unavailable' });
  await finish();
  await Promise.all(all);
});

it('a photo that fails gives its place back (B423)', async () => {
  for (let count = 0; count < 9; count += 1)
    await expect(runPhotoWorkInTurn(member(1, 1), () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
});

it('a photo whose turn does not come within 15 seconds is refused with 503, and one being read is not (B517)', async () => {
  const { begun, take, finish } = makeTurns();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const reading = [take(member(1, 1)), take(member(2, 1))];
    const waiting = take(member(3, 1));
    const refused = expect(waiting).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 5 });
    await vi.advanceTimersByTimeAsync(14_999);
    const late = take(member(4, 1));
    await vi.advanceTimersByTimeAsync(1);
    await refused;
    await finish();
    expect(await Promise.all([...reading, late])).toEqual([1, 2, 4]);
    expect(begun).toEqual([1, 2, 4]);
  } finally {
    vi.useRealTimers();
  }
});
