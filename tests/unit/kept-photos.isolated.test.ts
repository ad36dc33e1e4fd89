import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  deleteEntry,
  findEntry,
  hasAnyKeptPhotos,
  loadEntries,
  restorePhotos,
  saveEntry,
  savePhotos,
} from '#app/islands/typed/entries.ts';
import {
  clearForms,
  findKeys,
  findTyped,
  findUnsent,
  openOutbox,
  putTyped,
  putUnsent,
  removeUnsentAndLinkCheckIn,
  replaceEncryptionKeys,
} from '#app/islands/outbox/outbox.ts';
import type { TypedForm, Unsent } from '#app/islands/outbox/outbox.ts';
import { formOf, inputOf, stubForms } from '../support/form-stubs.ts';
import { keyRangeStub, stubIndexedDb } from '../support/stored-objects.ts';

const HOUR_MS = 3_600_000;
const { indexedDB, rowsOf } = stubIndexedDb();
const photoOf = (name: string) => new File(['x'], name, { type: 'image/jpeg' });
const photoInput = (files: File[]) => inputOf({ name: 'photo', type: 'file', files });
const ids = () => [...rowsOf('flightline-unsent', 'unsent').keys()];
beforeEach(async () => {
  vi.stubGlobal('indexedDB', indexedDB);
  vi.stubGlobal('IDBKeyRange', keyRangeStub);
  // What this page knows is its viewer's.
  stubForms({ viewer: '0' });
  await loadEntries();
  rowsOf('flightline-unsent', 'unsent').clear();
  stubForms();
});
afterEach(() => vi.unstubAllGlobals());

describe('the photos of a form that was not sent', () => {
  it.each([
    ['of an hour ago', 1, [], ['left.jpg']],
    ['of 13 hours ago', 13, [], []],
    ['beside one that was chosen since', 1, [photoOf('new.jpg')], ['new.jpg']],
  ])('a photo %s comes back into its input or not (B994)', async (_, hoursAgo, chosen, expected) => {
    const at = Date.now() - hoursAgo * HOUR_MS;
    putTyped('typed:7:/a#b|photo', { files: [photoOf('left.jpg')], at });
    await loadEntries();
    const input = photoInput(chosen);
    restorePhotos('/a#b', formOf('b', [input]));
    expect([...(input.files ?? [])].map(({ name }) => name)).toEqual(expected);
  });

  it.each([
    ['of a squawk come back, all of them, and the form learns of them', undefined, ['change']],
    ['of a meter come back without being read, and the form learns of them', '.meter-photo-field', ['input']],
  ])('%s (B994)', async (_, within, expected) => {
    const files = ['one.jpg', 'two.jpg'].map(photoOf);
    putTyped('typed:7:/a#b|photo', { files, at: Date.now() });
    await loadEntries();
    const input = inputOf({ name: 'photo', type: 'file', files: [], within });
    const said: string[] = [];
    for (const type of ['input', 'change']) input.addEventListener(type, () => said.push(type));
    restorePhotos('/a#b', formOf('b', [input]));
    expect([...(input.files ?? [])].map(({ name }) => name)).toEqual(['one.jpg', 'two.jpg']);
    expect(said).toEqual(expected);
  });

  it('are kept until the form is sent or they are taken out of it, and no other form loses its own (B994)', async () => {
    await loadEntries();
    const input = photoInput([photoOf('one.jpg')]);
    for (const name of ['/a#b', '/a#bc']) savePhotos(name, photoInput([photoOf('one.jpg')]));
    savePhotos('/taken#out', input);
    await findTyped();
    expect(ids()).toEqual(['typed:7:/a#b|photo', 'typed:7:/a#bc|photo', 'typed:7:/taken#out|photo']);
    Object.assign(input, { files: [] });
    savePhotos('/taken#out', input);
    deleteEntry('/a#b');
    await findTyped();
    expect(ids()).toEqual(['typed:7:/a#bc|photo']);
  });
});

describe('what was typed on this device', () => {
  const entryOf = (hoursAgo: number): TypedForm => ({
    ...{ values: { remarks: 'typed' }, defaults: {}, touched: [], subject: '[]' },
    at: Date.now() - hoursAgo * HOUR_MS,
  });

  it.each([
    ['its user, unless it is too old', { viewer: '7' }, ['typed:7:/a#b', 'typed:7:/a#b|photo', 'typed:tab-1:/a#b']],
    ['a user of a shared computer, none', { viewer: '7', shared: '' }, []],
    ['nobody', {}, ['typed:7:/a#b', 'typed:7:/a#b|photo', 'typed:8:/a#b', 'typed:tab-1:/a#b']],
  ])('is left by a page of %s (B992, B886)', async (_, dataset, expected) => {
    stubForms(dataset);
    for (const id of ['7:/a#b', '8:/a#b', 'tab-1:/a#b']) putTyped(`typed:${id}`, entryOf(11));
    putTyped('typed:7:/a#b|photo', { files: [photoOf('one.jpg')], at: Date.now() });
    putTyped('typed:7:/old#b', entryOf(13));
    await loadEntries();
    expect(ids().toSorted()).toEqual(expected);
  });

  it('is not shown to who has signed in while it was read (B992)', async () => {
    const { document } = stubForms({ viewer: '8' });
    await loadEntries();
    document.documentElement.dataset.viewer = '7';
    putTyped('typed:7:/a#b', entryOf(1));
    const loading = loadEntries();
    document.documentElement.dataset.viewer = '9';
    await Promise.all([loading, loadEntries()]);
    expect([findEntry('/a#b'), ids()]).toEqual([undefined, []]);
  });

  it('is there though the browser refuses to store, while the page lives (B1252)', async () => {
    await openOutbox();
    const { transaction } = await openOutbox();
    Object.assign(await openOutbox(), {
      transaction: () => {
        throw new Error('refused');
      },
    });
    vi.stubGlobal('indexedDB', undefined);
    await loadEntries();
    saveEntry('/a#refused', entryOf(0));
    expect([findEntry('/a#refused')?.values, await hasAnyKeptPhotos()]).toEqual([{ remarks: 'typed' }, false]);
    vi.stubGlobal('indexedDB', indexedDB);
    Object.assign(await openOutbox(), { transaction });
  });

  it('and kept by a release before comes over once, photos and a tab of nobody included (B1251)', async () => {
    const { local, session } = stubForms();
    const former = entryOf(1);
    local['typed:7:/a#b'] = JSON.stringify(former);
    local.draftsUnderWay = '{}';
    session['typed::/register#register'] = JSON.stringify(former);
    local.other = 'x';
    const opening = indexedDB.open('typed');
    opening.addEventListener('upgradeneeded', () => Reflect.get(Object(opening.result), 'createObjectStore')('photos'));
    await new Promise((resolve) => opening.addEventListener('success', resolve));
    rowsOf('typed', 'photos').set('typed:7:/a#b|photo', { files: [photoOf('left.jpg')], at: Date.now() });
    await loadEntries();
    const input = photoInput([]);
    restorePhotos('/a#b', formOf('b', [input]));
    expect(findEntry('/a#b')?.values).toEqual({ remarks: 'typed' });
    expect([...(input.files ?? [])].map(({ name }) => name)).toEqual(['left.jpg']);
    const tab = `typed:${session.tab}:/register#register`;
    expect(ids().toSorted()).toEqual(['typed:7:/a#b', 'typed:7:/a#b|photo', tab]);
    expect([Object.keys(local), Object.keys(session)]).toEqual([['other'], ['tab']]);
    expect((await indexedDB.databases()).map(({ name }) => name)).toEqual(['flightline-unsent']);
  });
});

describe('what waits on a device to be sent', () => {
  const key = btoa('k'.repeat(32)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  const unsent = (id: string, typedAt: number, after: string | null = null): Unsent => ({
    ...{ id, owner: 'anna', typedAt, kind: 'check-in', aircraftId: 3, flightId: null, after, state: 'waiting' },
    sealed: { iv: new Uint8Array(12), body: new ArrayBuffer(0), type: '' },
  });

  it('is sealed with the key that the server named first, and keys that it names no more are gone (B868)', async () => {
    await replaceEncryptionKeys([{ owner: 'gone', key }]);
    await replaceEncryptionKeys(['anna', 'earlier', 'first'].map((owner) => ({ owner, key })));
    const keys = await findKeys();
    const named = ['anna true', 'earlier false', 'first false'];
    expect(keys.map(({ owner, isCurrent }) => `${owner} ${isCurrent}`).toSorted()).toEqual(named);
    expect(keys.map((one) => one.key.extractable)).toEqual([false, false, false]);
  });

  it('is found in the order in which it was typed, and a check-in takes the flight of its check-out (B867)', async () => {
    await putUnsent(unsent('late', 3));
    await putUnsent(unsent('follower', 2, 'first'));
    await putUnsent(unsent('first', 1));
    expect((await findUnsent()).map(({ id }) => id)).toEqual(['first', 'follower', 'late']);
    await removeUnsentAndLinkCheckIn('first', 41);
    expect(await findUnsent()).toMatchObject([
      { id: 'follower', after: null, flightId: 41 },
      { id: 'late', after: null, flightId: null },
    ]);
    await clearForms();
    expect(await findUnsent()).toEqual([]);
  });
});
