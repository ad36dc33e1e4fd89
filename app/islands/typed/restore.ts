import { DRAFT_COMMIT_MS } from '#app/limits.ts';
import { applyValues, readDefaults, readSubject, readValues, type Values } from './controls.ts';
import { deleteEntry, type Entry, findEntry } from './entries.ts';
import { changedElsewhere, offerValues, timeOf } from './offers.ts';
import { formKey, renderedAt, serverDraft } from './viewer.ts';

/** Puts back what was typed into a form, but where something newer was typed before this script came. */
export function restoreForm(form: HTMLFormElement): void {
  const entry = findMissing(form);
  if (!entry) return;
  const defaults = readDefaults(form);
  const typed = typedOf(entry, form);
  const newer = serverDraft(form.id);
  if (newer?.isElsewhere && Date.parse(newer.savedAt) > entry.at) {
    return offerValues(form, typed, `Typed on this device at ${timeOf(entry.at)}`);
  }
  const rendered = readValues(form);
  applyValues(form, typed);
  window.setTimeout(() => applyValues(form, typed));
  if (newer?.isElsewhere) offerValues(form, rendered, changedElsewhere(newer.savedAt));
  else if (!isUnchanged(entry, typed, defaults) && !newer && differs(rendered, typed)) {
    offerValues(form, rendered, 'Changed by somebody else meanwhile');
  }
}

/** What was typed before this page came and is not in its form yet; deletes what is of another subject. */
export function findMissing(form: HTMLFormElement): Entry | undefined {
  const name = formKey(form);
  const entry = findEntry(name);
  if (entry && entry.subject !== readSubject(form)) deleteEntry(name);
  else if (entry && isMissing(entry, form)) return entry;
  return undefined;
}

/** What the server has as a draft it has rendered, or knows to be over; a page without a network is older than that. */
function isMissing(entry: Entry, form: HTMLFormElement): boolean {
  if (!isRendered(entry, form)) return true;
  return !navigator.onLine && isUnchanged(entry, typedOf(entry, form), readDefaults(form));
}

function isUnchanged(entry: Entry, typed: Values, defaults: Values): boolean {
  return Object.keys(typed).every((key) => defaults[key] === entry.defaults[key]);
}

function typedOf(entry: Entry, form: HTMLFormElement): Values {
  return changedBy(entry, isNewPage() ? dirtyKeys(readValues(form), readDefaults(form)) : []);
}

/** A draft that was saved while the page was on its way is not in it, and one that was just saved may not be. */
function isRendered({ isSaved, savedAt = '' }: Entry, form: HTMLFormElement): boolean {
  if (!isSaved) return false;
  const shown = serverDraft(form.id)?.savedAt ?? '';
  return shown >= savedAt || Date.parse(savedAt) + DRAFT_COMMIT_MS < Date.parse(renderedAt() ?? '');
}

function changedBy({ values, touched }: Entry, newerKeys: string[]): Values {
  const changed = Object.entries(values).filter(([key]) => touched.includes(key) && !newerKeys.includes(key));
  return Object.fromEntries(changed);
}

function dirtyKeys(values: Values, defaults: Values): string[] {
  return Object.keys(values).filter((key) => values[key] !== defaults[key]);
}

/** After a reload or Back, the browser itself puts former values into the fields. */
export function isNewPage(): boolean {
  const [load] = performance.getEntriesByType('navigation');
  return load instanceof PerformanceNavigationTiming && load.type === 'navigate';
}

function differs(rendered: Values, typed: Values): boolean {
  return Object.entries(typed).some(([key, value]) => rendered[key] !== value);
}
