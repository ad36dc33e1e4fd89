import type { Values } from '../typed/controls.ts';

/** The values of a form until the form was sent. */
export interface TypedForm {
  values: Values;
  defaults: Values;
  /** The controls that have differed from it since, by now perhaps typed back. */
  touched: string[];
  subject: string;
  at: number;
  savedAt?: string;
  /** Of the press: it is being sent, and was not refused so far. */
  requestId?: string;
}

export interface ChosenPhotos {
  files: File[];
  at: number;
}

/** A check-out or check-in of one user that waits for a network, a session or a word on it. */
export interface Unsent {
  /** The kind and the form's request id, so that a form is kept once. */
  id: string;
  owner: string;
  kind: 'check-out' | 'check-in';
  typedAt: number;
  aircraftId: number | null;
  /** The flight of a check-in; null while its check-out waits, too. */
  flightId: number | null;
  /** The check-out that goes first. */
  after: string | null;
  /** 'returned': the server has refused it, and keeps the form at `to`. */
  state: 'waiting' | 'returned' | 'signed out';
  text?: string;
  to?: string;
  /** Where what was noted can be reported, of a flight that is not open any more. */
  squawkTo?: string | undefined;
  sealed: Sealed;
}

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

/** One page writes such rows: by form, by form and input, or of a shared computer when its draft was typed. */
export type TypedRow = TypedForm | ChosenPhotos | { at: number };

/** The name and shape that earlier releases had: what waits in a browser is there after an upgrade. */
const DATABASE = 'flightline-unsent';
const FORMS = 'unsent';
const KEYS = 'keys';
const TYPED = 'typed:';
const TAB = 'tab';

let opening: Promise<IDBDatabase> | undefined;

/** Rejects where the browser refuses to store. A page opens it beforehand, so that a key is stored in its own task. */
export function openOutbox(): Promise<IDBDatabase> {
  opening ??= new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore(FORMS, { keyPath: 'id' });
      request.result.createObjectStore(KEYS, { keyPath: 'owner' });
    };
    request.onsuccess = () => {
      // A log-out has the browser clear it.
      request.result.onclose = forget;
      resolve(request.result);
    };
    request.onerror = () => reject(request.error ?? new Error('no database'));
  });
  opening.catch(forget);
  return opening;
}

function forget(): void {
  opening = undefined;
}

/** The id of what `owner` types into a form, or chooses in its input: '/airplanes/add#aircraft', '...#squawk|photos'. */
export function typedId(owner: string, name: string): string {
  return `${TYPED}${owner}:${name}`;
}

export function isTypedId(id: string): boolean {
  return id.startsWith(TYPED);
}

export function partsOfTypedId(id: string): { owner: string; name: string } {
  const [, owner = '', name = ''] = /^typed:([^:]*):(.*)$/s.exec(id) ?? [];
  return { owner, name };
}

/** Owner of what is typed without a session: the next person at this computer, in another tab, may be another one. */
export function tabName({ isNew }: { isNew: boolean }): string | undefined {
  try {
    const name = sessionStorage.getItem(TAB) ?? (isNew ? `${TAB}-${Date.now()}-${performance.now()}` : undefined);
    if (name !== undefined) sessionStorage.setItem(TAB, name);
    return name;
  } catch {
    return undefined;
  }
}

export function isTabOwner(owner: string): boolean {
  return owner.startsWith(`${TAB}-`);
}

/** In the task of the key: the page may be gone the moment after. If it fails, page and draft of the server remain. */
export function putTyped(id: string, row: TypedRow): void {
  const note = (isRefused: boolean) => () => void (isLastRefused = isRefused);
  void inStore(FORMS, 'readwrite', (forms) => forms.put({ ...row, id })).then(note(false), note(true));
  announce(id);
}

let isLastRefused = false;

/** Returns true if the browser has refused to store what was typed last, as where its disk is full. */
export function wasLastPutRefused(): boolean {
  return isLastRefused;
}

/** Deletes it with the photos that were chosen for the form. */
export function deleteTyped(id: string): void {
  const remove = (forms: IDBObjectStore) => {
    forms.delete(id);
    return forms.delete(IDBKeyRange.bound(`${id}|`, `${id}|\uffff`));
  };
  void inStore(FORMS, 'readwrite', remove).catch(() => undefined);
  announce(id);
}

/** Finds all that is typed and chosen on this device, whoever did it, or one row; nothing where it cannot be read. */
export async function findTyped(id?: string): Promise<(TypedRow & { id: string })[]> {
  const read = (forms: IDBObjectStore): IDBRequest<(TypedRow & { id: string })[]> =>
    forms.getAll(id ?? IDBKeyRange.bound(TYPED, `${TYPED}\uffff`));
  return inStore(FORMS, 'readonly', read).catch(() => []);
}

/** Finds the forms that wait to be sent, as they were typed. */
export async function findUnsent(): Promise<Unsent[]> {
  const rows = await inStore(FORMS, 'readonly', (forms): IDBRequest<(Unsent | TypedRow)[]> => forms.getAll());
  const items = rows.filter((row) => 'sealed' in row);
  return items.sort((one, other) => one.typedAt - other.typedAt);
}

export async function putUnsent(item: Unsent): Promise<void> {
  await inStore(FORMS, 'readwrite', (forms) => forms.put(item));
  announce(item.id);
}

/** Deletes the form, and gives its flight to the check-in that waited for it. */
export async function removeUnsentAndLinkCheckIn(id: string, flightId: number | null = null): Promise<void> {
  const followers = (await findUnsent()).filter(({ after }) => after === id);
  // One transaction: a worker that is stopped in between would leave a check-in without its flight.
  await inStore(FORMS, 'readwrite', (forms) => {
    for (const follower of followers) forms.put({ ...follower, after: null, flightId });
    return forms.delete(id);
  });
  announce(id);
}

export async function clearForms(): Promise<void> {
  await inStore(FORMS, 'readwrite', (forms) => forms.clear());
  announce(FORMS);
}

/** Returns '14:05 PDT' as it is at the page's school; '14:05' by the device where no page says that, as in the worker. */
export function formatTimeAtSchool(at: string | number): string {
  const timeZone = typeof document === 'undefined' ? undefined : document.documentElement.dataset.zone;
  const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  const zone = timeZone === undefined ? {} : ({ timeZone, timeZoneName: 'short' } as const);
  return new Intl.DateTimeFormat('en-US', { ...clock, ...zone }).format(new Date(at));
}

export async function findKeys(): Promise<StoredKey[]> {
  return inStore(KEYS, 'readonly', (keys): IDBRequest<StoredKey[]> => keys.getAll());
}

/** Only these are left; scripts cannot read them out. */
export async function replaceEncryptionKeys(keys: { owner: string; key: string }[]): Promise<void> {
  const stored = await Promise.all(keys.map(({ owner, key }, at) => toStoredKey(owner, key, at === 0)));
  await inStore(KEYS, 'readwrite', (store) => {
    store.clear();
    for (const one of stored) store.put(one);
    return store.count();
  });
  announce(KEYS);
}

const listeners = new Set<(id: string) => void>();
let channel: BroadcastChannel | null | undefined;

/** Calls back with the id of what has changed, by another tab or the worker; of what waits, also by this page. */
export function onChange(callback: (id: string) => void): () => void {
  listeners.add(callback);
  openChannel();
  return () => void listeners.delete(callback);
}

function announce(id: string): void {
  openChannel()?.postMessage(id);
  if (!isTypedId(id)) for (const listener of listeners) listener(id);
}

/** Null in a browser that has none: a tab then learns of changes elsewhere when its next page comes. */
function openChannel(): BroadcastChannel | null {
  if (channel !== undefined) return channel;
  channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel('unsent') : null;
  channel?.addEventListener('message', ({ data }) => listeners.forEach((listener) => listener(String(data))));
  return channel;
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
  return { owner, isCurrent, key: await crypto.subtle.importKey('raw', bytes, CIPHER, false, ['encrypt', 'decrypt']) };
}

/** Resolves once it is stored. An open database is asked in the task of the caller. */
async function inStore<Result>(
  name: string,
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> {
  const opened = await openOutbox();
  return new Promise((resolve, reject) => {
    const transaction = opened.transaction(name, mode);
    const request = work(transaction.objectStore(name));
    transaction.oncomplete = () => resolve(request.result);
    transaction.onabort = () => reject(transaction.error ?? new Error('not stored'));
    // Safari before 15 commits by itself, later.
    transaction.commit?.();
  });
}

/** Takes over what releases before 0.2 kept elsewhere; what waits to be sent has stayed where it was. */
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
    // Who had not signed in had no id.
    putTyped(key.replace(/^typed::/, `typed:${tabName({ isNew: true })}:`), JSON.parse(storage.getItem(key) ?? ''));
    storage.removeItem(key);
  }
  storage.removeItem('draftsUnderWay');
}

async function adoptPhotos(): Promise<void> {
  const opening = indexedDB.open(PHOTOS, 1);
  await settled(opening);
  const photos = opening.result.transaction('photos').objectStore('photos');
  const [ids, rows] = [photos.getAllKeys(), photos.getAll()];
  await settled(rows);
  ids.result.forEach((id, at) => putTyped(String(id), rows.result[at]));
  opening.result.close();
  indexedDB.deleteDatabase(PHOTOS);
}

function settled(request: IDBRequest): Promise<unknown> {
  return new Promise((resolve, reject) => Object.assign(request, { onsuccess: resolve, onerror: reject }));
}
