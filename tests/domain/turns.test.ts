import { AsyncLocalStorage } from 'node:async_hooks';
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { Turns } from '#app/domain/turns/turns.ts';

const tick = () => new Promise((resolve) => setImmediate(resolve));

/** Who begins, in order, of those who came while somebody else had the only turn. */
async function orderOf(turns: Turns, lanes: string[][], other = lanes[0]?.map(() => 'another')): Promise<string[]> {
  const order: string[] = [];
  const end = await turns.enter(other ?? []);
  const all = lanes.map((path) => turns.run(path, async () => void order.push(path.at(-1) ?? '')));
  end();
  await Promise.all(all);
  return order;
}

it('the two newest lanes take turns, also within; a sender’s second waits for all first of its range (B421, B805)', async () => {
  const senders = ['10.0.0.1', '10.0.0.2', '10.0.0.3', '192.0.2.1', '2001:db8:9:9'];
  const lanes = senders.map((sender) => [sender.slice(0, 4), sender]);
  const order = await orderOf(new Turns([{ atOnce: 1 }], { isNewestFirst: true }), lanes);
  expect(order).toEqual(['192.0.2.1', '2001:db8:9:9', '10.0.0.3', '10.0.0.1', '10.0.0.2']);
  const again = ['10.0.0.1', '10.0.0.2', '10.0.0.3', '10.0.0.3'].map((sender) => ['10.0', sender]);
  const first = (await orderOf(new Turns([{ atOnce: 1 }], { isNewestFirst: true }), again)).slice(0, 3);
  expect(first.toSorted()).toEqual(['10.0.0.1', '10.0.0.2', '10.0.0.3']);
});

it('whoever came second while the first had its turn comes after another’s first (B947, B1182)', async () => {
  const order = await orderOf(new Turns([{ atOnce: 1 }]), [['school'], ['other school']], ['school']);
  expect(order).toEqual(['other school', 'school']);
});

it('lanes share the turns: who has none comes before who has some, however long that has waited (B1182)', async () => {
  const turns = new Turns([{ atOnce: 2 }]);
  const order: string[] = [];
  const ends = [await turns.enter(['crowd']), await turns.enter(['leaving'])];
  const all = ['crowd', 'other school'].map((lane) =>
    turns.run([lane], async () => {
      order.push(lane);
      await tick();
    }),
  );
  ends[1]?.();
  await Promise.all(all);
  ends[0]?.();
  expect(order).toEqual(['other school', 'crowd']);
});

it('who changes one thing waits for nobody who changes another, and a turn ends once (B509)', async () => {
  const turns = new Turns([{}, { atOnce: 1 }]);
  const ends = [await turns.enter(['flight 1']), await turns.enter(['flight 2'])];
  const begun: string[] = [];
  const waiting = ['first', 'second'].map(async (name) => {
    const end = await turns.enter(['flight 1']);
    begun.push(name);
    return end;
  });
  ends[0]?.();
  ends[0]?.();
  await tick();
  expect(begun).toEqual(['first']);
  (await waiting[0])?.();
  (await waiting[1])?.();
  ends[1]?.();
  expect([turns.running, turns.waiting]).toEqual([0, 0]);
});

it('whoever is refused or leaves keeps nobody waiting, and whoever waits as long as it takes is not refused (B947)', async () => {
  const turns = new Turns([{ atOnce: 1, most: 2 }], { waitMs: 60_000 });
  const end = await turns.enter(['school']);
  let leave: (() => void) | undefined;
  const leaving = turns.enter(['school'], { whenGone: (gone) => (leave = gone) });
  await expect(turns.enter(['other school'])).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 1 });
  const job = turns.run(['school'], async () => 'done', { waitMs: Infinity });
  leave?.();
  await expect(leaving).rejects.toMatchObject({ code: 'unavailable' });
  expect(turns.waiting).toBe(1);
  end();
  expect(await job).toBe('done');
});

it('work that waited goes on in its own context, whoever’s turn ended before it (B1180)', async () => {
  const requests = new AsyncLocalStorage<string>();
  const turns = new Turns([{ atOnce: 1 }]);
  const end = await requests.run('first', () => turns.enter([]));
  const second = requests.run('second', () => turns.run([], async () => requests.getStore()));
  requests.run('first', end);
  expect(await second).toBe('second');
});

it('every queue stands in the table of what a request waits for, or is one of events (B1181)', () => {
  const [, section = ''] =
    /## What a request waits for\n(.*?)\n## /s.exec(readFileSync('docs/architecture.md', 'utf8')) ?? [];
  const makers = readdirSync('app', { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && readFileSync(`app/${file}`, 'utf8').includes('new Turns('))
    .toSorted();
  expect(makers).toHaveLength(4);
  expect(makers.filter((file) => !section.includes(`\`${file}\``))).toEqual([]);
});
