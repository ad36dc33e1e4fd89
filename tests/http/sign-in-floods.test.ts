import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { isSignIn, SignInFloods } from '#app/server/remix-serve/sign-in-floods.server.ts';
import { serializeDeviceOfUser } from '#app/server/session/known-device.server.ts';
import { nightly } from '#tests/support/takes-all.ts';

let floods: SignInFloods;
beforeEach(() => {
  vi.useFakeTimers();
  floods = new SignInFloods();
});
afterEach(() => vi.useRealTimers());

function exchange(address: string, cookie?: string) {
  const request = new IncomingMessage(new Socket());
  request.headers = { 'x-client-address': address, cookie };
  return { request, response: new ServerResponse(request) };
}

/** What Remix would answer comes to `status`; how long it took to get there, and the refusal instead. */
async function send(address: string, { status = 429, cookie = '' } = {}) {
  const { request, response } = exchange(address, cookie);
  const start = Date.now();
  const finding = floods.findRefusal(request, response);
  await vi.runAllTimersAsync();
  const refusal = await finding;
  if (!refusal) {
    response.statusCode = status;
    response.end();
    await vi.runAllTimersAsync();
    expect(response.writableEnded).toBe(true);
    response.emit('finish');
  }
  return { refused: refusal?.status, waited: Date.now() - start };
}

async function times(count: number, work: (index: number) => Promise<unknown>) {
  for (let index = 0; index < count; index += 1) await work(index);
}

const passes = { refused: undefined, waited: 0 };
const phone = async (username: string) => {
  const cookie = await serializeDeviceOfUser(username);
  return cookie.split(';')[0] ?? '';
};

it('after twenty refusals, no wrong passwords, an address is refused without Remix, late, others not (B422)', async () => {
  await times(20, async () => expect(await send('198.51.100.7')).toEqual(passes));
  expect(await send('198.51.100.7')).toEqual({ refused: 429, waited: 2000 });
  expect(await send('198.51.100.8', { status: 200 })).toEqual(passes);
  await times(30, async (index) => send('198.51.100.9', { status: index % 2 ? 401 : 303 }));
  expect(await send('198.51.100.9')).toEqual(passes);
});

it('the address is heard again ten seconds after its last try, not before (B422)', async () => {
  await times(21, () => send('198.51.100.7'));
  vi.setSystemTime(Date.now() + 7900);
  expect(await send('198.51.100.7')).toMatchObject({ refused: 429 });
  vi.setSystemTime(Date.now() + 7900);
  expect(await send('198.51.100.7')).toMatchObject({ refused: 429 });
  vi.setSystemTime(Date.now() + 10_001);
  expect(await send('198.51.100.7')).toEqual(passes);
});

nightly('at most a thousand answers are held back at once; more are given at once (B422)', async () => {
  await times(20, () => send('198.51.100.7'));
  const answered: number[] = [];
  const finding = Array.from({ length: 1001 }, async (_, at) => {
    const { request, response } = exchange('198.51.100.7');
    await floods.findRefusal(request, response);
    answered.push(at);
  });
  await vi.advanceTimersByTimeAsync(1999);
  expect(answered).toEqual([1000]);
  await vi.runAllTimersAsync();
  await Promise.all(finding);
  expect(answered).toHaveLength(1001);
});

it('all of an IPv6 network is one address (B422)', async () => {
  await times(20, (index) => send(`2001:db8:1:2::${index}`));
  expect(await send('2001:db8:1:2:9::')).toMatchObject({ refused: 429 });
  expect(await send('2001:db8:1:3::1')).toEqual(passes);
});

it('a known device counts for itself, not for its address (B422)', async () => {
  const cookie = await phone('anna');
  await times(25, () => send('198.51.100.7'));
  expect(await send('198.51.100.7', { cookie, status: 200 })).toEqual(passes);
  await times(20, (index) => send(`198.51.100.${index}`, { cookie }));
  expect(await send('198.51.100.7', { cookie })).toMatchObject({ refused: 429 });
  expect(await send('198.51.100.7', { cookie: await phone('ben') })).toEqual(passes);
  expect(await send('198.51.100.7', { cookie: `${await phone('cleo')}x` })).toMatchObject({ refused: 429 });
});

it('wrong sign-ins of unknown devices are answered late after a hundred refusals, until the flood is over (B422)', async () => {
  const cookie = await phone('anna');
  await times(100, async (index) => expect(await send(`10.0.0.${index}`)).toEqual(passes));
  expect(await send('10.0.1.1')).toEqual({ refused: undefined, waited: 2000 });
  expect(await send('10.0.1.2', { status: 401 })).toEqual({ refused: undefined, waited: 2000 });
  expect(await send('10.0.1.3', { cookie })).toEqual(passes);
  vi.setSystemTime(Date.now() + 30_000);
  expect(await send('10.0.1.4')).toEqual(passes);
});

it('while many addresses flood a right sign-in is answered at once (B422, B805)', async () => {
  for (const status of [200, 303]) {
    floods = new SignInFloods();
    await times(100, (index) => send(`10.0.0.${index}`));
    expect(await send('10.0.1.1', { status })).toEqual(passes);
  }
});

it('sign-ins that find no place make a flood of the site, and refuse no address (B422, B805)', async () => {
  await times(100, () => send('198.51.100.7', { status: 503 }));
  expect(await send('198.51.100.7', { status: 401 })).toEqual({ refused: undefined, waited: 2000 });
});

it('a post to the addresses of the sign-in is one, however it is written, and no other (B422)', () => {
  const isOne = (url: string, method = 'POST') => {
    const { request } = exchange('198.51.100.7');
    return isSignIn(Object.assign(request, { method, url }));
  };
  const spelt = ['/login.data?index', '/LOGIN/', '/%6cogin', '/x/../login', '//login'];
  for (const url of ['/login', '/auth', '/api/login', ...spelt])
    expect([url, isOne(url), isOne(url, 'GET')]).toEqual([url, true, false]);
  for (const url of ['/', '/logout', '/api/logout', '/users?to=/login', '/login/more'])
    expect(isOne(url), url).toBe(false);
});
