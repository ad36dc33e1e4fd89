import { DRAFT_LIFE_HOURS, MS_PER_HOUR } from '#app/limits.ts';
import { adoptFormerStores } from '../outbox/former-stores.ts';
import {
  deleteTyped,
  findTyped,
  isTab,
  onChange,
  openOutbox,
  partsOf,
  putTyped,
  tabName,
  typedId,
} from '../outbox/outbox.ts';
import type { ChosenPhotos, TypedForm } from '../outbox/outbox.ts';
import { fileInputs } from './controls.ts';
import { isSharedComputer, viewerId, viewerKey } from './viewer.ts';

export type Entry = Omit<TypedForm, 'id'>;
type Row = Entry | Omit<ChosenPhotos, 'id'>;

/** The viewer's rows of the outbox, as this page knows them: all there is on a shared computer, or without storage. */
const rows = new Map<string, Row>();
/** A shared computer notes when the drafts were typed that were on their way as the page before this one went. */
const notes = new Map<string, number>();
let shownTo: string | undefined;
/** Names of forms that were sent while the rows were read. */
const gone = new Set<string>();

/** Reads what the viewer has typed here, and deletes what is old or another user's; on a shared computer, everything. */
export async function loadEntries(): Promise<void> {
  const [viewer, isShared, key] = [viewerId(), isSharedComputer(), viewerKey()];
  forgetOthers();
  gone.clear();
  await openOutbox()
    .then(adoptFormerStores)
    .catch(() => undefined);
  const stored = await findTyped();
  // Somebody else is signed in by now, whose rows are read on their own.
  if (key !== viewerKey()) return;
  const own = viewer ?? tabName({ isNew: false });
  for (const { id, ...row } of stored) {
    const { owner, name } = partsOf(id);
    const isOthers = viewer !== undefined && owner !== own && !isTab(owner);
    const isNote = !('values' in row) && !('files' in row);
    if (isOld(row) || isOthers || (isShared && !isNote)) deleteTyped(id);
    else if (isNote) ofViewer(notes).set(name, row.at);
    // The values typed on this page are newer.
    else if (owner === own && !ofViewer(rows).has(name) && !gone.has(name.replace(/\|.*/, ''))) rows.set(name, row);
  }
}

function ofViewer<Value>(map: Map<string, Value>): Map<string, Value> {
  forgetOthers();
  return map;
}

/** Forgets what another user typed, though the page is the same. */
function forgetOthers(): void {
  if (shownTo !== viewerKey()) for (const map of [rows, notes]) map.clear();
  shownTo = viewerKey();
}

export function findEntry(name: string): Entry | undefined {
  const row = ofViewer(rows).get(name);
  return row && 'values' in row && !isOld(row) ? row : undefined;
}

export function saveEntry(name: string, entry: Entry): void {
  ofViewer(rows).set(name, entry);
  put(name, entry);
}

export function deleteEntry(name: string): void {
  for (const key of rows.keys()) if (key === name || key.startsWith(`${name}|`)) rows.delete(key);
  gone.add(name);
  const id = idOf(name, { isNew: false });
  if (id !== undefined) deleteTyped(id);
}

/** Inputs that have had a photo on this page; one that has had none may still get its own back. */
const shown = new WeakSet<HTMLInputElement>();

export function savePhotos(name: string, input: HTMLInputElement): void {
  const key = `${name}|${input.name}`;
  const files = [...(input.files ?? [])];
  const former = findPhotos(key);
  if (files.length === former.length && files.every((file, at) => file === former[at])) return;
  if (files.length === 0) return shown.has(input) ? deleteEntry(key) : undefined;
  shown.add(input);
  const chosen = { files, at: Date.now() };
  ofViewer(rows).set(key, chosen);
  // A form of nobody is not kept on the device.
  if (viewerId() !== undefined) put(key, chosen);
}

export function restorePhotos(name: string, form: HTMLFormElement): void {
  for (const input of fileInputs(form)) {
    const files = findPhotos(`${name}|${input.name}`);
    if (files.length === 0 || input.files?.length !== 0) continue;
    const transfer = new DataTransfer();
    for (const file of files) transfer.items.add(file);
    input.files = transfer.files;
    shown.add(input);
    // The change of a meter's photo would have it read, and what is read take the place of what is typed.
    const type = input.closest('.meter-photo-field') ? 'input' : 'change';
    input.dispatchEvent(new Event(type, { bubbles: true }));
  }
}

function findPhotos(key: string): File[] {
  const row = ofViewer(rows).get(key);
  return row && 'files' in row && !isOld(row) ? row.files : [];
}

/** Returns true if something is kept that no draft of the server holds. */
export async function hasPhotos(): Promise<boolean> {
  return (await findTyped()).some((row) => 'files' in row);
}

export function findDraftOnItsWay(name: string): number | undefined {
  return isSharedComputer() ? ofViewer(notes).get(name) : undefined;
}

export function noteDraftOnItsWay(name: string, at: number): void {
  const id = isSharedComputer() ? idOf(name) : undefined;
  if (id === undefined) return;
  ofViewer(notes).set(name, at);
  putTyped({ id, at });
}

export function forgetDraftOnItsWay(name: string): void {
  const id = idOf(name);
  if (notes.delete(name) && id !== undefined) deleteTyped(id);
}

/** Calls back with what another tab of this browser types into a form, once this page knows of it. */
export function onEntryElsewhere(callback: (name: string, entry: Entry) => void): void {
  onChange((id) => {
    const { owner, name } = partsOf(id);
    if (owner === '' || owner !== viewerId()) return;
    void findTyped(id).then(([row]) => {
      if (owner !== viewerId()) return;
      if (!row) rows.delete(name);
      else if ('values' in row) {
        rows.set(name, row);
        callback(name, row);
      }
    });
  });
}

function put(name: string, row: Row): void {
  const id = isSharedComputer() ? undefined : idOf(name);
  if (id !== undefined) putTyped({ ...row, id });
}

function idOf(name: string, tab = { isNew: true }): string | undefined {
  const owner = viewerId() ?? tabName(tab);
  return owner === undefined ? undefined : typedId(owner, name);
}

function isOld({ at }: { at: number }): boolean {
  return Date.now() - at >= DRAFT_LIFE_HOURS * MS_PER_HOUR;
}
