import { tell } from '#app/ui/news.ts';
import { MAX_DRAFT_COMMIT_MS } from '#app/limits.ts';
import { applyValues, dirtyKeys, fieldOf, readDefaults, readSubject, readValues, type Values } from './controls.ts';
import { formatTimeAtSchool } from '../outbox/outbox.ts';
import { deleteEntry, type Entry, findEntry, onEntryElsewhere } from './entries.ts';
import { formKey, renderedAt, serverDraft } from './viewer.ts';

const typedHere = new WeakMap<HTMLFormElement, Set<string>>();

/** The names of what was typed into a form on this page: nothing that is put back takes its place. */
export function fieldNamesTypedInto(form: HTMLFormElement): Set<string> {
  const names = typedHere.get(form) ?? new Set(isNewPage() ? dirtyKeys(form).map(fieldOf) : []);
  typedHere.set(form, names);
  return names;
}

/** After a reload or Back, the browser itself puts former values into the fields. */
function isNewPage(): boolean {
  const [load] = performance.getEntriesByType('navigation');
  return load instanceof PerformanceNavigationTiming && load.type === 'navigate';
}

/** Puts back what was typed into a form, but where something newer was typed. */
export function restoreForm(form: HTMLFormElement): void {
  const entry = findEntryMissingInForm(form);
  if (!entry) return;
  const missing = () => missingValuesOf(entry, form);
  const newer = serverDraft(form.id);
  if (newer?.isElsewhere && Date.parse(newer.savedAt) > entry.at) {
    return offerValues(form, missing(), `Typed on this device at ${formatTimeAtSchool(entry.at)}`);
  }
  const rendered = readValues(form);
  const isDifferent = Object.entries(missing()).some(([key, value]) => rendered[key] !== value);
  const isChanged = isDifferent && !isUnchanged(entry, form);
  applyTwice(form, missing);
  if (newer?.isElsewhere) offerValues(form, rendered, changedElsewhere(newer.savedAt));
  else if (!newer && isChanged) offerValues(form, rendered, 'Changed by somebody else meanwhile');
}

/** Finds what was typed before this page came and is not in its form yet; deletes what is of another subject. */
export function findEntryMissingInForm(form: HTMLFormElement): Entry | undefined {
  const name = formKey(form);
  const entry = findEntry(name);
  if (entry && entry.subject !== readSubject(form)) deleteEntry(name);
  else if (entry && isMissing(entry, form)) return entry;
  return undefined;
}

/** The server has rendered its own draft, or knows it to be over; a page without a network is older than that. */
function isMissing(entry: Entry, form: HTMLFormElement): boolean {
  return !isRendered(entry, form) || (!navigator.onLine && isUnchanged(entry, form));
}

function isUnchanged({ touched, defaults }: Entry, form: HTMLFormElement): boolean {
  const rendered = readDefaults(form);
  // A field that a tick has to show is none that anybody has changed.
  return touched.every((key) => !(key in rendered) || rendered[key] === defaults[key]);
}

export function missingValuesOf({ values, touched }: Entry, form: HTMLFormElement): Values {
  const typed = fieldNamesTypedInto(form);
  const isMissing = (key: string) => touched.includes(key) && !typed.has(fieldOf(key));
  return Object.fromEntries(Object.entries(values).filter(([key]) => isMissing(key)));
}

/** A draft that was saved while the page was on its way is not in it, and one that was just saved may not be. */
function isRendered({ savedAt }: Entry, form: HTMLFormElement): boolean {
  if (savedAt === undefined) return false;
  const shown = serverDraft(form.id)?.savedAt ?? '';
  return shown >= savedAt || Date.parse(savedAt) + MAX_DRAFT_COMMIT_MS < Date.parse(renderedAt() ?? '');
}

function offerValues(form: HTMLFormElement, values: Values, text: string): void {
  tell('otherdraft', { text, use: () => applyValues(form, values) });
}

/** Offers nothing that is about something else, as the readings of another aircraft. */
export function offerOtherDraft(form: HTMLFormElement, other: { values: Values; savedAt: string }): void {
  const subject: [string, string][] = JSON.parse(readSubject(form));
  if (subject.every(([name, value]) => (other.values[name] ?? value) === value))
    offerValues(form, byControl(form, other.values), changedElsewhere(other.savedAt));
}

/** A session of its own tells another device no better than an earlier sign-in on this one. */
function changedElsewhere(savedAt: string): string {
  return `Changed in another sign-in, here or on another device, at ${formatTimeAtSchool(savedAt)}`;
}

/** Leaves the fields that were typed into meanwhile. */
export function applyDraft(form: HTMLFormElement, values: Values): void {
  applyTwice(form, () => byControl(form, values, fieldNamesTypedInto(form)));
}

/** Again a moment later, for a field that a tick has shown. */
function applyTwice(form: HTMLFormElement, values: () => Values): void {
  const apply = () => applyValues(form, values());
  apply();
  window.setTimeout(apply);
}

/** Values by field name, as the server has them: of a form with a draft of its own whole, with no box that is not ticked. */
function byControl(form: HTMLFormElement, values: Values, typed = new Set<string>()): Values {
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
    if (form && entry.savedAt === undefined && entry.subject === readSubject(form))
      offerValues(form, entry.values, `Changed in another tab at ${formatTimeAtSchool(entry.at)}`);
  });
}
