import { DRAFT_LIFE_HOURS, MS_PER_HOUR } from '#app/limits.ts';
import type { Values } from './controls.ts';
import { isSharedComputer, viewerId } from './viewer.ts';

/** What was typed into a form and, as far as the browser knows, not sent. */
export interface Entry {
  values: Values;
  defaults: Values;
  /** What has differed from that since, by now perhaps typed back. */
  touched: string[];
  subject: string;
  at: number;
  isSaved: boolean;
  /** By the server's clock. */
  savedAt?: string;
  /** Under which it was sent without an answer. */
  requestId?: string;
}

const PREFIX = 'typed:';
/** All there is on a shared computer, and where storage is denied. */
const inMemory = new Map<string, string>();

export function keyOf(name: string): string {
  return `${PREFIX}${viewerId() ?? ''}:${name}`;
}

export function findEntry(name: string): Entry | undefined {
  return parseEntry(storage()?.getItem(keyOf(name)) ?? inMemory.get(keyOf(name)) ?? null);
}

/** At once: the page may be gone the moment after. */
export function saveEntry(name: string, entry: Entry): void {
  const key = keyOf(name);
  const text = JSON.stringify(entry);
  inMemory.set(key, text);
  try {
    storage()?.setItem(key, text);
  } catch {
    // Without room the page's memory and the server's draft remain.
  }
}

export function deleteEntry(name: string): void {
  inMemory.delete(keyOf(name));
  storage()?.removeItem(keyOf(name));
}

/** Undefined once it is too old. */
export function parseEntry(text: string | null): Entry | undefined {
  if (text === null) return undefined;
  const entry: Entry = JSON.parse(text);
  return Date.now() - entry.at < DRAFT_LIFE_HOURS * MS_PER_HOUR ? entry : undefined;
}

/** Undefined where the browser denies it. */
export function deviceStorage(): Storage | undefined {
  return tryStorage(() => localStorage);
}

/** Deletes what is old or another user's; on a shared computer, everything. */
export function deleteForeignEntries(): void {
  const device = deviceStorage();
  if (!device) return;
  const own = `${PREFIX}${viewerId()}:`;
  for (const key of Object.keys(device).filter((name) => name.startsWith(PREFIX))) {
    const isOthers = viewerId() !== undefined && !key.startsWith(own);
    if (isSharedComputer() || isOthers || !parseEntry(device.getItem(key))) device.removeItem(key);
  }
}

/** Of the tab for who has not signed in: the next person at this computer may be another one. */
function storage(): Storage | undefined {
  if (isSharedComputer()) return undefined;
  return tryStorage(() => (viewerId() === undefined ? sessionStorage : localStorage));
}

function tryStorage(get: () => Storage): Storage | undefined {
  try {
    return get();
  } catch {
    return undefined;
  }
}
