/** What one user typed on this device and the server has not confirmed. */
export interface Unsent {
  /** Of the kind and the form's request id, so that a form is kept once. */
  id: string;
  owner: string;
  kind: 'check-out' | 'check-in';
  typedAt: number;
  aircraftId: number | null;
  /** Of a check-in; null while its check-out waits, too. */
  flightId: number | null;
  /** The check-out that goes first. */
  after: string | null;
  /** 'returned': the server has refused it, and keeps the form at `to`. */
  state: 'waiting' | 'returned' | 'signed out';
  text?: string;
  to?: string;
  sealed: Sealed;
}

/** A form's body, encrypted. */
export interface Sealed {
  iv: Uint8Array<ArrayBuffer>;
  body: ArrayBuffer;
  type: string;
}

export interface StoredKey {
  owner: string;
  /** The newest, that what is typed now is encrypted with. */
  isCurrent: boolean;
  key: CryptoKey;
}

const CHANNEL = 'unsent';

const UNSENT = 'unsent';
const KEYS = 'keys';

/** As it was typed. */
export async function findUnsent(): Promise<Unsent[]> {
  const items: Unsent[] = await inStore(UNSENT, 'readonly', (store) => store.getAll());
  return items.sort((one, other) => one.typedAt - other.typedAt);
}

export async function putUnsent(item: Unsent): Promise<void> {
  await inStore(UNSENT, 'readwrite', (store) => store.put(item));
  announce();
}

/** What waited for it now has its flight. */
export async function removeUnsent(id: string, flightId: number | null = null): Promise<void> {
  const followers = (await findUnsent()).filter(({ after }) => after === id);
  // One transaction: a worker that is stopped in between would leave a check-in without its flight.
  await inStore(UNSENT, 'readwrite', (store) => {
    for (const follower of followers) store.put({ ...follower, after: null, flightId });
    return store.delete(id);
  });
  announce();
}

export async function findKeys(): Promise<StoredKey[]> {
  const keys: StoredKey[] = await inStore(KEYS, 'readonly', (store) => store.getAll());
  return keys;
}

/** Only these are left; scripts cannot read them out. */
export async function replaceKeys(keys: { owner: string; key: string }[]): Promise<void> {
  const stored = await Promise.all(keys.map(({ owner, key }, at) => toStoredKey(owner, key, at === 0)));
  await inStore(KEYS, 'readwrite', (store) => {
    for (const one of stored) store.put(one);
    const kept = stored.map(({ owner }) => owner);
    const request = store.openKeyCursor();
    request.addEventListener('success', () => {
      const cursor = request.result;
      if (!cursor) return;
      if (!kept.includes(String(cursor.key))) store.delete(cursor.key);
      cursor.continue();
    });
    return request;
  });
  announce();
}

/** Calls back whenever what waits has changed, by whichever tab or worker. */
export function onChange(callback: () => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener('message', callback);
  return () => channel.close();
}

export async function sealForm({ key }: StoredKey, form: FormData): Promise<Sealed> {
  const response = new Response(form);
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const body = await crypto.subtle.encrypt({ name: CIPHER, iv }, key, await response.arrayBuffer());
  return { iv, body, type: response.headers.get('content-type') ?? '' };
}

export async function openForm({ key }: StoredKey, { iv, body, type }: Sealed): Promise<FormData> {
  const content = await crypto.subtle.decrypt({ name: CIPHER, iv }, key, body);
  return new Response(content, { headers: { 'content-type': type } }).formData();
}

const CIPHER = 'AES-GCM';

async function toStoredKey(owner: string, key: string, isCurrent: boolean): Promise<StoredKey> {
  const bytes = Uint8Array.from(atob(key.replaceAll('-', '+').replaceAll('_', '/')), (byte) => byte.charCodeAt(0));
  return {
    owner,
    isCurrent,
    key: await crypto.subtle.importKey('raw', bytes, CIPHER, false, ['encrypt', 'decrypt']),
  };
}

function announce(): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage('changed');
  channel.close();
}

async function inStore<Result>(
  name: string,
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> {
  const database = await openDatabase();
  try {
    return await new Promise((resolve, reject) => {
      const transaction = database.transaction(name, mode);
      const request = work(transaction.objectStore(name));
      transaction.addEventListener('complete', () => resolve(request.result));
      transaction.addEventListener('error', () => reject(transaction.error ?? new Error('not stored')));
      transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('not stored')));
    });
  } finally {
    database.close();
  }
}

function openDatabase(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open('flightline-unsent', 1);
    request.addEventListener('upgradeneeded', () => {
      request.result.createObjectStore(UNSENT, { keyPath: 'id' });
      request.result.createObjectStore(KEYS, { keyPath: 'owner' });
    });
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('no database')));
  });
}
