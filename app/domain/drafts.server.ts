import { sql } from 'kysely';
import type { Db, Trx } from '#db/connect.server.ts';
import { inTransaction } from '#db/transaction.ts';
import {
  DRAFT_LIFE_HOURS,
  MAX_DRAFT_BYTES,
  MAX_DRAFT_KEY_CHARACTERS,
  MAX_DRAFT_VALUE_CHARACTERS,
  MAX_DRAFTS,
} from '#app/limits.ts';
import type { Actor } from './actor.ts';
import { AppError } from './app-error.ts';
import { ago, now } from './database-clock.server.ts';
import { findUserForShare } from './people/queries.server.ts';
import { findExpiredSessionUser } from './people/sessions.server.ts';
import { texts } from './texts.ts';

/** Entered values of an unfinished form, by field name. */
export type Draft = Record<string, string>;

/** Saves text fields only, never files or passwords. Throws 'unauthorized' once account or session has ended. */
export function saveDraft(
  db: Db,
  owner: Pick<Actor, 'id' | 'sessionId'>,
  form: string,
  fields: Iterable<[string, unknown]>,
): Promise<void> {
  const save = async (trx: Trx) => {
    if (!(await findUserForShare(trx, owner))) throw new AppError('unauthorized', texts.unauthorized);
    await storeDraft(trx, owner.id, form, fields);
  };
  return inTransaction(db, save, { isIdempotent: true });
}

/** Saves nothing for a session that somebody ended. */
export function saveDraftOfExpiredSession(
  db: Db,
  sessionId: string,
  form: string,
  fields: Iterable<[string, unknown]>,
): Promise<void> {
  const save = async (trx: Trx) => {
    const userId = await findExpiredSessionUser(trx, sessionId);
    if (userId !== undefined) await storeDraft(trx, userId, form, fields);
  };
  return inTransaction(db, save, { isIdempotent: true });
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

async function storeDraft(trx: Trx, userId: number, form: string, fields: Iterable<[string, unknown]>): Promise<void> {
  const body = JSON.stringify(toDraft(fields));
  await trx
    .insertInto('drafts')
    .values({ user_id: userId, form: form.slice(0, MAX_DRAFT_KEY_CHARACTERS), body })
    .onConflict((conflict) => conflict.columns(['user_id', 'form']).doUpdateSet({ body, updated_at: now }))
    .execute();
  await deleteDraftsPastLimits(trx, userId);
}

/** Keeps the newest. */
async function deleteDraftsPastLimits(trx: Trx, userId: number): Promise<void> {
  const ranked = trx
    .selectFrom('drafts')
    .select(['form', sql<number>`row_number() over newest_first`.as('place')])
    .select(sql<number>`sum(octet_length(body::text)) over newest_first`.as('bytes'))
    .where('user_id', '=', userId)
    .modifyEnd(sql`window newest_first as (order by updated_at desc, form)`);
  await trx
    .deleteFrom('drafts')
    .where('user_id', '=', userId)
    .where('form', 'in', (eb) =>
      eb
        .selectFrom(ranked.as('ranked'))
        .select('form')
        .where((ranks) => ranks.or([ranks('place', '>', MAX_DRAFTS), ranks('bytes', '>', MAX_DRAFT_BYTES)])),
    )
    .execute();
}

function toDraft(fields: Iterable<[string, unknown]>): Draft {
  const text = [...fields].filter(
    (field): field is [string, string] => typeof field[1] === 'string' && !/password/i.test(field[0]),
  );
  return Object.fromEntries(text.map(([name, value]) => [name, value.slice(0, MAX_DRAFT_VALUE_CHARACTERS)]));
}
