import type { Db, Trx } from '#db/connect.server.ts';
import { DRAFT_LIFE_HOURS, MAX_DRAFT_KEY_CHARACTERS, MAX_DRAFT_VALUE_CHARACTERS } from '#app/limits.ts';
import { ago, now } from './database-clock.server.ts';

/** The typed values of a form that is not finished, by field name. */
export type Draft = Record<string, string>;

/** Keeps the text fields of a form, never its files or passwords, for this user until it is finished (C56). */
export async function saveDraft(
  db: Db,
  userId: number,
  form: string,
  fields: Iterable<[string, unknown]>,
): Promise<void> {
  const kept = [...fields].filter(
    (field): field is [string, string] => typeof field[1] === 'string' && !/password/i.test(field[0]),
  );
  const body = JSON.stringify(
    Object.fromEntries(kept.map(([name, value]) => [name, value.slice(0, MAX_DRAFT_VALUE_CHARACTERS)])),
  );
  await db
    .insertInto('drafts')
    .values({ user_id: userId, form: form.slice(0, MAX_DRAFT_KEY_CHARACTERS), body })
    .onConflict((conflict) => conflict.columns(['user_id', 'form']).doUpdateSet({ body, updated_at: now }))
    .execute();
}

/** The user's draft of a form, at most 12 hours old (C57). */
export async function findDraft(db: Db, userId: number, form: string): Promise<Draft | undefined> {
  const row = await db
    .selectFrom('drafts')
    .select('body')
    .where('user_id', '=', userId)
    .where('form', '=', form)
    .where('updated_at', '>', ago(DRAFT_LIFE_HOURS, 'hours'))
    .executeTakeFirst();
  return row?.body;
}

/** Drops drafts that are finished with. */
export async function deleteDraft(db: Db | Trx, userId: number, form: string): Promise<void> {
  await db.deleteFrom('drafts').where('user_id', '=', userId).where('form', '=', form).execute();
}

/** Clears away drafts that are too old to be offered. */
export async function deleteExpiredDrafts(db: Db): Promise<void> {
  await db.deleteFrom('drafts').where('updated_at', '<', ago(DRAFT_LIFE_HOURS, 'hours')).execute();
}
