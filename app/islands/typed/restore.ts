import { tell } from '#app/ui/news.ts';
import { DRAFT_COMMIT_MS } from '#app/limits.ts';
import { applyValues, dirtyKeys, readDefaults, readSubject, readValues, type Values } from './controls.ts';
import { deleteEntry, type Entry, findEntry, onEntryElsewhere } from './entries.ts';
import type { DraftAnswer } from './server-drafts.ts';
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

/** Finds what was typed before this page came and is not in its form yet; deletes what is of another subject. */
export function findMissing(form: HTMLFormElement): Entry | undefined {
  const name = formKey(form);
  const entry = findEntry(name);
  if (entry && entry.subject !== readSubject(form)) deleteEntry(name);
  else if (entry && isMissing(entry, form)) return entry;
  return undefined;
}

/** The server has rendered its own draft, or knows it to be over; a page without a network is older than that. */
function isMissing(entry: Entry, form: HTMLFormElement): boolean {
  if (!isRendered(entry, form)) return true;
  return !navigator.onLine && isUnchanged(entry, typedOf(entry, form), readDefaults(form));
}

function isUnchanged(entry: Entry, typed: Values, defaults: Values): boolean {
  return Object.keys(typed).every((key) => defaults[key] === entry.defaults[key]);
}

function typedOf(entry: Entry, form: HTMLFormElement): Values {
  const newer = isNewPage() ? dirtyKeys(form) : [];
  const isOld = (key: string) => entry.touched.includes(key) && !newer.includes(key);
  return Object.fromEntries(Object.entries(entry.values).filter(([key]) => isOld(key)));
}

/** A draft that was saved while the page was on its way is not in it, and one that was just saved may not be. */
function isRendered({ isSaved, savedAt = '' }: Entry, form: HTMLFormElement): boolean {
  if (!isSaved) return false;
  const shown = serverDraft(form.id)?.savedAt ?? '';
  return shown >= savedAt || Date.parse(savedAt) + DRAFT_COMMIT_MS < Date.parse(renderedAt() ?? '');
}

/** After a reload or Back, the browser itself puts former values into the fields. */
export function isNewPage(): boolean {
  const [load] = performance.getEntriesByType('navigation');
  return load instanceof PerformanceNavigationTiming && load.type === 'navigate';
}

function differs(rendered: Values, typed: Values): boolean {
  return Object.entries(typed).some(([key, value]) => rendered[key] !== value);
}

function offerValues(form: HTMLFormElement, values: Values, text: string): void {
  tell('otherdraft', { text, use: () => applyValues(form, values) });
}

/** Offers nothing that is about something else, as the readings of another aircraft. */
export function offerOtherDraft(form: HTMLFormElement, { values, savedAt }: NonNullable<DraftAnswer['other']>): void {
  const subject: [string, string][] = JSON.parse(readSubject(form));
  if (subject.every(([name, value]) => (values[name] ?? value) === value))
    offerValues(form, byControl(form, values), changedElsewhere(savedAt));
}

/** A session of its own tells another device no better than an earlier sign-in on this one. */
function changedElsewhere(savedAt: string): string {
  return `Changed in another sign-in, here or on another device, at ${timeOf(savedAt)}`;
}

/** Leaves the fields that are `typed` meanwhile. */
export function applyDraft(form: HTMLFormElement, values: Record<string, string>, typed: Set<string>): void {
  const apply = () => applyValues(form, byControl(form, values, typed));
  apply();
  // A field that a tick has shown.
  window.setTimeout(apply);
}

/** Values by field name, as the server has them: of a form with a draft of its own whole, with no box that is not ticked. */
function byControl(form: HTMLFormElement, values: Record<string, string>, typed = new Set<string>()): Values {
  const isWhole = form.dataset.draft !== undefined;
  const entries = Object.keys(readValues(form)).flatMap((key): [string, string][] => {
    const [name = '', option] = key.split(/=(.*)/s);
    const value = values[name] ?? (isWhole && option !== undefined ? '' : undefined);
    if (value === undefined || typed.has(name)) return [];
    return [[key, option === undefined ? value : value === option ? 'on' : '']];
  });
  return Object.fromEntries(entries);
}

/** Offers what another tab of this browser types into the same form. */
export function offerOtherTabs(): void {
  onEntryElsewhere((name, entry) => {
    const form = [...document.forms].find((shown) => shown.id !== '' && formKey(shown) === name);
    if (form && !entry.isSaved && entry.subject === readSubject(form))
      offerValues(form, entry.values, `Changed in another tab at ${timeOf(entry.at)}`);
  });
}

export function timeOf(at: string | number): string {
  return new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' }).format(new Date(at));
}
