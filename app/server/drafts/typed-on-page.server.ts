import type { Draft } from '#app/domain/drafts.server.ts';
import type { UnsentForms } from '#app/domain/typed-forms/typed-forms.server.ts';

export type TypedOnPage = ReturnType<typeof toTypedOnPage>;

/** What was typed into the forms of a page and not sent, and the server's time. */
export function toTypedOnPage({ typed, parked }: UnsentForms, { pathname }: URL) {
  const at = new Date().toISOString();
  const entries = Object.entries(typed);
  const drafts = entries.map(([id, { values, savedAt, typedAt, isElsewhere }]) => [
    id,
    { savedAt: savedAt.toISOString(), typedAt, isElsewhere, names: Object.keys(values) },
  ]);
  const forms: Record<string, Draft> = Object.fromEntries(entries.map(([id, { values }]) => [id, values]));
  return {
    at,
    forms,
    parked: OWN_DRAFTS.test(pathname) ? null : parked,
    isElsewhere: entries.some(([, { isElsewhere }]) => isElsewhere),
    /** For the script that keeps forms, as JSON. */
    drafts: entries.length === 0 ? undefined : JSON.stringify(Object.fromEntries(drafts)),
  };
}

/** The check-out's steps and the check-in look after what was parked themselves: it may be of another aircraft. */
const OWN_DRAFTS = /^\/flight-log(\/\d|$)/;
