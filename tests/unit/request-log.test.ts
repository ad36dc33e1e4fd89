import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { errorForLog } from '#app/server/log.server.ts';
import { runInRequestContext } from '#app/server/observability/request-context.server.ts';
import { shareInRequest } from '#app/server/session/session.server.ts';
import { flightEventOfOperation, watchClockSteps } from '#app/server/observability/metrics.server.ts';
import { type EndedRequest, logRequest } from '#app/server/observability/request-log.server.ts';

afterEach(() => vi.useRealTimers());

it('a request whose client left before the answer has no status, and one that was answered has its own (B545)', () => {
  const seen: EndedRequest[] = [];
  for (const isAnswered of [false, true]) {
    const request = Object.assign(new IncomingMessage(new Socket()), { method: 'GET', url: '/login' });
    const response = new ServerResponse(request);
    logRequest(request, response, (_request, ended) => void seen.push(ended));
    if (isAnswered) response.writeHead(404).end();
    response.emit('close');
  }
  expect(seen.map(({ method, status }) => [method, status])).toEqual([
    ['GET', undefined],
    ['GET', 404],
  ]);
});

it('each way in which a flight begins and ends is counted as what it is (B545)', () => {
  const operations = ['start flight 1', 'complete flight 12', 'close flight 12', 'cancel check-out 3', 'add aircraft'];
  expect(operations.map(flightEventOfOperation)).toEqual([
    'checked out',
    'checked in',
    'closed on behalf',
    'cancelled',
    undefined,
  ]);
});

it('a database that is away is logged without a stack, with what each of its addresses said (B1534)', () => {
  const refused = (address: string) =>
    Object.assign(new Error(`connect ECONNREFUSED ${address}`), { code: 'ECONNREFUSED', syscall: 'connect' });
  const [four, six] = [refused('127.0.0.1:5432'), refused('::1:5432')];
  expect(errorForLog(four)).toEqual({ type: 'Error', message: four.message, code: 'ECONNREFUSED' });
  const both = Object.assign(new AggregateError([six, four]), { code: 'ECONNREFUSED' });
  expect(errorForLog(both)).toMatchObject({ message: `${six.message}, ${four.message}` });
  expect(JSON.stringify(errorForLog(both))).not.toContain('request-log.test');
});

it('any other error is logged with its stack (B1534)', () => {
  expect(errorForLog(new Error('a defect'))).toMatchObject({ stack: expect.stringContaining('request-log.test') });
});

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

it.each([90, -90])('a clock that is set by %d seconds is noticed (B963)', (seconds) => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval'] });
  const setWithinMinute = watchClockSteps();
  expect(setWithinMinute()).toBe(0);
  vi.setSystemTime(Date.now() + seconds * 1000);
  expect(Math.round(setWithinMinute())).toBe(90);
});
