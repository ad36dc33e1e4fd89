import { IncomingMessage, type Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { Turns } from '#app/domain/turns/turns.ts';
import { MAX_REQUESTS_AT_ONCE } from '#app/limits.ts';
import {
  contextOf,
  inContext,
  noteRequestUser,
  requestContext,
} from '#app/server/observability/request-context.server.ts';
import { Admission, SchoolsBySender } from '#app/server/remix-serve/admission.server.ts';
import { createFront } from '#app/server/remix-serve/front.server.ts';
import { sessionCookie } from '#app/server/session/cookies.server.ts';
import { frontSettings, listen } from '#tests/support/listen.ts';
import { remainingWaitMs } from '#db/waiting-budget.ts';
import { nightly } from '#tests/support/takes-all.ts';

let server: Server, url: string;
/** The senders of the requests that were begun, in their order. */
let begun: string[];
/** Ends the requests that were begun. */
let finish: (() => void)[];
let largest: number;
beforeEach(async () => {
  [begun, finish, largest] = [[], [], 0];
  let working = 0;
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const { 'x-id': id = '', 'x-school': school } = request.headers;
    begun.push(String(id));
    largest = Math.max(largest, (working += 1));
    noteRequestUser({ id: 1, schoolId: Number(school) });
    const told = {
      hasOwnContext: requestContext() === contextOf(request),
      hasTime: remainingWaitMs(0) > frontSettings.DATABASE_WAIT_MS / 2,
    };
    finish.push(() => {
      working -= 1;
      response.end(JSON.stringify(told));
    });
  };
  server = createFront(frontSettings, { answer });
  url = await listen(server);
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function ask(id: string, school = '1'): Promise<unknown> {
  const headers = { 'x-id': id, 'x-school': school, cookie: `${sessionCookie.name}=of-${school}` };
  return (await fetch(url, { method: 'POST', body: 'a=1', headers })).json();
}

async function untilBegun(count: number): Promise<void> {
  while (begun.length < count) await new Promise((resolve) => setImmediate(resolve));
}

/** Ends requests in the order in which they were begun, until so many are answered. */
async function answer(count: number): Promise<void> {
  for (let done = 0; done < count; done += 1) {
    await untilBegun(done + 1);
    finish[done]?.();
  }
}

nightly('a request that waited for its turn has its own context and time (B961)', async () => {
  const ids = Array.from({ length: 3 * MAX_REQUESTS_AT_ONCE }, (_, at) => `request-${at}`);
  const answers = Promise.all(ids.map((id) => ask(id)));
  await untilBegun(MAX_REQUESTS_AT_ONCE);
  await answer(ids.length);
  expect(await answers).toEqual(ids.map(() => ({ hasOwnContext: true, hasTime: true })));
});

it('requests that wait for something else than this process let others in beside them (B961)', async () => {
  const answers = Promise.all(Array.from({ length: MAX_REQUESTS_AT_ONCE + 1 }, (_, at) => ask(`request-${at}`)));
  await expect.poll(() => begun.length, { timeout: 120_000 }).toBe(MAX_REQUESTS_AT_ONCE + 1);
  await answer(MAX_REQUESTS_AT_ONCE + 1);
  expect(await answers).toHaveLength(MAX_REQUESTS_AT_ONCE + 1);
  expect(largest).toBe(MAX_REQUESTS_AT_ONCE + 1);
});

it('a request whose client leaves before its turn is never begun, and takes nobody a turn (B961)', async () => {
  const admission = new Admission();
  const admitted: number[] = [];
  const admit = (id: number) => {
    const { request, response, entry } = waiting(() => void admitted.push(id));
    void admission.admit(request, response, entry);
    return response;
  };
  const ids = Array.from({ length: MAX_REQUESTS_AT_ONCE + 2 }, (_, id) => id);
  const responses = ids.map(admit);
  while (admitted.length < MAX_REQUESTS_AT_ONCE) await new Promise((resolve) => setImmediate(resolve));
  responses.at(-2)?.emit('close');
  responses[0]?.emit('close');
  await turn();
  expect(admitted).toEqual(ids.filter((id) => id !== MAX_REQUESTS_AT_ONCE));
  for (const response of responses) response.emit('close');
});

const waiting = (begin: () => void, refuse?: () => void) => {
  const request = Object.assign(new IncomingMessage(new Socket()), { complete: true, method: 'GET', url: '/' });
  return { request, response: new ServerResponse(request), entry: { begin, refuse } };
};
const turn = () => new Promise((resolve) => setImmediate(resolve));

nightly('a request that another one lets in as it ends is begun in its own context (B961)', async () => {
  const admission = new Admission();
  const seen: (string | undefined)[] = [];
  const responses = Array.from({ length: MAX_REQUESTS_AT_ONCE + 1 }, (_, at) => {
    const { request, response, entry } = waiting(() => void seen.push(requestContext()?.reqId));
    inContext({ reqId: `request ${at}` }, () => void admission.admit(request, response, entry));
    return response;
  });
  await turn();
  await turn();
  inContext({ reqId: 'another' }, () => responses[0]?.emit('close'));
  await turn();
  expect(seen).toEqual(responses.map((_, at) => `request ${at}`));
  for (const response of responses) response.emit('close');
});

it('whoever waits too long for a turn is told so, but for a form, which would be lost (B961)', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const admission = new Admission();
  const refused: string[] = [];
  const nothing = () => {};
  const all = Array.from({ length: MAX_REQUESTS_AT_ONCE + 1 }, () => waiting(nothing));
  all.push(waiting(nothing, () => refused.push('page')));
  for (const { request, response, entry } of all) void admission.admit(request, response, entry);
  await turn();
  await turn();
  vi.advanceTimersByTime(44_999);
  await turn();
  expect(refused).toEqual([]);
  vi.advanceTimersByTime(1);
  await turn();
  expect(refused).toEqual(['page']);
  for (const { response } of all) response.emit('close');
});

it('waiting requests take turns by school, once one was answered, and by route within a school (B962)', async () => {
  const turns = new Turns([{ atOnce: 1 }]);
  const order: string[] = [];
  const end = await turns.enter(['another', 'GET /']);
  const take = (lanes: string[], name: string) => turns.run(lanes, async () => void order.push(name));
  const all = ['crowd 1', 'crowd 2', 'crowd 3'].map((name) => take(['school', 'POST /flight-log'], name));
  all.push(take(['school', 'GET /'], 'page'), take(['other school', 'POST /flight-log'], 'other'));
  end();
  await Promise.all(all);
  expect(order).toEqual(['crowd 1', 'other', 'page', 'crowd 2', 'crowd 3']);
  expect([turns.running, turns.waiting]).toEqual([0, 0]);
  for (const headers of [{ cookie: `theme=dark; ${sessionCookie.name}=of-7` }, { authorization: 'Bearer fl_7' }]) {
    const senders = new SchoolsBySender();
    const sent = () =>
      Object.assign(new IncomingMessage(new Socket()), { headers, method: 'GET', url: '/api/flight-logs?limit=2' });
    const [first, second] = [sent(), sent()];
    const response = new ServerResponse(first);
    const schools = [senders.lanesOf(first, response)[0]];
    contextOf(first).school = 7;
    response.emit('close');
    schools.push(senders.lanesOf(second, new ServerResponse(second))[0]);
    expect(schools).toEqual(['', '7']);
  }
});
