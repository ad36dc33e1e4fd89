import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Unsent } from '#app/islands/outbox/outbox.ts';

const device = vi.hoisted(() => ({
  ...{ unsent: Array<unknown>(), typed: Array<unknown>(), isKept: true, done: Array<string>(), kept: ['/kept'] },
  isSignedIn: false,
  /** What still waits after sending. */
  left: Array<unknown>(),
}));
const note = (what: string) => void device.done.push(what);
vi.mock(import('#app/islands/outbox/outbox.ts'), async (original) => ({
  ...(await original()),
  findUnsent: async () => device.unsent as Unsent[],
  findTyped: async () => device.typed as never,
  clearForms: async () => note('clear forms'),
}));
vi.mock(import('#app/service-worker/unsent-forms.ts'), () => ({
  sendUnsent: async () => {
    note('send');
    device.unsent = device.left;
  },
  keepForm: async () => device.isKept,
  forgetReturnedForms: async (_, { unsent }) => note(`forget returned ${unsent}`),
}));
vi.mock(import('#app/service-worker/kept-pages.ts'), async (original) => ({
  ...(await original()),
  fetchDeviceData: async () => (device.isSignedIn ? { keys: [], openFlight: null, pages: [] } : null),
  findKeptPage: async ({ pathname }) => (device.kept.includes(pathname) ? new Response('kept') : undefined),
  forgetAll: async () => note('forget all'),
  forgetOthers: async (owner) => note(`forget others than ${owner}`),
  refreshKeptPages: async ({ isForced }) => note(isForced ? 'keep anew' : 'keep'),
  forgetAllButPageOwner: async () => note('note owner'),
}));

type Listener = (event: object) => void;
const listeners = new Map<string, Listener>();
class Answer extends Response {
  static override redirect(to: string, status = 302): Response {
    return new Response(`redirect to ${to} by ${status}`);
  }
}
const { Request: PlainRequest } = globalThis;
class RelativeRequest extends PlainRequest {
  constructor(input: string | URL, init?: RequestInit) {
    super(new URL(input, 'http://localhost'), init);
  }
}
/** What the browser is asked for, and what is stored under each name. */
const scope = { asked: Array<string>(), stored: new Map<string, Request[]>() };

beforeEach(async () => {
  [device.unsent, device.left, device.isKept, device.done, device.kept] = [[], [], true, [], ['/kept']];
  [scope.asked, scope.stored] = [[], new Map()];
  vi.stubGlobal('self', {
    addEventListener: (type: string, listener: Listener) => void listeners.set(type, listener),
    registration: { sync: { register: async (tag: string) => void scope.asked.push(`sync ${tag}`) } },
    clients: { claim: async () => void scope.asked.push('claim') },
    skipWaiting: async () => void scope.asked.push('skip waiting'),
  });
  const addAllTo = (name: string) => async (requests: Request[]) => void scope.stored.set(name, requests);
  vi.stubGlobal('caches', { open: async (name: string) => ({ addAll: addAllTo(name) }) });
  vi.stubGlobal('Request', RelativeRequest);
  vi.stubGlobal('location', { origin: 'http://localhost' });
  vi.stubGlobal('BUILD_ID', 'new');
  vi.stubGlobal('BUILT_ASSETS', []);
  vi.stubGlobal('Response', Answer);
  if (listeners.size === 0) await import('#app/service-worker/worker.ts');
});
afterEach(() => vi.unstubAllGlobals());

/** What the worker answers, undefined where it leaves the request to the browser, once its work is done. */
async function handle(type: string, event: object = {}): Promise<Response | undefined> {
  const work: Promise<unknown>[] = [];
  let answer: Promise<Response> | undefined;
  const respondWith = (response: Promise<Response>) => void (answer = response);
  listeners.get(type)?.({ ...event, respondWith, waitUntil: (one: Promise<unknown>) => void work.push(one) });
  const answered = await answer;
  await Promise.all(work);
  return answered;
}

const ask = (path: string, options: RequestInit & { mode?: RequestMode | 'navigate' } = {}) => {
  const { mode = 'cors', ...init } = options;
  const request = new Request(new URL(path, 'http://localhost'), init);
  Object.defineProperty(request, 'mode', { value: mode });
  return handle('fetch', { request });
};
const lost = () => Promise.reject(new TypeError('network'));
const answered = async () => new Response('');
const UNSENT = '/logout?unsent=yes';

describe('the service worker', () => {
  it.each([
    ['a page that is kept', '/kept', 'kept'],
    ['a page that is not', '/users?q=a', 'redirect to /offline#/users?q=a by 302'],
  ])('answers without a network for %s (B865)', async (_, path, expected) => {
    vi.stubGlobal('fetch', lost);
    expect(await (await ask(path, { mode: 'navigate' }))?.text()).toBe(expected);
  });

  it('answers with the page that comes, notes whose it is, and leaves other addresses to the browser (B865, B871)', async () => {
    vi.stubGlobal('fetch', async () => new Response('came'));
    expect(await (await ask('/kept', { mode: 'navigate' }))?.text()).toBe('came');
    expect(device.done).toEqual(['note owner']);
    expect(await ask('/api/user')).toBeUndefined();
    const form = { method: 'POST', body: new URLSearchParams() };
    expect(await ask('https://elsewhere.example/flight-log/41/post-check', form)).toBeUndefined();
  });

  it('has the browser open the document where a link finds no network, and the dashboard after a kept form (B865)', async () => {
    vi.stubGlobal('fetch', lost);
    const data = await ask('/users.data?q=a');
    expect([data?.status, (await data?.text())?.includes('"SingleFetchRedirect"')]).toEqual([202, true]);
    const form = await ask('/flight-log/41/post-check.data', { method: 'POST', body: new URLSearchParams() });
    expect([form?.status, (await form?.text())?.includes('"SingleFetchRedirect"')]).toEqual([202, false]);
    expect([...scope.asked, ...device.done]).toEqual(['sync send-unsent', 'send']);
    const options = { method: 'POST', body: new URLSearchParams(), mode: 'navigate' } as const;
    expect(await (await ask('/flight-log/41/post-check', options))?.text()).toBe('redirect to / by 303');
    device.isKept = false;
    expect((await ask('/flight-log/41/post-check', options))?.type).toBe('error');
  });

  it('leads from a step of the check-out to its one form where there is no network and the form is kept (B1255)', async () => {
    vi.stubGlobal('fetch', lost);
    const step = { method: 'POST', body: new URLSearchParams() } as const;
    expect((await ask('/flight-log.data?step=1', step))?.type).toBe('error');
    device.kept = ['/flight-log/offline'];
    expect(await (await ask('/flight-log.data?step=1', step))?.text()).toContain('/flight-log/offline');
    const document = await ask('/flight-log?step=0', { ...step, mode: 'navigate' });
    expect(await document?.text()).toBe('redirect to /flight-log/offline by 303');
    vi.stubGlobal('fetch', async () => new Response('came'));
    expect(await (await ask('/flight-log.data?step=1', step))?.text()).toBe('came');
  });

  it('lets a user log out, and answers a form, in a browser that refuses to store (B1252)', async () => {
    vi.stubGlobal('fetch', async () => new Response('done'));
    const form = { method: 'POST', body: new URLSearchParams(), mode: 'navigate' } as const;
    Object.defineProperty(device, 'unsent', { configurable: true, get: () => Promise.reject(new Error('refused')) });
    expect(await (await ask('/logout', form))?.text()).toBe('done');
    Object.defineProperty(device, 'unsent', { configurable: true, writable: true, value: [] });
    vi.stubGlobal('fetch', lost);
    Object.defineProperty(device, 'isKept', { configurable: true, get: () => Promise.reject(new Error('refused')) });
    expect((await ask('/flight-log/41/post-check', form))?.type).toBe('error');
    Object.defineProperty(device, 'isKept', { configurable: true, writable: true, value: true });
  });

  it.each([
    ['done', '/flight-log/41/post-check.data', 202, ['forget returned check-in', 'keep anew']],
    ['refused', '/flight-log/41/post-check.data', 400, []],
    ['of a check-out that waits', '/flight-log/0/post-check.data', 202, ['send']],
  ])('after a check-in that was %s does what follows (B866, B867)', async (_, path, status, expected) => {
    const fetch = vi.fn(async () => new Response('', { status }));
    vi.stubGlobal('fetch', fetch);
    await ask(path, { method: 'POST', body: new URLSearchParams() });
    expect(device.done).toEqual(expected);
    expect(fetch).toHaveBeenCalledTimes(path.includes('/0/') ? 0 : 1);
  });

  it.each([
    ['while nothing waits', [], {}, true],
    ['while something waits and nobody was told', [{}], {}, false],
    ['while something waits that its user discards', [{}], { discardsUnsent: 'yes' }, true],
  ])('sends what it can before a log-out, which %s is done or is asked about (B868, B1173)', async (...cases) => {
    const [, unsent, fields, isDone] = cases;
    device.unsent = device.left = unsent;
    const fetch = vi.fn(async () => new Response(''));
    vi.stubGlobal('fetch', fetch);
    const options = { method: 'POST', body: new URLSearchParams({ requestId: '1', ...fields }) };
    const answers = [await ask('/logout', { ...options, mode: 'navigate' }), await ask('/logout.data', options)];
    const texts = await Promise.all(answers.map(async (answer) => answer?.text()));
    if (isDone) expect(texts).toEqual(['', '']);
    else expect(texts).toEqual([`redirect to ${UNSENT} by 303`, expect.stringContaining(UNSENT)]);
    expect(fetch).toHaveBeenCalledTimes(isDone ? 2 : 0);
    const end = unsent.length > 0 ? ['forget all', 'clear forms', 'forget all'] : ['forget all'];
    expect(device.done).toEqual(isDone ? ['send', ...end, 'send', ...end] : ['send', 'send']);
  });

  it.each([
    [
      'that was done, in a browser that does not clear itself',
      answered,
      false,
      ['forget all', 'clear forms', 'forget all'],
    ],
    ['that failed', answered, true, ['forget all']],
    ['that was done, though its answer was lost', lost, false, ['clear forms', 'forget all']],
    ['that never came', lost, true, []],
  ])('after a log-out %s leaves nothing that was typed, or all (B1173)', async (_, fetch, isSignedIn, done) => {
    [device.typed, device.isSignedIn] = [[{}], isSignedIn];
    vi.stubGlobal('fetch', fetch);
    await ask('/logout', { method: 'POST', body: new URLSearchParams(), mode: 'navigate' });
    [device.typed, device.isSignedIn] = [[], false];
    expect(device.done).toEqual(['send', ...done]);
  });

  it.each([
    ['send', ['send']],
    [{ owner: 'anna' }, ['forget others than anna', 'keep', 'send']],
    [{ owner: null }, ['forget all']],
    [{ other: 'anna' }, []],
    [null, []],
  ])('told %j does what follows from it (B871)', async (data, expected) => {
    await handle('message', { data });
    expect(device.done).toEqual(expected);
  });

  it('keeps the pages anew once a flight that waited was sent, also in the background (B1682)', async () => {
    for (const [left, expected] of [
      [[], ['send', 'keep anew']],
      [[{}], ['send']],
    ]) {
      [device.unsent, device.left, device.done] = [[{}], left ?? [], []];
      await handle('sync');
      expect(device.done).toEqual(expected);
    }
  });

  it('of a new build takes over at once with a page of nobody, and drops what earlier ones stored alone (B865, B872)', async () => {
    await handle('install');
    const [page] = scope.stored.get('assets-new') ?? [];
    expect([page?.url, page?.credentials]).toEqual(['http://localhost/offline', 'omit']);
    const names = new Set(['assets-old', 'assets-new', 'kept-anna', 'other']);
    vi.stubGlobal('caches', { keys: async () => [...names], delete: async (name: string) => names.delete(name) });
    await handle('activate');
    expect([...names]).toEqual(['assets-new', 'kept-anna', 'other']);
    expect(scope.asked).toEqual(['skip waiting', 'claim']);
  });

  it.each([
    ['is kept is shown after four seconds', '/kept', 'kept'],
    ['is not kept is waited for', '/users', 'came late'],
  ])('of a page that does not come the one that %s (B865)', async (_, path, expected) => {
    vi.useFakeTimers();
    const coming = new Promise<Response>((resolve) => setTimeout(() => resolve(new Response('came late')), 60_000));
    vi.stubGlobal('fetch', () => coming);
    let text: string | undefined;
    const opening = ask(path, { mode: 'navigate' }).then(async (answer) => (text = await answer?.text()));
    await vi.advanceTimersByTimeAsync(3999);
    expect(text).toBeUndefined();
    await vi.advanceTimersByTimeAsync(60_000);
    await opening;
    vi.useRealTimers();
    expect(text).toBe(expected);
  });
});
