import { type ChosenPhotos, putTyped, tabName, type TypedForm } from './outbox.ts';

/** Takes over what releases before 0.3 kept elsewhere; what waits to be sent has stayed where it was. */
export async function adoptFormerStores(): Promise<void> {
  try {
    for (const storage of [localStorage, sessionStorage]) adoptEntries(storage);
  } catch {
    // The browser refuses storage, and so has none of it.
  }
  const names = (await indexedDB.databases?.()) ?? [];
  if (names.some(({ name }) => name === PHOTOS)) await adoptPhotos();
}

const PHOTOS = 'typed';

function adoptEntries(storage: Storage): void {
  for (const key of Object.keys(storage).filter((name) => name.startsWith('typed:'))) {
    const entry: Omit<TypedForm, 'id' | 'state'> = JSON.parse(storage.getItem(key) ?? '');
    // Who had not signed in had no id.
    const id = key.replace(/^typed::/, `typed:${tabName({ isNew: true })}:`);
    putTyped({ ...entry, id, state: 'typed' });
    storage.removeItem(key);
  }
  storage.removeItem('draftsUnderWay');
}

async function adoptPhotos(): Promise<void> {
  const opening = indexedDB.open(PHOTOS, 1);
  await settled(opening);
  const photos = opening.result.transaction(PHOTOS_STORE).objectStore(PHOTOS_STORE);
  const [ids, rows] = [photos.getAllKeys(), photos.getAll()];
  await settled(rows);
  const kept: Omit<ChosenPhotos, 'id'>[] = rows.result;
  kept.forEach((row, at) => putTyped({ ...row, id: String(ids.result[at]) }));
  opening.result.close();
  indexedDB.deleteDatabase(PHOTOS);
}

const PHOTOS_STORE = 'photos';

function settled(request: IDBRequest): Promise<void> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve());
    request.addEventListener('error', () => reject(request.error ?? new Error('not read')));
  });
}
