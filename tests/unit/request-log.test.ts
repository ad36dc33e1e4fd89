import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { flightEventOf } from '#app/server/observability/metrics.server.ts';
import { type EndedRequest, logRequest } from '#app/server/observability/request-log.server.ts';

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
  expect(operations.map(flightEventOf)).toEqual([
    'checked out',
    'checked in',
    'closed on behalf',
    'cancelled',
    undefined,
  ]);
});
