import { type InferResult, type ShallowDehydrateObject, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { Db } from '#db/connect.server.ts';
import { DRAFT_LIFE_HOURS, MAX_DRAFT_KEY_CHARACTERS } from '#app/limits.ts';
import type { Actor } from '../actor.ts';
import { ago } from '../database-clock.server.ts';
import { sessionQuery, resumeSession } from '../people/sessions.server.ts';
import { type Draft, findTimedDraft, type SavedDraft, saveDraft, type TimedDraft } from '../drafts.server.ts';

interface TypedForm {
  values: Draft;
  savedAt: Date;
  typedAt: number | null;
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

export function findTypedForm(db: Db, actor: Actor, form: string): Promise<TimedDraft> {
  return findTimedDraft(db, actor.id, typedFormKey(form));
}

export interface UnsentForms {
  typed: Record<string, TypedForm>;
  parked: Draft | null;
}

/** A page with forms, and the key under which one of them was parked. */
export interface FormPage {
  path: string;
  parkedKey: string;
}

/** The session's user, and what they have not sent of a page, by one statement; undefined as `findSessionActor`. */
export async function findSessionOnPage(
  db: Db,
  sessionId: string,
  page: FormPage,
): Promise<{ actor: Actor; unsent: UnsentForms } | undefined> {
  const row = await sessionQuery(db, sessionId)
    .select(
      jsonArrayFrom(unsentFormsQuery(db, page).where('drafts.user_id', '=', sql.ref<number>('users.id'))).as('drafts'),
    )
    .executeTakeFirst();
  if (!row) return undefined;
  const { drafts, ...session } = row;
  const actor = await resumeSession(db, session);
  return { actor, unsent: toUnsentForms(drafts, page, sessionId) };
}

function unsentFormsQuery(db: Db, { path, parkedKey }: FormPage) {
  return db
    .selectFrom('drafts')
    .select(['form', 'body', 'drafts.updated_at', 'saved_by', 'typed_at'])
    .where('drafts.updated_at', '>', ago(DRAFT_LIFE_HOURS, 'hours'))
    .where(({ eb, fn, val, or }) =>
      or([eb('form', '=', parkedKey), eb(fn('starts_with', ['form', val(typedFormsKey(path))]), '=', true)]),
    );
}

type DraftRow = ShallowDehydrateObject<InferResult<ReturnType<typeof unsentFormsQuery>>[number]>;

function toUnsentForms(rows: DraftRow[], { path, parkedKey }: FormPage, sessionId: string): UnsentForms {
  const savedAt = ({ updated_at }: DraftRow) => new Date(updated_at);
  const parked = rows.find(({ form }) => form === parkedKey);
  const typed = rows
    // What was sent later says more.
    .filter((row) => row.form !== parkedKey && !(parked && savedAt(row) < savedAt(parked)))
    .map((row): [string, TypedForm] => [
      row.form.slice(typedFormsKey(path).length),
      {
        values: row.body,
        savedAt: savedAt(row),
        typedAt: row.typed_at === null ? null : new Date(row.typed_at).getTime(),
        isElsewhere: row.saved_by !== sessionId,
      },
    ]);
  return { typed: Object.fromEntries(typed), parked: parked?.body ?? null };
}

function typedFormsKey(path: string): string {
  return typedFormKey(`${path}#`);
}

export function typedFormKey(form: string): string {
  return `typed:${form}`.slice(0, MAX_DRAFT_KEY_CHARACTERS);
}
