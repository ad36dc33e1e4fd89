import { offerDraft } from '#app/ui/forms/kept/other-draft.ts';
import { applyValues, readValues, type Values } from './controls.ts';
import { onEntryElsewhere } from './entries.ts';
import type { DraftAnswer } from './server-drafts.ts';
import { formKey } from './viewer.ts';

/** Says that there are other values, and takes them on request. */
export function offerValues(form: HTMLFormElement, values: Values, text: string): void {
  offerDraft({ text, use: () => applyValues(form, values) });
}

/** Of the server. */
export function offerOtherDraft(form: HTMLFormElement, { values, savedAt }: NonNullable<DraftAnswer['other']>): void {
  offerValues(form, byControl(form, values), changedElsewhere(savedAt));
}

/** A session of its own tells another device no better than an earlier sign-in on this one. */
export function changedElsewhere(savedAt: string): string {
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

/** What another tab of this browser types into the same form. */
export function offerOtherTabs(): void {
  onEntryElsewhere((name, entry) => {
    const form = [...document.forms].find((shown) => shown.id !== '' && formKey(shown) === name);
    if (form && !entry.isSaved) offerValues(form, entry.values, `Changed in another tab at ${timeOf(entry.at)}`);
  });
}

export function timeOf(at: string | number): string {
  return new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' }).format(new Date(at));
}
