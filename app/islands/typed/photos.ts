import { DRAFT_LIFE_HOURS, MS_PER_HOUR } from '#app/limits.ts';
import { fileInputs } from './controls.ts';
import { keyOf } from './local-entries.ts';
import { isSharedComputer, viewerId } from './viewer.ts';

interface KeptPhotos {
  files: File[];
  at: number;
}

const STORE = 'photos';
let database: IDBDatabase | undefined;

/** Opened beforehand, so that a photo is on its way to the disk in the moment in which it is chosen. */
export async function openPhotos(): Promise<void> {
  if (isSharedComputer() || viewerId() === undefined) return;
  database ??= await new Promise<IDBDatabase | undefined>((resolve) => {
    const request = indexedDB.open('typed', 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => resolve(undefined);
  });
  await deleteStrangePhotos();
}

/** By input, what is stored of it. */
const stored = new WeakMap<HTMLInputElement, File[]>();

/** An input that has had no photo on this page may still get its own back. */
export function savePhotos(name: string, input: HTMLInputElement): void {
  if (!database || isSharedComputer()) return;
  const files = [...(input.files ?? [])];
  const former = stored.get(input) ?? [];
  if (files.length === former.length && files.every((file, at) => file === former[at])) return;
  stored.set(input, files);
  const kept: KeptPhotos = { files, at: Date.now() };
  write((photos) => (files.length > 0 ? photos.put(kept, keyIn(name, input)) : photos.delete(keyIn(name, input))));
}

export async function restorePhotos(name: string, form: HTMLFormElement): Promise<void> {
  for (const input of fileInputs(form)) {
    const kept: KeptPhotos | undefined = await read((photos) => photos.get(keyIn(name, input)));
    if (!kept || isOld(kept) || input.files?.length !== 0 || !input.isConnected) continue;
    const transfer = new DataTransfer();
    for (const file of kept.files) transfer.items.add(file);
    input.files = transfer.files;
    stored.set(input, [...transfer.files]);
    // The change of a meter's photo would have it read, and what is read take the place of what is typed.
    if (!input.closest('.meter-photo-field')) input.dispatchEvent(new Event('change', { bubbles: true }));
  }
}

export function deletePhotos(name: string): void {
  write((photos) => photos.delete(IDBKeyRange.bound(`${keyOf(name)}|`, `${keyOf(name)}|\uffff`)));
}

/** That are kept until their form is sent. */
export async function hasPhotos(): Promise<boolean> {
  return ((await read((photos) => photos.count())) ?? 0) > 0;
}

async function deleteStrangePhotos(): Promise<void> {
  const keys: IDBValidKey[] = (await read((photos) => photos.getAllKeys())) ?? [];
  const own = keyOf('');
  for (const key of keys) {
    const kept: KeptPhotos | undefined = await read((photos) => photos.get(key));
    if (!String(key).startsWith(own) || !kept || isOld(kept)) write((photos) => photos.delete(key));
  }
}

function isOld({ at }: KeptPhotos): boolean {
  return Date.now() - at > DRAFT_LIFE_HOURS * MS_PER_HOUR;
}

function keyIn(name: string, input: HTMLInputElement): string {
  return `${keyOf(name)}|${input.name}`;
}

function write(change: (photos: IDBObjectStore) => IDBRequest): void {
  if (!database) return;
  const transaction = database.transaction(STORE, 'readwrite');
  change(transaction.objectStore(STORE));
  transaction.commit();
}

function read<Result>(ask: (photos: IDBObjectStore) => IDBRequest<Result>): Promise<Result | undefined> {
  if (!database) return Promise.resolve(undefined);
  const request = ask(database.transaction(STORE).objectStore(STORE));
  return new Promise((resolve) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => resolve(undefined);
  });
}
