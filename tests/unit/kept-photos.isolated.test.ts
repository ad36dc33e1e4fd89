import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { deletePhotos, openPhotos, restorePhotos, savePhotos } from '#app/islands/typed/photos.ts';
import { findKeys, findUnsent, putUnsent, removeUnsent, replaceKeys } from '#app/service-worker/unsent-store.ts';
import type { Unsent } from '#app/service-worker/unsent-store.ts';
import { formOf, inputOf, stubForms } from '../support/form-stubs.ts';
import { keyRangeStub, stubIndexedDb } from '../support/stored-objects.ts';

const HOUR_MS = 3_600_000;
const { indexedDB, rowsOf } = stubIndexedDb();
const photoOf = (name: string) => new File(['x'], name, { type: 'image/jpeg' });
const photoInput = (files: File[]) => inputOf({ name: 'photo', type: 'file', files });
const photos = () => rowsOf('typed', 'photos');
beforeEach(() => {
  stubForms();
  vi.stubGlobal('indexedDB', indexedDB);
  vi.stubGlobal('IDBKeyRange', keyRangeStub);
  rowsOf('typed', 'photos').clear();
});
afterEach(() => vi.unstubAllGlobals());

describe('the photos of a form that was not sent', () => {
  it.each([
    ['of an hour ago', 1, [], ['left.jpg']],
    ['of 13 hours ago', 13, [], []],
    ['beside one that was chosen since', 1, [photoOf('new.jpg')], ['new.jpg']],
  ])('a photo %s comes back into its input or not (B994)', async (_, hoursAgo, chosen, expected) => {
    await openPhotos();
    photos().set('typed:7:/a#b|photo', { files: [photoOf('left.jpg')], at: Date.now() - hoursAgo * HOUR_MS });
    const input = photoInput(chosen);
    await restorePhotos('/a#b', formOf('b', [input]));
    expect([...(input.files ?? [])].map(({ name }) => name)).toEqual(expected);
  });

  it.each([
    ['of a squawk come back, all of them, and the form learns of them', undefined, ['change']],
    ['of a meter come back without being read', '.meter-photo-field', []],
  ])('%s (B994)', async (_, within, expected) => {
    await openPhotos();
    const files = ['one.jpg', 'two.jpg'].map(photoOf);
    photos().set('typed:7:/a#b|photo', { files, at: Date.now() });
    const input = inputOf({ name: 'photo', type: 'file', files: [], within });
    const said: string[] = [];
    input.addEventListener('change', ({ type }) => said.push(type));
    await restorePhotos('/a#b', formOf('b', [input]));
    expect([...(input.files ?? [])].map(({ name }) => name)).toEqual(['one.jpg', 'two.jpg']);
    expect(said).toEqual(expected);
  });

  it('are kept until the form is sent or they are taken out of it, and no other form loses its own (B994)', async () => {
    await openPhotos();
    const input = photoInput([photoOf('one.jpg')]);
    for (const name of ['/a#b', '/a#bc']) savePhotos(name, photoInput([photoOf('one.jpg')]));
    savePhotos('/taken#out', input);
    expect([...photos().keys()]).toEqual(['typed:7:/a#b|photo', 'typed:7:/a#bc|photo', 'typed:7:/taken#out|photo']);
    Object.assign(input, { files: [] });
    savePhotos('/taken#out', input);
    deletePhotos('/a#b');
    expect([...photos().keys()]).toEqual(['typed:7:/a#bc|photo']);
  });

  it('go with their user, and when they are too old (B992)', async () => {
    await openPhotos();
    const kept = (hoursAgo: number) => ({ files: [], at: Date.now() - hoursAgo * HOUR_MS });
    for (const [name, age] of Object.entries({ '7:/a#b': 11, '8:/a#b': 1, '7:/old#b': 13 }))
      photos().set(`typed:${name}|photo`, kept(age));
    await openPhotos();
    expect([...photos().keys()]).toEqual(['typed:7:/a#b|photo']);
  });
});

describe('what waits on a device to be sent', () => {
  const key = btoa('k'.repeat(32)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  const unsent = (id: string, typedAt: number, after: string | null = null): Unsent => ({
    ...{ id, owner: 'anna', typedAt, kind: 'check-in', aircraftId: 3, flightId: null, after, state: 'waiting' },
    sealed: { iv: new Uint8Array(12), body: new ArrayBuffer(0), type: '' },
  });

  it('is sealed with the key that the server named first, and keys that it names no more are gone (B868)', async () => {
    await replaceKeys([{ owner: 'gone', key }]);
    await replaceKeys(['anna', 'earlier', 'first'].map((owner) => ({ owner, key })));
    const keys = await findKeys();
    expect(keys.map(({ owner, isCurrent }) => `${owner} ${isCurrent}`).toSorted()).toEqual([
      'anna true',
      'earlier false',
      'first false',
    ]);
    expect(keys.map((one) => one.key.extractable)).toEqual([false, false, false]);
  });

  it('is found in the order in which it was typed, and a check-in takes the flight of its check-out (B867)', async () => {
    await putUnsent(unsent('late', 3));
    await putUnsent(unsent('follower', 2, 'first'));
    await putUnsent(unsent('first', 1));
    expect((await findUnsent()).map(({ id }) => id)).toEqual(['first', 'follower', 'late']);
    await removeUnsent('first', 41);
    expect(await findUnsent()).toMatchObject([
      { id: 'follower', after: null, flightId: 41 },
      { id: 'late', after: null, flightId: null },
    ]);
  });
});
