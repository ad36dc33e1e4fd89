import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { runInRequestContext } from '#app/server/observability/request-context.server.ts';
import { shareInRequest } from '#app/server/session/session.server.ts';

it('loaders of one request that ask at once share an answer, and who asks later is answered anew (B993)', async () => {
  let asked = 0;
  const ask = () => shareInRequest('session', async () => (asked += 1));
  const answers = await runInRequestContext(new IncomingMessage(new Socket()), async () => {
    const together = await Promise.all([ask(), ask()]);
    return [...together, await ask()];
  });
  expect(answers).toEqual([1, 1, 2]);
  expect(await Promise.all([ask(), ask()])).toEqual([3, 4]);
});
