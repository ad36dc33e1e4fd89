import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { findEntry, saveEntry } from '#app/islands/typed/entries.ts';
import { openOutbox, putTyped } from '#app/islands/outbox/outbox.ts';
import { keepTyped } from '#app/islands/typed/typed.ts';
import { formOf, inputOf, startPage } from '../support/form-stubs.ts';
import { keyRangeStub, stubIndexedDb } from '../support/stored-objects.ts';

const NOW = Date.parse('2026-05-12T10:00:00Z');
const SHARED = { viewer: '7', shared: '' };
const { indexedDB, rowsOf } = stubIndexedDb();
const rows = () => rowsOf('flightline-unsent', 'unsent');
const keptPhotos = () =>
  ([...rows().values()] as { files?: File[] }[]).flatMap(({ files = [] }) => files.map((file) => file.name));
beforeEach(() => {
  vi.useFakeTimers({ now: NOW });
  vi.stubGlobal('indexedDB', indexedDB);
  vi.stubGlobal('IDBKeyRange', keyRangeStub);
  rows().clear();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

let forms = 0;
/** Of an id of its own, as drafts are remembered by it. */
function remarksForm(fields: Record<string, unknown> = {}, requestId?: string) {
  const id = `form${(forms += 1)}`;
  const remarks = inputOf({ name: 'remarks', defaultValue: 'stored', value: 'stored', ...fields });
  const fieldsOfPage = { viewerId: '7', ...(requestId !== undefined && { requestId }) };
  const hidden = Object.entries(fieldsOfPage).map(([name, value]) => inputOf({ name, value, type: 'hidden' }));
  const form = Object.assign(formOf(id, [remarks, ...hidden]), { action: 'http://localhost:3000/airplanes/7' });
  return { form, remarks, name: `/airplanes/7#${id}` };
}

/** The bodies of the drafts that come to the server, which answers by `answer`. */
function stubServer(answer: () => Promise<Response> = async () => Response.json({ savedAt: null, other: null })) {
  const drafts: URLSearchParams[] = [];
  vi.stubGlobal('fetch', (_: string, { body, signal }: { body: URLSearchParams; signal: AbortSignal }) => {
    drafts.push(new URLSearchParams(body));
    return new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('aborted')));
      answer().then(resolve, reject);
    });
  });
  return drafts;
}
const neverAnswered = () => new Promise<Response>(() => {});
const lost = () => Promise.reject(new TypeError('network'));

/** A started page with one form; `type` types its remarks. */
async function startWith(dataset?: Record<string, string>, requestId?: string, start = keepTyped) {
  const page = startPage(start, dataset);
  const typed = remarksForm({}, requestId);
  page.open(typed.form);
  page.start();
  await vi.advanceTimersByTimeAsync(0);
  const type = (value: string) => {
    typed.remarks.value = value;
    page.say('input', { target: typed.remarks });
  };
  const send = () => {
    const formData = new FormData(typed.form);
    page.say('formdata', { target: typed.form, formData });
    page.say('submit', { target: typed.form });
    return formData;
  };
  return { ...page, ...typed, type, send };
}

describe('a draft of what is typed', () => {
  it('comes a second after the last key, with its time and request, under a form name without a query (B804, B885)', async () => {
    const drafts = stubServer();
    const { type, name, location } = await startWith(undefined, 'first');
    location.search = '?tab=2';
    type('t');
    await vi.advanceTimersByTimeAsync(500);
    type('typed');
    await vi.advanceTimersByTimeAsync(999);
    expect(drafts).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    const times = { typedAt: String(NOW + 1500), typedSince: '', viewerId: '7' };
    const fields = { typedForm: name, remarks: 'typed', requestId: 'first', ...times };
    expect(drafts.map((body) => Object.fromEntries(body))).toEqual([fields]);
    // And not of who is not signed in.
    (await startWith({})).type('typed');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(drafts).toHaveLength(1);
  });

  it('is not made, nor is anything kept, in a form that was made for who was signed in before (B1822)', async () => {
    const drafts = stubServer();
    const { type, document } = await startWith();
    document.documentElement.dataset.viewer = '8';
    type('typed');
    await vi.advanceTimersByTimeAsync(60_000);
    expect([drafts, [...rows().keys()]]).toEqual([[], []]);
  });

  it('is not made of a text that loses its focus as its page goes, at the address of the next page (B885)', async () => {
    const drafts = stubServer();
    const { remarks, say } = await startWith();
    remarks.value = 'typed';
    say('change', { target: remarks });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(drafts).toEqual([]);
  });

  it('says since when this page has known the draft: since its own last one (B889)', async () => {
    const drafts = stubServer(async () => Response.json({ savedAt: '2026-05-12T10:00:01.000Z', other: null }));
    const { type } = await startWith({ viewer: '7', renderedAt: '2026-05-12T09:00:00.000Z' });
    for (const value of ['typed', 'typed on']) {
      type(value);
      await vi.advanceTimersByTimeAsync(1000);
    }
    const since = ['2026-05-12T09:00:00.000Z', '2026-05-12T10:00:01.000Z'];
    expect(drafts.map((body) => body.get('typedSince'))).toEqual(since);
  });

  it.each([
    ['the page is hidden', 'visibilitychange', 'hidden', {}, 1],
    ['the page is seen again', 'visibilitychange', 'visible', {}, 0],
    ['the page goes', 'pagehide', 'hidden', {}, 1],
    ['the browser goes back', 'popstate', 'visible', {}, 1],
    ['a link is pressed', 'click', 'visible', { target: inputOf({ name: '', within: 'a[href]' }) }, 1],
    ['something else is pressed', 'click', 'visible', { target: inputOf({ name: '' }) }, 0],
  ])('where %s right after the last key, it is sent at once or not (B804, B885)', async (...row) => {
    const [, event, visibilityState, fields, sent] = row;
    const drafts = stubServer();
    const { type, say, document, name } = await startWith();
    Object.assign(document, { visibilityState });
    type('typed');
    say(event, fields);
    expect(drafts.filter((body) => body.get('typedForm') === name)).toHaveLength(sent);
    await vi.advanceTimersByTimeAsync(60_000);
  });

  it.each([
    ['whose request is lost, from a shared computer', SHARED, lost, 5000, 2],
    ['without an answer, from a shared computer', SHARED, neverAnswered, 35_000, 2],
    ['whose request is lost, from a computer of its user', { viewer: '7' }, lost, 60_000, 1],
  ])('%s is sent again or not (B886)', async (_, dataset, answer, withinMs, sent) => {
    const drafts = stubServer(answer);
    (await startWith(dataset)).type('typed');
    await vi.advanceTimersByTimeAsync(1000 + withinMs);
    expect(drafts).toHaveLength(sent);
  });

  it.each([
    ['answered', { viewer: '7' }, undefined, 'saved'],
    ['lost', { viewer: '7' }, lost, 'on device'],
    ['lost from a shared computer', SHARED, lost, 'failed'],
  ])('that was %s is said to be kept, and where, or not (B885, B886)', async (_, dataset, answer, expected) => {
    stubServer(answer ?? (async () => Response.json({ savedAt: '2026-05-12T10:00:01.000Z', other: null })));
    const { type, form } = await startWith(dataset);
    const states: string[] = [];
    form.addEventListener('draftstate', (event) => states.push(Reflect.get(event, 'detail')));
    type('typed');
    await vi.advanceTimersByTimeAsync(1000);
    expect(states).toEqual([expected]);
  });

  it('that is lost is said to be kept nowhere by a browser that refuses to store, and is sent again (B1686)', async () => {
    const drafts = stubServer(lost);
    const { type, form } = await startWith();
    const states: string[] = [];
    form.addEventListener('draftstate', (event) => states.push(Reflect.get(event, 'detail')));
    const opened = await openOutbox();
    const { transaction } = opened;
    const refuse = () => {
      throw new Error('full');
    };
    Object.assign(opened, { transaction: refuse });
    type('typed');
    await vi.advanceTimersByTimeAsync(1000);
    Object.assign(opened, { transaction });
    type('typed on');
    await vi.advanceTimersByTimeAsync(60_000);
    expect([states, drafts.length]).toEqual([['failed', 'on device'], 2]);
  });

  it('of a form that came to another address is what was typed at its own (B885)', async () => {
    const drafts = stubServer();
    const { type, remarks, location } = await startWith();
    type('typed');
    location.pathname = '/airplanes/8';
    remarks.value = 'of another aircraft';
    await vi.advanceTimersByTimeAsync(1000);
    expect(drafts.map((body) => body.get('remarks'))).toEqual(['typed']);
  });

  it('that has come is no draft of what another tab has put in its place meanwhile (B885)', async () => {
    stubServer(async () => Response.json({ savedAt: '2026-05-12T10:00:01.000Z', other: null }));
    const { type, name } = await startWith();
    const isSaved = () => findEntry(name)?.savedAt !== undefined;
    type('typed');
    await vi.advanceTimersByTimeAsync(1000);
    expect(isSaved()).toBe(true);
    type('typed on');
    const entry = findEntry(name);
    if (entry) saveEntry(name, { ...entry, values: { remarks: 'of another tab' } });
    await vi.advanceTimersByTimeAsync(1000);
    expect(isSaved()).toBe(false);
  });
});

describe('a form that is sent', () => {
  it('takes its draft back, and a later time than that of its draft along (B804, B885)', async () => {
    const drafts = stubServer(neverAnswered);
    const { type, send } = await startWith();
    type('typed');
    await vi.advanceTimersByTimeAsync(1000);
    type('typed on');
    const sent = send();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(drafts.map((body) => body.get('remarks'))).toEqual(['typed']);
    expect(Number(sent.get('typedAt'))).toBeGreaterThan(Number(drafts[0]?.get('typedAt')));
  });

  it('without a request id of its own gets none (B891)', async () => {
    stubServer();
    const { type, send, name } = await startWith();
    type('typed');
    const entry = findEntry(name);
    if (entry) saveEntry(name, { ...entry, requestId: 'of another time' });
    expect(send().has('requestId')).toBe(false);
  });

  it.each([
    ['sent', 0],
    ['waiting', 0],
    ['refused', 1],
    ['mismatch', 1],
    ['unknown', 1],
  ])('and counts as %s is saved as a draft or not (B885)', async (detail, sent) => {
    const drafts = stubServer();
    const { type, send, say } = await startWith();
    type('typed');
    send();
    say('formoutcome', { detail });
    await vi.advanceTimersByTimeAsync(1000);
    expect(drafts).toHaveLength(sent);
  });

  it('leaves its photos on the device once it was refused, and not once it was sent (B885)', async () => {
    stubServer();
    const photo = inputOf({ name: 'photo', type: 'file', files: [new File(['x'], 'left.jpg')] });
    const form = Object.assign(formOf('photos', [photo]), { action: 'http://localhost:3000/airplanes/7' });
    const { say, start, open } = startPage(keepTyped);
    open(form);
    start();
    await vi.advanceTimersByTimeAsync(1);
    for (const [detail, expected] of [
      ['refused', ['left.jpg']],
      ['sent', []],
    ] as const) {
      for (const [type, event] of Object.entries({ change: { target: photo }, submit: { target: form } }))
        say(type, event);
      say('formoutcome', { detail });
      await vi.advanceTimersByTimeAsync(1);
      expect(keptPhotos()).toEqual(expected);
    }
  });
});

describe('a form that is sent before the script that keeps it comes', () => {
  /** Of a page whose script comes with `start`. */
  function sendEarly(requestId?: string) {
    const drafts = stubServer();
    const page = startPage(keepTyped);
    const typed = remarksForm({}, requestId);
    page.open(typed.form);
    typed.remarks.value = 'typed';
    page.say('submit', { target: typed.form, defaultPrevented: true });
    return { drafts, ...page, ...typed };
  }

  it.each([
    ['as it is on its way', ['start', 'answer']],
    ['after it was answered', ['answer', 'start']],
  ])('is over once it is done: the script that comes %s keeps nothing of it (B890)', async (_, order) => {
    const { drafts, start, say, change, name } = sendEarly();
    for (const step of order) {
      if (step === 'start') start();
      else say('formoutcome', { detail: 'sent' });
      await vi.advanceTimersByTimeAsync(2000);
    }
    change();
    await vi.advanceTimersByTimeAsync(2000);
    expect([findEntry(name), drafts]).toEqual([undefined, []]);
  });

  it('is kept again once more is typed into it (B890)', () => {
    const { start, say, remarks, name } = sendEarly();
    say('formoutcome', { detail: 'sent' });
    start();
    for (const value of ['more', 'even more']) {
      vi.advanceTimersByTime(10);
      remarks.value = value;
      say('input', { target: remarks });
    }
    expect(findEntry(name)?.values).toEqual({ remarks: 'even more' });
  });

  it.each([
    ['refused', undefined],
    ['unknown', 'first'],
  ])('and counts as %s is kept as it stands, as the same request or not (B885, B891)', async (detail, requestId) => {
    const { drafts, start, say, name } = sendEarly('first');
    start();
    await vi.advanceTimersByTimeAsync(2000);
    expect([findEntry(name), drafts]).toEqual([undefined, []]);
    say('formoutcome', { detail });
    expect(findEntry(name)).toMatchObject({ values: { remarks: 'typed' } });
    expect(findEntry(name)?.requestId).toBe(requestId);
    await vi.advanceTimersByTimeAsync(1000);
    expect(drafts.map((body) => body.get('remarks'))).toEqual(['typed']);
  });

  it('by the browser itself is kept like any other (B885)', () => {
    const { start, say, form, name } = sendEarly();
    say('formoutcome', { detail: 'refused' });
    say('submit', { target: form, defaultPrevented: false });
    start();
    vi.advanceTimersByTime(0);
    expect(findEntry(name)?.values).toEqual({ remarks: 'typed' });
  });
});

describe('a form that waited for the password', () => {
  it.each([
    ['sent', undefined],
    ['unknown', 'first'],
  ])('and then counts as %s takes what was typed at its own page along or not (B890, B891)', async (detail, left) => {
    const drafts = stubServer();
    const { type, say, name, form, location } = await startWith(undefined, 'first');
    type('typed');
    say('submit', { target: form });
    say('formoutcome', { detail: 'refused' });
    await vi.advanceTimersByTimeAsync(1000);
    location.pathname = '/confirm-password';
    const fields = { typedForm: name, requestId: 'first' };
    const hidden = Object.entries(fields).map(([field, value]) => inputOf({ name: field, type: 'hidden', value }));
    const proof = Object.assign(formOf('confirm-password', hidden), { action: 'http://localhost:3000/airplanes/7' });
    say('submit', { target: proof });
    say('formoutcome', { detail });
    await vi.advanceTimersByTimeAsync(2000);
    expect([findEntry(name)?.requestId, drafts.length]).toEqual([left, 1]);
  });
});

describe('a page that comes', () => {
  it('puts back the photos of its forms (B885)', async () => {
    vi.resetModules();
    const fresh = await import('#app/islands/typed/typed.ts');
    const photo = inputOf({ name: 'photo', type: 'file', files: [] });
    const { start, open } = startPage(fresh.keepTyped);
    open(formOf('photos', [photo]));
    putTyped('typed:7:/airplanes/7#photos|photo', { files: [new File(['x'], 'left.jpg')], at: NOW });
    start();
    await vi.advanceTimersByTimeAsync(10);
    expect([...(photo.files ?? [])].map(({ name }) => name)).toEqual(['left.jpg']);
  });

  it('keeps what was typed into it before its script came, but nothing of a form without a name (B885)', async () => {
    stubServer();
    const { start, open } = startPage(keepTyped);
    const { form, name } = remarksForm({ value: 'typed early' });
    open(formOf('', [inputOf({ name: 'remarks', value: 'typed early' })]), form);
    start();
    await vi.advanceTimersByTimeAsync(0);
    expect([...rows().keys()]).toEqual([`typed:7:${name}`]);
    expect(findEntry(name)?.values).toEqual({ remarks: 'typed early' });
  });

  it('puts what was typed back once, whatever else comes onto it later (B804, B885)', async () => {
    stubServer();
    const { start, open, change } = startPage(keepTyped);
    const { form, name, remarks } = remarksForm();
    const entry = { values: { remarks: 'typed' }, defaults: { remarks: 'stored' }, touched: ['remarks'] };
    saveEntry(name, { ...entry, subject: '[]', at: NOW });
    open(form);
    start();
    await vi.advanceTimersByTimeAsync(0);
    expect(remarks.value).toBe('typed');
    remarks.value = 'put there by the page';
    change();
    await vi.advanceTimersByTimeAsync(0);
    expect(remarks.value).toBe('put there by the page');
  });
});

describe('what is typed on a page before its forms are put back', () => {
  it.each([
    ['beside what was typed before', {}, false, 'typed', 'first'],
    ['in place of what was typed in its field before', {}, true, 'early', 'first'],
    ['without what was typed of another subject', { subject: '[["id","8"]]' }, false, 'stored', undefined],
    ['without a draft that is over', { savedAt: '2026-05-12T09:00:00.000Z' }, false, 'stored', 'first'],
  ])('stands in its form %s (B885)', async (_, differing, isEarly, expected, requestId) => {
    stubServer(neverAnswered);
    const page = startPage(keepTyped, { viewer: '7', renderedAt: new Date(NOW).toISOString() });
    const { form, remarks, name } = remarksForm();
    const [values, defaults] = [{ remarks: 'typed' }, { remarks: 'before' }];
    const former = { values, defaults, touched: ['remarks'], subject: '[]', at: NOW - 1000 };
    saveEntry(name, { ...former, requestId: 'first', ...differing });
    const oil = inputOf({ name: 'oil' });
    const both = formOf(form.id, [remarks, oil]);
    page.open(both);
    page.start();
    for (const quarts of ['7', '7.5']) {
      oil.value = quarts;
      page.say('input', { target: oil });
    }
    // In the same field it takes the place of what was typed before.
    if (isEarly) {
      remarks.value = 'early';
      page.say('input', { target: remarks });
    }
    await vi.advanceTimersByTimeAsync(0);
    expect([remarks.value, oil.value, findEntry(name)?.requestId]).toEqual([expected, '7.5', requestId]);
  });

  it.each([
    ['after a visit, also where the script had not come yet', 'navigate', false, 'early'],
    ['after a visit', 'navigate', true, 'early'],
    ['after a reload', 'reload', true, 'early'],
    ['after a reload, but not what the browser itself put back', 'reload', false, 'late'],
  ])('stays though its draft of a shared computer still comes: %s (B915)', async (_, type, isHeard, expected) => {
    // Whose rows have not been read yet.
    const viewer = String((forms += 1));
    const page = startPage(keepTyped, { ...SHARED, viewer });
    class Navigation {
      type = type;
    }
    vi.stubGlobal('PerformanceNavigationTiming', Navigation);
    vi.stubGlobal('performance', { getEntriesByType: () => [new Navigation()] });
    const { form, remarks, name } = remarksForm();
    const oil = inputOf({ name: 'oil' });
    const both = formOf(form.id, [remarks, oil]);
    vi.stubGlobal('fetch', async () => Response.json({ values: { remarks: 'late', oil: '7' }, typedAt: NOW }));
    putTyped(`typed:${viewer}:${name}|draft`, { at: NOW });
    page.open(both);
    page.start();
    remarks.value = 'early';
    if (isHeard) page.say('input', { target: remarks });
    await vi.advanceTimersByTimeAsync(60_000);
    expect([remarks.value, oil.value]).toEqual([expected, '7']);
  });

  it('is kept also as a photo that was chosen before there was a place to keep it (B885)', async () => {
    vi.resetModules();
    const fresh = await import('#app/islands/typed/typed.ts');
    stubServer();
    const photo = inputOf({ name: 'photo', type: 'file', files: [new File(['x'], 'early.jpg')] });
    const page = startPage(fresh.keepTyped);
    page.open(formOf('photos', [photo]));
    page.start();
    page.say('change', { target: photo });
    await vi.advanceTimersByTimeAsync(10);
    expect(keptPhotos()).toEqual(['early.jpg']);
  });
});

describe('a log-out', () => {
  it.each([
    ['where the server has what was typed', { savedAt: '2026-05-12T10:00:01.000Z' }, null, false],
    ['where a page went before it knew that the server has it', undefined, NOW + 1, false],
    ['where the server has something that was typed before', undefined, NOW - 1, true],
    ['where the server has nothing of it', undefined, null, true],
  ])('%s goes on or asks first (B1687)', async (_, saved, typedAt, isAsked) => {
    vi.resetModules();
    const fresh = await import('#app/islands/typed/typed.ts');
    const { type, say, location } = await startWith(undefined, undefined, fresh.keepTyped);
    vi.stubGlobal('fetch', async (_path: string, { method }: RequestInit) => {
      if (method !== 'POST') return Response.json({ values: {}, typedAt });
      return saved ? Response.json({ ...saved, other: null }) : Response.error();
    });
    type('typed');
    const said: string[] = [];
    Object.assign(location, { assign: (path: string) => said.push(path) });
    const requestSubmit = () => said.push('log out');
    const target = Object.assign(formOf('', []), { action: 'http://localhost:3000/logout', requestSubmit });
    say('submit', { target, preventDefault: () => {}, stopPropagation: () => {} });
    await vi.advanceTimersByTimeAsync(1000);
    expect(said).toEqual([isAsked ? '/logout?unsent=yes' : 'log out']);
  });
});
