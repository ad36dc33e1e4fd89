import type { Db } from '#db/connect.server.ts';
import { DRAFT_LIFE_HOURS, MAX_DRAFT_KEY_CHARACTERS } from '#app/limits.ts';
import type { Actor } from '../actor.ts';
import { ago } from '../database-clock.server.ts';
import { type Draft, findDraft, type SavedDraft, saveDraft } from '../drafts.server.ts';

/** What was typed into a form and not sent yet. */
interface TypedForm {
  values: Draft;
  savedAt: Date;
  /** On another device, or in a session that has ended since. */
  isElsewhere: boolean;
}

/** Saves the fields of a form that no other draft is kept of; `form` is its page's path, '#' and its id. */
export function saveTypedForm(
  db: Db,
  actor: Actor,
  form: string,
  fields: Iterable<[string, unknown]>,
  since?: Date,
): Promise<SavedDraft> {
  return saveDraft(db, actor, typedFormKey(form), fields, since);
}

export function findTypedForm(db: Db, actor: Actor, form: string): Promise<Draft | undefined> {
  return findDraft(db, actor.id, typedFormKey(form));
}

export interface UnsentForms {
  /** By the form's id. */
  typed: Record<string, TypedForm>;
  parked: Draft | null;
}

/** Of the page with this path, with a form that was parked under this key. */
export async function findUnsentForms(db: Db, actor: Actor, path: string, parkedKey: string): Promise<UnsentForms> {
  const prefix = typedFormKey(`${path}#`);
  const rows = await db
    .selectFrom('drafts')
    .select(['form', 'body', 'updated_at', 'saved_by'])
    .where('user_id', '=', actor.id)
    .where('updated_at', '>', ago(DRAFT_LIFE_HOURS, 'hours'))
    .where(({ eb, fn, val, or }) =>
      or([eb('form', '=', parkedKey), eb(fn('starts_with', ['form', val(prefix)]), '=', true)]),
    )
    .execute();
  const parked = rows.find(({ form }) => form === parkedKey);
  const typed = rows
    // What was sent later says more.
    .filter(({ form, updated_at }) => form !== parkedKey && !(parked && updated_at < parked.updated_at))
    .map(({ form, body: values, updated_at: savedAt, saved_by }): [string, TypedForm] => [
      form.slice(prefix.length),
      { values, savedAt, isElsewhere: saved_by !== actor.sessionId },
    ]);
  return { typed: Object.fromEntries(typed), parked: parked?.body ?? null };
}

export function typedFormKey(form: string): string {
  return `typed:${form}`.slice(0, MAX_DRAFT_KEY_CHARACTERS);
}
