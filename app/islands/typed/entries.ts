import { DRAFT_LIFE_HOURS, MS_PER_HOUR } from '#app/limits.ts';
import { adoptFormerStores } from '../outbox/former-stores.ts';
import {
  type ChosenPhotos,
  deleteTyped,
  findTyped,
  isTab,
  onChange,
  openOutbox,
  partsOf,
  putTyped,
  tabName,
  type TypedForm,
  typedId,
} from '../outbox/outbox.ts';
import { fileInputs } from './controls.ts';
import { isSharedComputer, viewerId, viewerKey } from './viewer.ts';

export type Entry = Omit<TypedForm, 'id'>;

/** The viewer's rows of the outbox, as this page knows them: all there is on a shared computer, or without storage. */
const rows = { entries: new Map<string, Entry>(), photos: new Map<string, Chosen>(), notes: new Map<string, number>() };

type Chosen = Omit<ChosenPhotos, 'id'>;

let loadedFor: string | undefined;
/** Names of rows that were deleted while they were read. */
const gone = new Set<string>();

/** Reads what the viewer has typed here, and deletes what is old or another user's; on a shared computer, everything. */
export async function loadEntries(): Promise<void> {
  const [viewer, isShared, loadingFor] = [viewerId(), isSharedComputer(), viewerKey()];
  if (loadedFor !== loadingFor) for (const map of Object.values(rows)) map.clear();
  loadedFor = loadingFor;
  gone.clear();
  await openOutbox()
    .then(adoptFormerStores)
    .catch(() => undefined);
  const stored = await findTyped();
  // Somebody else is signed in by now, whose rows are read on their own.
  if (loadingFor !== viewerKey()) return;
  const own = viewer ?? tabName({ isNew: false });
  for (const { id, ...row } of stored) {
    const { owner, name } = partsOf(id);
    const isWhole = 'values' in row || 'files' in row;
    const isOthers = viewer !== undefined && owner !== own && !isTab(owner);
    if (isOld(row) || isOthers || (isShared && isWhole)) deleteTyped(id);
    else if (owner !== own || gone.has(name.replace(/\|.*/, ''))) continue;
    else if ('values' in row) keepFirst(rows.entries, name, row);
    else if ('files' in row) keepFirst(rows.photos, name, row);
    else keepFirst(rows.notes, name, row.at);
  }
}

export function findEntry(name: string): Entry | undefined {
  const entry = rows.entries.get(name);
  return entry && !isOld(entry) ? entry : undefined;
}

export function saveEntry(name: string, entry: Entry): void {
  rows.entries.set(name, entry);
  put(name, entry);
}

/** With its photos. */
export function deleteEntry(name: string): void {
  for (const key of rows.photos.keys()) if (key.startsWith(`${name}|`)) rows.photos.delete(key);
  remove(rows.entries, name);
  gone.add(name);
}

/** An input that has had no photo on this page may still get its own back. */
export function savePhotos(name: string, input: HTMLInputElement): void {
  const key = `${name}|${input.name}`;
  const files = [...(input.files ?? [])];
  const former = rows.photos.get(key)?.files ?? [];
  if (files.length === former.length && files.every((file, at) => file === former[at])) return;
  if (files.length === 0 && !shown.has(input)) return;
  shown.add(input);
  if (files.length === 0) return remove(rows.photos, key);
  const chosen = { files, at: Date.now() };
  rows.photos.set(key, chosen);
  // Of nobody, none is kept on the device.
  if (viewerId() !== undefined) put(key, chosen);
}

/** Inputs that have had a photo on this page. */
const shown = new WeakSet<HTMLInputElement>();

export function restorePhotos(name: string, form: HTMLFormElement): void {
  for (const input of fileInputs(form)) {
    const kept = rows.photos.get(`${name}|${input.name}`);
    if (!kept || isOld(kept) || input.files?.length !== 0) continue;
    const transfer = new DataTransfer();
    for (const file of kept.files) transfer.items.add(file);
    input.files = transfer.files;
    shown.add(input);
    // A photo of a meter would be read a second time.
    if (!input.closest('.meter-photo-field')) input.dispatchEvent(new Event('change', { bubbles: true }));
  }
}

/** Whether anything is kept that no draft of the server holds. */
export async function hasPhotos(): Promise<boolean> {
  return (await findTyped()).some((row) => 'files' in row);
}

/** On a shared computer: when the draft was typed that was on its way as the page before this one went. */
export function findDraftOnItsWay(name: string): number | undefined {
  return isSharedComputer() ? rows.notes.get(name) : undefined;
}

export function noteDraftOnItsWay(name: string, at: number): void {
  const id = isSharedComputer() ? idOf(name) : undefined;
  if (id === undefined) return;
  rows.notes.set(name, at);
  putTyped({ id, at });
}

export function forgetDraftOnItsWay(name: string): void {
  remove(rows.notes, name);
}

/** Calls back with what another tab of this browser types into a form, once this page knows of it. */
export function onEntryElsewhere(callback: (name: string, entry: Entry) => void): void {
  onChange((id) => {
    const { owner, name } = partsOf(id);
    if (owner === '' || owner !== viewerId()) return;
    void findTyped(id).then(([row]) => {
      if (!row) for (const map of [rows.entries, rows.photos]) map.delete(name);
      if (!row || !('values' in row) || owner !== viewerId()) return;
      rows.entries.set(name, row);
      callback(name, row);
    });
  });
}

function put(name: string, row: Entry | Chosen): void {
  const id = isSharedComputer() ? undefined : idOf(name);
  if (id !== undefined) putTyped({ ...row, id });
}

function remove(map: Map<string, unknown>, name: string): void {
  map.delete(name);
  const id = idOf(name, { isNew: false });
  if (id !== undefined) deleteTyped(id);
}

function idOf(name: string, tab = { isNew: true }): string | undefined {
  const owner = viewerId() ?? tabName(tab);
  return owner === undefined ? undefined : typedId(owner, name);
}

/** What was typed on this page is newer. */
function keepFirst<Row>(map: Map<string, Row>, name: string, row: Row): void {
  if (!map.has(name)) map.set(name, row);
}

function isOld({ at }: { at: number }): boolean {
  return Date.now() - at >= DRAFT_LIFE_HOURS * MS_PER_HOUR;
}
