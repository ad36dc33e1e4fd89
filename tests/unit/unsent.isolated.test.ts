import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { forgetReturnedForms, keepForm, sendUnsent } from '#app/service-worker/unsent-forms.ts';
import { findKeptPage, refreshKeptPages, forgetAllButPageOwner } from '#app/service-worker/kept-pages.ts';
import {
  findKeys,
  findUnsent,
  putUnsent,
  replaceEncryptionKeys,
  sealForm,
  type Unsent,
} from '#app/islands/outbox/outbox.ts';
import { stubCaches, stubIndexedDb } from '../support/stored-objects.ts';

const TYPED_AT = Date.parse('2026-05-12T10:00:00Z');
const ANNA = { owner: 'anna', key: btoa('k'.repeat(32)).replaceAll('=', '') };
const EARLIER = { owner: 'earlier', key: btoa('e'.repeat(32)).replaceAll('=', '') };
const { indexedDB, rowsOf } = stubIndexedDb();
const openFlight = { id: 41, aircraftId: 3 };

beforeEach(async () => {
  vi.stubGlobal('indexedDB', indexedDB);
  rowsOf('flightline-unsent', 'unsent').clear();
  await replaceEncryptionKeys([EARLIER, ANNA]);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});

/** A device that the server knows, or not; each post gets the next answer. */
function stubServer(device: object | null, ...answers: Response[]) {
  const posted: FormData[] = [];
  vi.stubGlobal('fetch', async (_path: string, { method, body }: RequestInit = {}) => {
    if (method !== 'POST') return device ? Response.json(device) : new Response('', { status: 401 });
    if (body instanceof FormData) posted.push(body);
    return answers.shift() ?? Response.json({ flightId: null });
  });
  return posted;
}

/** Puts what waits on the device, sealed for its owner. */
async function wait(id: string, differing: Partial<Unsent> = {}, fields: Record<string, File> = {}): Promise<void> {
  const owner = differing.owner ?? 'anna';
  const key = (await findKeys()).find((one) => one.owner === owner);
  if (!key) throw new Error(`no key of ${owner}`);
  const form = new FormData();
  form.set('typed', id);
  for (const [name, file] of Object.entries(fields)) form.set(name, file);
  await putUnsent({
    ...{ id, owner, kind: 'check-in', typedAt: TYPED_AT, aircraftId: 3, flightId: null, after: null, state: 'waiting' },
    sealed: await sealForm(key, form),
    ...differing,
  });
}
const press = (fields: Record<string, string> = {}) =>
  new Request('http://localhost/flight-log', { method: 'POST', body: new URLSearchParams(fields) });
const states = async () => (await findUnsent()).map(({ id, state }) => `${id} ${state}`);

describe('what waits on a device', () => {
  it('is sent once though two tabs send it, with who typed it and when (B867, B868)', async () => {
    await wait('one', { kind: 'check-out' });
    await wait('other', { kind: 'check-out', owner: 'earlier', typedAt: TYPED_AT + 1 });
    // With the keys that the server names, also with one that the device had forgotten.
    await replaceEncryptionKeys([ANNA]);
    const posted = stubServer({ keys: [ANNA, EARLIER], openFlight: null });
    await Promise.all([sendUnsent(), sendUnsent()]);
    expect(posted.map((form) => Object.fromEntries(form))).toEqual([
      { typed: 'one', unsentOwner: 'anna', unsentTypedAt: '2026-05-12T10:00:00.000Z' },
      { typed: 'other', unsentOwner: 'earlier', unsentTypedAt: '2026-05-12T10:00:00.001Z' },
    ]);
    expect(await states()).toEqual([]);
  });

  it('is sent also where it was kept by a release before, in the shape that it had then (B1251)', async () => {
    const [key] = (await findKeys()).filter(({ owner }) => owner === 'anna');
    const form = new FormData();
    form.set('endHobbsTime', '1235.7');
    const facts = { owner: 'anna', kind: 'check-in', typedAt: TYPED_AT, aircraftId: 3, flightId: 41, after: null };
    const sealed = key && (await sealForm(key, form));
    rowsOf('flightline-unsent', 'unsent').set('check-in 1', { id: 'check-in 1', ...facts, state: 'waiting', sealed });
    const posted = stubServer({ keys: [ANNA], openFlight });
    await sendUnsent();
    expect(posted.map((one) => [one.get('unsentFlight'), one.get('endHobbsTime')])).toEqual([['41', '1235.7']]);
    expect(await states()).toEqual([]);
  });

  it('a check-in goes to the flight of the check-out that waited before it (B867)', async () => {
    await wait('out', { kind: 'check-out' });
    await wait('in', { typedAt: TYPED_AT + 1 });
    const posted = stubServer(
      { keys: [ANNA], openFlight: null },
      ...[41, 41].map((flightId) => Response.json({ flightId })),
    );
    await sendUnsent();
    expect(posted.map((form) => form.get('unsentFlight'))).toEqual([null, '41']);
    expect(await states()).toEqual([]);
  });

  it('goes to a flight once: a second check-in of it comes back (B867, B869)', async () => {
    await wait('first');
    await wait('second', { typedAt: TYPED_AT + 1 });
    const posted = stubServer({ keys: [ANNA], openFlight }, Response.json({ flightId: 41 }));
    await sendUnsent();
    expect(posted.map((form) => form.get('unsentFlight'))).toEqual(['41']);
    const text = 'Its flight is not open any more. Please look at it in the flight logs.';
    const squawkTo = '/airplanes/3/squawks/add';
    expect(await findUnsent()).toMatchObject([{ id: 'second', state: 'returned', to: '/flight-logs', text, squawkTo }]);
  });

  it('waits for a sign-in once the session has ended, but for what came back (B868)', async () => {
    await wait('returned', { state: 'returned' });
    await wait('waiting', { typedAt: TYPED_AT + 1 });
    stubCaches();
    stubServer(null);
    await sendUnsent();
    expect(await states()).toEqual(['returned returned', 'waiting signed out']);
    expect(await findKeys()).toEqual([]);
  });

  it('stays where the server has not said a word on it, and the browser is told to try again (B867, B869)', async () => {
    await wait('one', { flightId: 41 });
    stubServer({ keys: [ANNA], openFlight }, new Response('<html>', { status: 200 }));
    await expect(sendUnsent()).rejects.toThrow();
    expect(await states()).toEqual(['one waiting']);
  });

  it('is there once though its form was sent twice (B866)', async () => {
    const body = () => new URLSearchParams({ requestId: 'same', aircraftId: '3' });
    for (let press = 0; press < 2; press += 1) {
      const request = new Request('http://localhost/flight-log/offline', { method: 'POST', body: body() });
      expect(await keepForm(request, { unsent: 'check-out' })).toBe(true);
    }
    expect(await states()).toEqual(['check-out same waiting']);
  });

  it.each([
    ['a check-out', { unsent: 'check-out' }, ['of 41', 'of 42', 'waits']],
    ['the check-in of its flight', { unsent: 'check-in', flightId: 41 }, ['of 42', 'out', 'waits']],
  ] as const)('and came back is done with once %s was sent from the page (B869)', async (_, target, left) => {
    await wait('of 41', { state: 'returned', flightId: 41 });
    await wait('of 42', { state: 'returned', flightId: 42 });
    await wait('out', { state: 'returned', kind: 'check-out' });
    await wait('waits', { flightId: 41 });
    stubServer({ keys: [ANNA], openFlight: null });
    await forgetReturnedForms(press(), target);
    expect((await findUnsent()).map(({ id }) => id).toSorted()).toEqual(left);
  });

  it.each([
    ['somebody else has sent one', { keys: [EARLIER] }, 'save'],
    ['the session had ended, so that nothing was sent', null, 'save'],
    ['a photo was read', { keys: [ANNA] }, 'read-hobbs'],
  ])('and came back stays where %s (B1685)', async (_, device, intent) => {
    await wait('out', { state: 'returned', kind: 'check-out' });
    stubServer(device);
    await forgetReturnedForms(press({ intent }), { unsent: 'check-out' });
    expect(await states()).toEqual(['out returned']);
  });

  it.each([
    ['is taken', Response.json({ flightId: 41 })],
    ['comes back', Response.json({ text: 'Taken', to: '/' }, { status: 409 })],
  ])('as it was typed anew while its former self %s goes, too (B1685)', async (_, answer) => {
    await wait('out', { kind: 'check-out' });
    const posted = stubServer({ keys: [ANNA], openFlight: null });
    const { fetch } = globalThis;
    vi.stubGlobal('fetch', async (path: string, request: RequestInit = {}) => {
      const usual = await fetch(path, request);
      if (request.method !== 'POST' || posted.length > 1) return usual;
      await wait('out', { kind: 'check-out', typedAt: TYPED_AT + 1 });
      return answer;
    });
    await sendUnsent();
    expect(posted.map((form) => form.get('unsentTypedAt'))).toEqual([
      '2026-05-12T10:00:00.000Z',
      '2026-05-12T10:00:00.001Z',
    ]);
    expect(await states()).toEqual([]);
  });

  it.each([
    ['without a photo for a minute', {}, 60_000],
    ['with one as long as a page would (B1685)', { photo: new File(['jpeg'], 'hobbs.jpg') }, 300_000],
  ])('waits for its answer %s', async (_, fields, expected) => {
    await wait('out', { kind: 'check-out' }, fields);
    stubServer({ keys: [ANNA], openFlight: null });
    const timeout = vi.spyOn(AbortSignal, 'timeout');
    onTestFinished(() => timeout.mockRestore());
    await sendUnsent();
    expect(timeout.mock.lastCall).toEqual([expected]);
  });
});

describe('the pages that a device keeps', () => {
  const page = (text: string, minutesAgo: number) =>
    new Response(text, { headers: { 'x-kept-at': String(Date.now() - minutesAgo * 60_000) } });
  const device = { keys: [ANNA], openFlight: null, pages: ['/', '/flight-logs/own'] };
  const stubPages = (of: (path: string) => Response) =>
    vi.stubGlobal('fetch', async (path: string) => (path.startsWith('/unsent') ? Response.json(device) : of(path)));
  const came = () => new Response('new', { headers: { 'x-kept-for': 'anna' } });
  const kept = async (pages: Map<string, Response> | undefined) =>
    Promise.all([...(pages ?? [])].map(async ([path, one]) => `${path} ${await one.clone().text()}`));

  it.each([
    ['four minutes', 4, ['/flight-logs/own old', '/flight-log/41/post-check old']],
    ['six minutes', 6, ['/flight-logs/own new', '/ new']],
    ['a day that the clock was set back', -1440, ['/flight-logs/own new', '/ new']],
  ])('come anew after %s or not, and that of a flight that has ended goes (B871)', async (_, minutesAgo, expected) => {
    const pages = ['/flight-logs/own', '/flight-log/41/post-check'];
    const stored = stubCaches();
    stored.set('kept-anna', new Map(pages.map((path) => [path, page('old', minutesAgo)])));
    stubPages(came);
    await refreshKeptPages({ isForced: false });
    expect(await kept(stored.get('kept-anna'))).toEqual(expected);
  });

  it('are those of who is signed in alone, and no page that another address has led to (B871)', async () => {
    const stored = stubCaches();
    stored.set('kept-ben', new Map([['/', page('old', 1)]]));
    stubPages(() => Object.defineProperty(came(), 'redirected', { value: true }));
    await refreshKeptPages({ isForced: true });
    expect([...stored].map(([name, pages]) => [name, pages.size])).toEqual([['kept-anna', 0]]);
  });

  it.each(['/unsent/keys', '/flight-logs/own'])(
    'are given up for now where the answer of %s never ends, so that a later try may get them (B948)',
    async (silent) => {
      const stored = stubCaches();
      vi.stubGlobal('fetch', async (path: string, { signal }: RequestInit = {}) => {
        if (path !== silent) return path.startsWith('/unsent') ? Response.json(device) : came();
        if (!signal) throw new Error('never ends');
        queueMicrotask(() => timer.abort(new Error('late')));
        return new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
        });
      });
      const timer = new AbortController();
      const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(timer.signal);
      onTestFinished(() => timeout.mockRestore());
      await expect(refreshKeptPages({ isForced: true })).rejects.toThrow('late');
      stubPages(came);
      await refreshKeptPages({ isForced: false });
      expect(await kept(stored.get('kept-anna'))).toEqual(['/ new', '/flight-logs/own new']);
    },
  );

  it('go with the keys once the session has ended, or a page is of another user (B868, B871)', async () => {
    for (const end of [
      () => refreshKeptPages({ isForced: true }),
      () => forgetAllButPageOwner(new Response('', { headers: { 'x-kept-for': 'ben' } })),
    ]) {
      await replaceEncryptionKeys([EARLIER, ANNA]);
      const stored = stubCaches().set('kept-anna', new Map());
      stubServer(null);
      await end();
      expect([[...stored.keys()], await findKeys()]).toEqual([[], []]);
    }
  });

  it('name the hour at which they came as the server wrote it, which the release before did not (B865, B1762)', async () => {
    vi.stubEnv('TZ', 'Asia/Kolkata');
    vi.useFakeTimers({ now: TYPED_AT, toFake: ['Date'] });
    stubCaches().set('kept-anna', new Map([['/', page('<html lang="en">', 0)]]));
    const written = page('<html lang="en">', 0);
    written.headers.set('x-as-of', '02:00 PST');
    const former = await findKeptPage(new URL('http://localhost/'));
    stubCaches().set('kept-anna', new Map([['/', written]]));
    const answer = await findKeptPage(new URL('http://localhost/'));
    vi.useRealTimers();
    expect(await former?.text()).toContain('As of 15:30. No network.');
    expect(await answer?.text()).toContain('As of 02:00 PST. No network.');
  });
});
