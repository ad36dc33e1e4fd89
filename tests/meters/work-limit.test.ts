import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { readThreadTimes, type ThreadTimes, withWorkLimit } from '#app/domain/meters/work-limit.server.ts';
import { nightly } from '#tests/support/takes-all.ts';

const LIMIT = { work: 10_000, sleep: 60_000 };
const HOUR = 3_600_000;

describe('a limit of work', () => {
  let times: ThreadTimes | undefined;
  let answer: (value: string) => void;
  let outcome: string;
  const ask = () => {
    const promise = new Promise<string>((resolve) => (answer = resolve));
    withWorkLimit(promise, LIMIT, () => times).then(
      (value) => (outcome = value),
      (error: Error) => (outcome = error.message),
    );
  };
  beforeEach(() => {
    vi.useFakeTimers();
    outcome = 'pending';
    times = { work: 3_000, sleep: 900_000 };
  });
  afterEach(() => void vi.useRealTimers());

  it('a limit of work waits for a thread that gets no processor, however long that takes by the clock', async () => {
    ask();
    await vi.advanceTimersByTimeAsync(HOUR);
    expect(outcome).toBe('pending');
    answer('done');
    await vi.advanceTimersByTimeAsync(0);
    expect(outcome).toBe('done');
  });

  it.each(['work', 'sleep'] as const)(
    'a limit of work lets a thread %s up to the limit, and no longer',
    async (kind) => {
      const start = { ...times } as ThreadTimes;
      ask();
      times = { ...start, [kind]: start[kind] + LIMIT[kind] };
      await vi.advanceTimersByTimeAsync(HOUR);
      expect(outcome).toBe('pending');
      times = { ...start, [kind]: start[kind] + LIMIT[kind] + 1 };
      await vi.advanceTimersByTimeAsync(1000);
      expect(outcome).toBe('the thread took too long');
    },
  );

  it('a limit of work ends as soon as the thread has ended, and leaves no timer behind', async () => {
    ask();
    times = undefined;
    await vi.advanceTimersByTimeAsync(1000);
    expect(outcome).toBe('the thread ended');
    expect(vi.getTimerCount()).toBe(0);
    ask();
    answer('done');
    await vi.advanceTimersByTimeAsync(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('a limit of work counts from the first moment that the thread is known', async () => {
    times = undefined;
    ask();
    await vi.advanceTimersByTimeAsync(1000);
    times = { work: LIMIT.work + 1, sleep: LIMIT.sleep + 1 };
    await vi.advanceTimersByTimeAsync(1000);
    expect(outcome).toBe('pending');
    times = { work: 2 * LIMIT.work + 2, sleep: LIMIT.sleep + 1 };
    await vi.advanceTimersByTimeAsync(1000);
    expect(outcome).toBe('the thread took too long');
  });
});

describe.runIf(process.platform === 'linux')('the times of a thread', () => {
  const threadIdModule = new URL('../../app/domain/meters/engine/thread-id.js', import.meta.url).href;
  const start = async (program: string) => {
    const code = `import('${threadIdModule}').then(({ threadId }) => { require('node:worker_threads').parentPort.postMessage(threadId()); ${program} })`;
    const worker = new Worker(code, { eval: true });
    onTestFinished(async () => void (await worker.terminate()));
    const [id] = (await once(worker, 'message')) as [number];
    return { worker, id };
  };

  nightly(
    'an endless loop is work, one that waits sleeps, each is ended for its own, and then has no times',
    async () => {
      const endedAfter = async (program: string, limit: ThreadTimes) => {
        const { worker, id } = await start(program);
        const limited = withWorkLimit(new Promise(() => {}), limit, () => readThreadTimes(id));
        await expect(limited).rejects.toThrow('the thread took too long');
        await worker.terminate();
        expect(readThreadTimes(id)).toBeUndefined();
      };
      await endedAfter('for (;;);', { work: 100, sleep: HOUR });
      await endedAfter('setInterval(() => {}, 1e6);', { work: HOUR, sleep: 100 });
    },
  );
});

nightly('where the system has no id for a thread, its work is counted by the clock', async () => {
  const late = withWorkLimit(new Promise(() => {}), { work: 50, sleep: HOUR }, () => readThreadTimes(0));
  await expect(late).rejects.toThrow('the thread took too long');
});
