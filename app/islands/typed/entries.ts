import { DRAFT_LIFE_HOURS, MS_PER_HOUR } from '#app/limits.ts';
import {
  adoptFormerStores,
  deleteTyped,
  findTyped,
  wasLastPutRefused,
  isTabOwner,
  onChange,
  openOutbox,
  partsOfTypedId,
  putTyped,
  tabName,
  type TypedForm,
  typedId,
  type TypedRow,
} from '../outbox/outbox.ts';
import { fileInputs, putFiles } from './controls.ts';
import { isSharedComputer, viewerId, viewerKey } from './viewer.ts';

export type Entry = TypedForm;

/** The viewer's rows of the outbox, as this page knows them: all there is on a shared computer, or without storage. */
const rows = new Map<string, TypedRow>();
let shownTo: string | undefined;
let isRead = false;

/** Reads what the viewer has typed here, and deletes what is old or another user's; on a shared computer, everything. */
export async function loadEntries(): Promise<void> {
  const [viewer, isShared, key] = [viewerId(), isSharedComputer(), viewerKey()];
  ofViewer();
  await openOutbox()
    .then(adoptFormerStores)
    .catch(() => undefined);
  const stored = await findTyped();
  // Somebody else is signed in by now, whose rows are read on their own.
  if (key !== viewerKey()) return;
  const own = viewer ?? tabName({ isNew: false });
  for (const row of stored) {
    const { owner, name } = partsOfTypedId(row.id);
    const isOthers = viewer !== undefined && owner !== own && !isTabOwner(owner);
    if (isOld(row) || isOthers || (isShared && hasText(row))) deleteTyped(row.id);
    // The values typed on this page are newer.
    else if (owner === own && !ofViewer().has(name)) rows.set(name, row);
  }
  isRead = true;
}

export function isLoaded(): boolean {
  ofViewer();
  return isRead;
}

/** Forgets what another user typed, though the page is the same. */
function ofViewer(): typeof rows {
  if (shownTo === viewerKey()) return rows;
  shownTo = viewerKey();
  isRead = false;
  rows.clear();
  return rows;
}

export function findEntry(name: string): Entry | undefined {
  const row = ofViewer().get(name);
  return row && 'values' in row && !isOld(row) ? row : undefined;
}

/** In the task of the key; a shared computer keeps no text, and no computer the photos of nobody. */
export function saveEntry(name: string, row: TypedRow): void {
  ofViewer().set(name, row);
  const isKept = isSharedComputer() ? !hasText(row) : !('files' in row) || viewerId() !== undefined;
  const id = isKept ? idOf(name) : undefined;
  if (id !== undefined) putTyped(id, row);
}

export function deleteEntry(name: string): void {
  for (const key of rows.keys()) if (key === name || key.startsWith(`${name}|`)) rows.delete(key);
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
  saveEntry(key, { files, at: Date.now() });
}

export function restorePhotos(name: string, form: HTMLFormElement): void {
  for (const input of fileInputs(form)) {
    const files = findPhotos(`${name}|${input.name}`);
    if (files.length === 0 || input.files?.length !== 0) continue;
    putFiles(input, files);
    shown.add(input);
  }
}

function findPhotos(key: string): File[] {
  const row = ofViewer().get(key);
  return row && 'files' in row && !isOld(row) ? row.files : [];
}

/** Returns true if photos are kept, which no draft of the server holds. */
export async function hasAnyKeptPhotos(): Promise<boolean> {
  return (await findTyped()).some((row) => 'files' in row);
}

/** Finds what this viewer has typed here of which no page knows that the server has it, by form. */
export function findUnsaved(): [name: string, at: number][] {
  const texts = [...ofViewer()].filter(([, row]) => 'values' in row && row.savedAt === undefined && !isOld(row));
  return texts.map(([name, { at }]) => [name, at]);
}

/** Returns true if a text is kept nowhere but on its page and by the server. */
export function isDeviceKeepingNoText(): boolean {
  return isSharedComputer() || wasLastPutRefused();
}

/** A shared computer notes when a draft was typed that may be on its way as the next page comes. */
export function findDraftOnItsWayTypedAt(name: string): number {
  return ofViewer().get(name + ON_ITS_WAY)?.at ?? 0;
}

export function noteDraftOnItsWay(name: string, at: number): void {
  if (isSharedComputer()) saveEntry(name + ON_ITS_WAY, { at });
}

const ON_ITS_WAY = '|draft';

/** Calls back with what another tab of this browser types into a form, once this page knows of it. */
export function onEntryElsewhere(callback: (name: string, entry: Entry) => void): void {
  onChange((id) => {
    const { owner, name } = partsOfTypedId(id);
    if (owner !== viewerId()) return;
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

function hasText(row: object): boolean {
  return 'values' in row || 'files' in row;
}

function idOf(name: string, tab = { isNew: true }): string | undefined {
  const owner = viewerId() ?? tabName(tab);
  return owner === undefined ? undefined : typedId(owner, name);
}

function isOld({ at }: { at: number }): boolean {
  return Date.now() - at >= DRAFT_LIFE_HOURS * MS_PER_HOUR;
}
