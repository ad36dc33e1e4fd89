import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ScanData } from '#app/domain/meters/scan-view.ts';
import type { CapturedPhoto } from '#app/islands/camera/captured-photo.ts';
import { createReadingPhotoHandler } from '#app/islands/camera/photo-handlers.ts';
import { findViews } from '#app/islands/offline/use-unsent.ts';
import { forgetSteps } from '#app/islands/typed/check-out-steps.ts';
import { findEntry, saveEntry } from '#app/islands/typed/entries.ts';
import { keepForm } from '#app/service-worker/unsent-forms.ts';
import { findKeptPage, refreshKeptPages, forgetAllButPageOwner } from '#app/service-worker/kept-pages.ts';
import { sealForm, type StoredKey, type Unsent } from '#app/islands/outbox/outbox.ts';
import { sendForm } from '#app/ui/forms/kept/send-form.ts';
import type { Sending } from '#app/ui/news.ts';
import { keepReferenceOfFailures } from '#app/ui/page/keep-reference.ts';
import { stubCaches } from '../support/stored-objects.ts';

const answer = vi.hoisted(() => ({ scan: null as ScanData | null }));
vi.mock(import('#app/islands/camera/analyze-image.ts'), () => ({
  analyzeImage: async () => answer.scan,
  fillReading: () => {},
}));
const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
const kept = vi.hoisted(() => ({ keys: Array<StoredKey>(), unsent: Array<Unsent>(), put: Array<Unsent>() }));
vi.mock(import('#app/islands/outbox/outbox.ts'), async (original) => ({
  ...(await original()),
  findKeys: async () => kept.keys,
  findUnsent: async () => kept.unsent,
  putUnsent: async (item: Unsent) => void kept.put.push(item),
  replaceEncryptionKeys: async () => {},
}));
beforeEach(() => {
  kept.keys = [{ owner: 'anna', isCurrent: true, key }];
  [kept.unsent, kept.put] = [[], []];
});
afterEach(() => vi.unstubAllGlobals());

describe('the pages that a device keeps', () => {
  const page = (owner: string, status = 200) =>
    new Response('<html lang="en">', { status, headers: { 'x-kept-for': owner } });

  it.each([
    ['their own', () => page('anna'), ['/']],
    ['of who has signed in meanwhile', () => page('ben'), []],
    ['of nobody', () => page(''), []],
    ['an error', () => page('anna', 500), []],
  ])('of a page that comes as %s, only the own one is kept (B871)', async (_, answer, paths) => {
    const stored = stubCaches();
    const device = { keys: [{ owner: 'anna', key: 'secret' }], openFlight: null, pages: ['/'] };
    vi.stubGlobal('fetch', async (path: string) => (path === '/' ? answer() : Response.json(device)));
    await refreshKeptPages({ isForced: true });
    expect([...(stored.get('kept-anna')?.keys() ?? [])]).toEqual(paths);
  });

  it.each([
    ['/', 23, 'page'],
    ['/', 25, undefined],
    ['/flight-logs?page=2', 1, '/flight-logs/own'],
    ['/?step=1', 1, '/'],
    ['/users', 1, undefined],
  ])('a visit of %s is answered with what was kept %d hours before as %s (B865)', async (path, hoursAgo, expected) => {
    const headers = { 'x-kept-at': String(Date.now() - hoursAgo * 3_600_000) };
    const pages = ['/', '/flight-logs/own'].map((at): [string, Response] => [at, new Response('page', { headers })]);
    stubCaches().set('kept-anna', new Map(pages));
    class Answer extends Response {
      static override redirect(to: string): Response {
        return new Response(to);
      }
    }
    vi.stubGlobal('Response', Answer);
    const answer = await findKeptPage(new URL(path, 'http://localhost'));
    expect(await answer?.text()).toBe(expected);
    expect(answer?.headers.get('x-kept-at') ?? null).toBeNull();
  });

  it.each([
    ['her own', 'anna', 200, true],
    ['another user', 'ben', 200, false],
    ['nobody', '', 200, false],
    ['nobody, of a server that fails', '', 500, true],
    ['no statement', null, 200, true],
  ])('a page that is of %s leaves what is kept of one user or not (B871)', async (_, owner, status, isLeft) => {
    const stored = stubCaches().set('kept-anna', new Map());
    await forgetAllButPageOwner(new Response('', { status, headers: owner === null ? {} : { 'x-kept-for': owner } }));
    expect(stored.has('kept-anna')).toBe(isLeft);
  });
});

describe('what is typed without a network', () => {
  const waiting = (id: string, owner: string, typedAt: number): Unsent => ({
    ...{ id, owner, typedAt, kind: 'check-out', aircraftId: typedAt, flightId: null, after: null, state: 'waiting' },
    sealed: { iv: new Uint8Array(12), body: new ArrayBuffer(0), type: '' },
  });
  const typed = (fields: Record<string, string>) =>
    new Request('http://localhost/flight-log/0/post-check', { method: 'POST', body: new URLSearchParams(fields) });

  it("a check-in waits for its pilot's last check-out, though another pilot's waits too (B867, B868)", async () => {
    kept.unsent = [waiting('first', 'anna', 1), waiting('last', 'anna', 2), waiting('strange', 'ben', 3)];
    expect(await keepForm(typed({ endHobbsTime: '1235.7' }), { unsent: 'check-in', flightId: null })).toBe(true);
    expect(kept.put).toMatchObject([{ owner: 'anna', after: 'last', aircraftId: 2, flightId: null }]);
  });

  it.each([
    ['its user', ['anna'], ['anna 1234.5', 'broken sealed']],
    ['its user beside others', ['ben', 'anna'], ['anna 1234.5', 'ben 1234.5', 'broken sealed']],
    ['another user', ['ben'], ['ben 1234.5']],
    ['nobody, without what was typed', [], ['anna sealed', 'ben sealed', 'broken sealed']],
  ])('what waits is shown to %s (B868)', async (_, owners, expected) => {
    const form = new FormData();
    form.set('startHobbsTime', '1234.5');
    const sealed = await sealForm({ owner: '', isCurrent: true, key }, form);
    // The last cannot be read any more.
    kept.unsent = ['anna', 'ben'].map((owner, at) => ({ ...waiting(owner, owner, at), sealed }));
    kept.unsent.push(waiting('broken', 'anna', 2));
    kept.keys = owners.map((owner) => ({ owner, isCurrent: true, key }));
    const views = await findViews();
    expect(views.map((view) => `${view.id} ${String(view.form?.get('startHobbsTime') ?? 'sealed')}`)).toEqual(expected);
  });

  it('a press that needs the server, or of who is signed out, is not kept (B866)', async () => {
    for (const intent of ['read-hobbs', 'use-last-hobbs'])
      expect(await keepForm(typed({ intent }), { unsent: 'check-in', flightId: 7 })).toBe(false);
    kept.keys = [];
    expect(await keepForm(typed({}), { unsent: 'check-in', flightId: 7 })).toBe(false);
    expect(kept.put).toEqual([]);
  });
});

it('the steps of a check-out stand in the form without a network until the last step was sent (B912)', () => {
  const name = '/flight-log/offline#check-out';
  vi.stubGlobal('document', { documentElement: { dataset: { viewer: '7' } } });
  vi.stubGlobal('location', { href: 'http://localhost/flight-log' });
  saveEntry(name, { values: {}, defaults: {}, touched: [], subject: '[]', at: Date.now() });
  const sent = (address: string) => forgetSteps({ action: `http://localhost${address}` } as HTMLFormElement);
  for (const address of ['/flight-log?step=0', '/flight-log?step=1', '/airplanes/add?step=2']) sent(address);
  expect(findEntry(name)).toBeDefined();
  sent('/flight-log?step=2');
  expect(findEntry(name)).toBeUndefined();
});

it('the reference of a page is that of the answer, where it failed (B542)', async () => {
  for (const [status, reference] of [
    [200, 'of the page'],
    [404, 'of the answer'],
    [500, 'of the answer'],
  ] as const) {
    const dataset = { requestId: 'of the page' };
    const headers = { 'x-request-id': 'of the answer' };
    vi.stubGlobal('document', { documentElement: { dataset } });
    vi.stubGlobal('window', { fetch: async () => new Response('', { status, headers }) });
    keepReferenceOfFailures();
    await window.fetch('/airplanes.data');
    await Promise.resolve();
    expect([status, dataset.requestId]).toEqual([status, reference]);
  }
});

describe('a form that is sent', () => {
  const MINUTE_MS = 60_000;
  const dispatchEvent = vi.fn((_event: CustomEvent<Sending | null>) => true);
  const announced = () => dispatchEvent.mock.calls.map(([{ detail }]) => detail);
  interface Upload {
    upload: { onprogress?: (event: { loaded: number; total: number }) => void };
    onerror?: () => void;
  }
  let upload: Upload;

  beforeEach(() => {
    vi.useFakeTimers();
    const fetch = (_input: unknown, { signal }: RequestInit) =>
      new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('aborted'))));
    const request: Upload = Object.assign({ upload: {} }, { open: () => {}, send: () => {}, abort: () => {} });
    upload = request;
    dispatchEvent.mockClear();
    vi.stubGlobal('XMLHttpRequest', function XMLHttpRequest() {
      return request;
    });
    vi.stubGlobal('window', { fetch, setTimeout, clearTimeout });
    vi.stubGlobal('document', { dispatchEvent });
    vi.stubGlobal('location', { href: 'http://localhost:3000/airplanes/add' });
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });

  it.each([
    ['without photos', new URLSearchParams({ make: 'Cessna' }), MINUTE_MS],
    ['with photos', new FormData(), 5 * MINUTE_MS],
  ])('a form %s is given up after its time without an answer, and not before (B991)', async (_, body, limitMs) => {
    let outcome = 'under way';
    void sendForm(() => window.fetch('/airplanes/add.data', { method: 'POST', body })).catch(
      (error: Error) => (outcome = error.message),
    );
    await vi.advanceTimersByTimeAsync(limitMs - 1);
    expect(outcome).toBe('under way');
    await vi.advanceTimersByTimeAsync(1);
    expect(outcome).toBe('no answer');
  });

  it('says after ten seconds that there is no answer, and nothing more once it has come (B911)', async () => {
    const post = () => window.fetch('/airplanes/add.data', { method: 'POST', body: new URLSearchParams() });
    const answered = sendForm(async () => 'answered');
    void sendForm(post).catch(() => {});
    await answered;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(announced()).toEqual([null, expect.objectContaining({ isSlow: true })]);
  });

  it('says how much of its photos is sent, and has failed once their upload breaks (B892)', async () => {
    const post = () => window.fetch('/airplanes/add.data', { method: 'POST', body: new FormData() });
    let outcome = 'under way';
    void sendForm(post).catch((error: Error) => (outcome = error.message));
    upload.upload.onprogress?.({ loaded: 1, total: 4 });
    expect(announced().at(-1)).toMatchObject({ progress: 0.25, hasFiles: true });
    upload.onerror?.();
    await vi.advanceTimersByTimeAsync(0);
    expect(outcome).toBe('The upload failed.');
  });

  it('is what is given up: no draft that is sent beside it (B911)', async () => {
    const draft = window.fetch;
    const signals: (AbortSignal | null | undefined)[] = [];
    vi.stubGlobal('window', {
      ...window,
      fetch: (input: string, init: RequestInit) => (signals.push(init.signal), draft(input, init)),
    });
    void sendForm(async () => {
      const body = new URLSearchParams();
      void window.fetch('/drafts', { method: 'POST', body });
      return window.fetch('/airplanes/add.data', { method: 'POST', body });
    }).catch(() => {});
    await vi.advanceTimersByTimeAsync(MINUTE_MS);
    expect(signals.map((signal) => signal?.aborted)).toEqual([undefined, true]);
  });
});

describe('the camera', () => {
  const scan: ScanData = {
    ...{ id: 1, meterType: 'hobbs', detectedText: '1234.5', confidence: '0.95', figures: [] },
    ...{ otherText: null, otherKind: null, photo: '/photos/1', crop: null },
  };
  const photo: CapturedPhoto = { image: new Blob(), dataUrl: 'data:,', idempotencyKey: '1' };
  const target = { aircraftId: 1, meterType: 'hobbs', readingId: 'hobbs', onScan: () => {} } as const;

  it.each([
    ['of High confidence', {}, '', 1],
    ['of Medium confidence', { confidence: '0.75' }, '', 0],
    ['beside another counter', { otherText: '24448.3', otherKind: 'other counter' }, '', 0],
    ['of High confidence, where the next meter has its reading,', {}, '987.6', 0],
  ] as const)(
    'after a reading %s the camera of the next meter opens or not (B990)',
    async (_, differing, next, presses) => {
      answer.scan = { ...scan, ...differing };
      const button = { focus: () => {}, click: vi.fn() };
      const inputOf = (id: string, value: string) => ({ id, value, parentElement: { querySelector: () => button } });
      vi.stubGlobal('document', { querySelectorAll: () => [inputOf('hobbs', '1234.5'), inputOf('tach', next)] });
      const finish = await createReadingPhotoHandler(target)(photo, new AbortController().signal);
      finish();
      expect(button.click).toHaveBeenCalledTimes(presses);
    },
  );
});
