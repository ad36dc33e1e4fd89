import type { Actor } from '#app/domain/actor.ts';
import type { Draft } from '#app/domain/drafts.server.ts';
import { findUnsentForms } from '#app/domain/typed-forms/typed-forms.server.ts';
import { db } from '../db.server.ts';
import { parkedFormKey } from '../parked-forms.server.ts';

export type TypedOnPage = Awaited<ReturnType<typeof findTypedOnPage>>;

/** What was typed into the forms of a page and not sent, and the server's time. */
export async function findTypedOnPage(actor: Actor, url: URL) {
  const at = new Date().toISOString();
  const { typed, parked } = await findUnsentForms(db, actor, url.pathname, parkedFormKey(url));
  const entries = Object.entries(typed);
  const drafts = entries.map(([id, { values, savedAt, isElsewhere }]) => [
    id,
    { savedAt: savedAt.toISOString(), isElsewhere, names: Object.keys(values) },
  ]);
  const forms: Record<string, Draft> = Object.fromEntries(entries.map(([id, { values }]) => [id, values]));
  return {
    at,
    forms,
    parked: OWN_DRAFTS.test(url.pathname) ? null : parked,
    isElsewhere: entries.some(([, { isElsewhere }]) => isElsewhere),
    /** For the script that keeps forms, as JSON. */
    drafts: entries.length === 0 ? undefined : JSON.stringify(Object.fromEntries(drafts)),
  };
}

/** The check-out's steps and the check-in look after what was parked themselves: it may be of another aircraft. */
const OWN_DRAFTS = /^\/flight-log(\/\d|$)/;
