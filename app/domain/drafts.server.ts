import { sql } from 'kysely';
import type { Db, Trx } from '#db/connect.server.ts';
import { DRAFT_LIFE_HOURS, MAX_DRAFT_KEY_CHARACTERS, MAX_DRAFT_VALUE_CHARACTERS } from '#app/limits.ts';
import { ago, now } from './database-clock.server.ts';

/** Entered values of an unfinished form, by field name. */
export type Draft = Record<string, string>;

/** Saves text fields only, never files or passwords. */
export async function saveDraft(
  db: Db,
  userId: number,
  form: string,
  fields: Iterable<[string, unknown]>,
): Promise<void> {
  const key = form.slice(0, MAX_DRAFT_KEY_CHARACTERS);
  const body = JSON.stringify(toDraft(fields));
  await db
    .insertInto('drafts')
    .columns(['user_id', 'form', 'body'])
    .expression((eb) =>
      eb
        .selectFrom('users')
        .select(['id', sql<string>`${key}::text`.as('form'), sql<string>`${body}::jsonb`.as('body')])
        .where('id', '=', userId)
        .where('deleted_at', 'is', null)
        .forShare(),
    )
    .onConflict((conflict) => conflict.columns(['user_id', 'form']).doUpdateSet({ body, updated_at: now }))
    .execute();
}

/** The user's draft of a form, unless it has expired. */
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

export async function deleteDraft(db: Db | Trx, userId: number, form: string): Promise<void> {
  await db.deleteFrom('drafts').where('user_id', '=', userId).where('form', '=', form).execute();
}

export async function deleteExpiredDrafts(db: Db): Promise<void> {
  await db.deleteFrom('drafts').where('updated_at', '<', ago(DRAFT_LIFE_HOURS, 'hours')).execute();
}

function toDraft(fields: Iterable<[string, unknown]>): Draft {
  const text = [...fields].filter(
    (field): field is [string, string] => typeof field[1] === 'string' && !/password/i.test(field[0]),
  );
  return Object.fromEntries(text.map(([name, value]) => [name, value.slice(0, MAX_DRAFT_VALUE_CHARACTERS)]));
}
