import { z } from 'zod';
import { TYPED_SINCE } from '#app/domain/typed-forms/field-names.ts';
import type { Draft } from '#app/domain/drafts.server.ts';
import type { UnsentForms } from '#app/domain/typed-forms/typed-forms.server.ts';
import { paths } from '#app/paths.ts';

/** Returns when the sender of a draft last knew what is stored; undefined if it does not say. */
export function draftSince(form: FormData): Date | undefined {
  const { data } = z.iso.datetime().safeParse(form.get(TYPED_SINCE));
  return data === undefined ? undefined : new Date(data);
}

export type TypedOnPage = ReturnType<typeof toTypedOnPage>;

/** Returns what was typed into the forms of a page and not sent, and the server's time. */
export function toTypedOnPage(unsent: UnsentForms, { pathname }: URL) {
  const at = new Date().toISOString();
  const entries = Object.entries(unsent).filter(
    ([id, { isParked }]) => pathname !== paths.checkOut || (id === FIRST_STEP && !isParked),
  );
  const drafts = entries.map(([id, { values, savedAt, typedAt, isElsewhere }]) => [
    id,
    { savedAt: savedAt.toISOString(), typedAt, isElsewhere, names: Object.keys(values) },
  ]);
  const forms: Record<string, Draft> = Object.fromEntries(entries.map(([id, { values }]) => [id, values]));
  return {
    at,
    forms,
    posted: entries.flatMap(([id, { isPosted }]) => (isPosted ? [id] : [])),
    isParked: entries.some(([, { isParked }]) => isParked),
    isElsewhere: entries.some(([, { isElsewhere }]) => isElsewhere),
    /** For the script that keeps forms, as JSON. */
    drafts: entries.length === 0 ? undefined : JSON.stringify(Object.fromEntries(drafts)),
  };
}

/** The check-out's other steps, and what was parked of this one, look after themselves: they may be of another aircraft. */
const FIRST_STEP = 'select-aircraft';
