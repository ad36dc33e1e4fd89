import { sql, type Updateable } from 'kysely';
import type { Db, Trx } from '#db/connect.server.ts';
import type { DraftsTable } from '#db/tables.ts';
import { inTransaction } from '#db/transaction.ts';
import {
  DRAFT_LIFE_HOURS,
  DRAFT_ORDER_S,
  MAX_DRAFT_BYTES,
  MAX_DRAFT_KEY_CHARACTERS,
  MAX_DRAFT_VALUE_CHARACTERS,
  MAX_DRAFTS,
  MAX_IDEMPOTENCY_KEY_CHARACTERS,
} from '#app/limits.ts';
import type { Actor } from './actor.ts';
import { AppError } from './app-error.ts';
import { ago, now } from './database-clock.server.ts';
import { findUserForShare } from './people/queries.server.ts';
import { findFormerSessionUser } from './people/sessions.server.ts';
import { texts } from './texts.ts';
import { TYPED_AT } from './typed-forms/field-names.ts';
import { fileValuesOf } from './typed-forms/file-names.server.ts';

/** Entered values of an unfinished form, by field name. */
export type Draft = Record<string, string>;

/** A draft that another device has saved meanwhile. */
interface OtherDraft {
  values: Draft;
  savedAt: Date;
}

export interface TimedDraft {
  values: Draft | null;
  /** It is in milliseconds by the clock of the device that typed it. */
  typedAt: number | null;
}

export interface SavedDraft {
  /** Null: the form was sent meanwhile. */
  savedAt: Date | null;
  other: OtherDraft | null;
}

/** A form as it was posted, which waits: for its user to sign in again, or to enter the password. */
export interface WaitingForm {
  name: string;
  /** The path and search that it was posted to. */
  postedTo: string;
  fields: Iterable<[string, unknown]>;
}

/**
 * Saves texts and the names of files, never files or passwords. `form` names it: the path of its page, which says what it is about, '#' and
 * its id. Throws 'unauthorized' once account or session has ended.
 */
export function saveDraft(
  db: Db,
  owner: Pick<Actor, 'id' | 'sessionId'>,
  form: string,
  fields: Iterable<[string, unknown]>,
  since?: Date,
): Promise<SavedDraft> {
  return saveFields(db, owner, form, async () => fields, { since });
}

/** In place of its draft, since it says more. */
export async function saveFormForPassword(
  db: Db,
  owner: Pick<Actor, 'id' | 'sessionId'>,
  { name, postedTo, fields }: WaitingForm,
): Promise<void> {
  await saveFields(db, owner, name, async () => fields, { waits: { waits_for: 'password', posted_to: postedTo } });
}

/** As `saveDraft`, what `change` makes of the stored draft; nothing where it makes undefined. */
export function changeDraft(
  db: Db,
  owner: Pick<Actor, 'id' | 'sessionId'>,
  form: string,
  change: (former: Draft) => Iterable<[string, unknown]> | undefined,
  since?: Date,
): Promise<SavedDraft> {
  const find = async (trx: Trx) => change((await findDraft(trx, owner.id, form)) ?? {});
  return saveFields(db, owner, form, find, { since });
}

function saveFields(
  db: Db,
  owner: Pick<Actor, 'id' | 'sessionId'>,
  form: string,
  find: (trx: Trx) => Promise<Iterable<[string, unknown]> | undefined>,
  {
    since,
    waits,
  }: { /** The moment at which the device last knew what is stored. */ since?: Date | undefined; waits?: Waits },
): Promise<SavedDraft> {
  const save = async (trx: Trx) => {
    if (!(await findUserForShare(trx, owner))) throw new AppError('unauthorized', texts.unauthorized);
    const fields = await find(trx);
    const all = fields && [...fields];
    if (!all || (await wasSent(trx, owner, all))) return { savedAt: null, other: null };
    const other = since ? await findDraftOfOthers(trx, owner, form, since) : null;
    return { savedAt: await storeDraft(trx, owner.id, form, all, owner.sessionId, waits), other };
  };
  return inTransaction(db, save, { isIdempotent: true });
}

/** Saves a form posted after its session expired, or with the token before its last; nothing for a session that somebody ended. */
export function saveFormForSignIn(db: Db, sessionId: string, { name, postedTo, fields }: WaitingForm): Promise<void> {
  const waits: Waits = { waits_for: 'sign-in', posted_to: postedTo };
  const save = async (trx: Trx) => {
    const userId = await findFormerSessionUser(trx, sessionId);
    if (userId !== undefined) await storeDraft(trx, userId, name, fields, sessionId, waits);
  };
  return inTransaction(db, save, { isIdempotent: true });
}

/** The user's draft of a form, unless it has expired. */
export async function findDraft(db: Db | Trx, userId: number, form: string): Promise<Draft | undefined> {
  return (await findTimedDraft(db, userId, form)).values ?? undefined;
}

/** The page asks for it while it waits for the draft that it sent last. */
export async function findTimedDraft(db: Db | Trx, userId: number, form: string): Promise<TimedDraft> {
  const row = await db
    .selectFrom('drafts')
    .select(['body as values', 'typed_at'])
    .where('user_id', '=', userId)
    .where('form', '=', toKey(form))
    .where('updated_at', '>', ago(DRAFT_LIFE_HOURS, 'hours'))
    .executeTakeFirst();
  return { values: row?.values ?? null, typedAt: row?.typed_at?.getTime() ?? null };
}

/** The form that was posted to an address last and waits for the user's password; undefined if none does. */
export function findFormForPassword(
  db: Db,
  userId: number,
  postedTo: string,
): Promise<{ name: string; values: Draft } | undefined> {
  return db
    .selectFrom('drafts')
    .select(['form as name', 'body as values'])
    .where('user_id', '=', userId)
    .where('waits_for', '=', 'password')
    .where('posted_to', '=', postedTo)
    .where('updated_at', '>', ago(DRAFT_LIFE_HOURS, 'hours'))
    .orderBy('updated_at', 'desc')
    .limit(1)
    .executeTakeFirst();
}

export async function deleteDraft(db: Db | Trx, userId: number, form: string): Promise<void> {
  await deleteDrafts(db, userId, [form]);
}

export async function deleteDrafts(db: Db | Trx, userId: number, forms: string[]): Promise<void> {
  const keys = forms.map(toKey);
  await db.deleteFrom('drafts').where('user_id', '=', userId).where('form', 'in', keys).execute();
}

export async function deleteExpiredDrafts(db: Db): Promise<void> {
  await db.deleteFrom('drafts').where('updated_at', '<', ago(DRAFT_LIFE_HOURS, 'hours')).execute();
}

/** Returns true if the form's own request was handled: its draft came late. */
async function wasSent(trx: Trx, { id }: Pick<Actor, 'id'>, fields: [string, unknown][]): Promise<boolean> {
  const key = fields.find(([name]) => name === 'requestId')?.[1];
  if (typeof key !== 'string') return false;
  const sent = await trx
    .selectFrom('idempotency_keys')
    .select('key')
    .where('scope', '=', `user:${id}`)
    .where('key', '=', key.slice(0, MAX_IDEMPOTENCY_KEY_CHARACTERS))
    .executeTakeFirst();
  return sent !== undefined;
}

async function findDraftOfOthers(
  trx: Trx,
  { id, sessionId }: Pick<Actor, 'id' | 'sessionId'>,
  form: string,
  since: Date,
): Promise<OtherDraft | null> {
  const row = await trx
    .selectFrom('drafts')
    .select(['body as values', 'updated_at as savedAt'])
    .where('user_id', '=', id)
    .where('form', '=', toKey(form))
    .where('saved_by', '<>', sessionId ?? '')
    .where('updated_at', '>', since)
    .executeTakeFirst();
  return row ?? null;
}

/** Replaces nothing that was typed later in the same session: an earlier request may come after a later one. */
async function storeDraft(
  trx: Trx,
  userId: number,
  form: string,
  fields: Iterable<[string, unknown]>,
  saved_by: string | null = null,
  waits: Waits = { waits_for: null, posted_to: null },
): Promise<Date> {
  const all = [...fields];
  const draft = { body: JSON.stringify(toDraft(all)), saved_by, typed_at: typedAtOf(all), ...waits };
  const key = toKey(form);
  const stored = await trx
    .insertInto('drafts')
    .values({ user_id: userId, form: key, ...draft })
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'form'])
        .doUpdateSet({ ...draft, updated_at: now })
        .where(
          sql<boolean>`(drafts.saved_by = excluded.saved_by and drafts.typed_at > excluded.typed_at
            and drafts.typed_at < excluded.typed_at + ${DRAFT_ORDER_S}::integer * interval '1 second') is not true`,
        ),
    )
    .returning('updated_at')
    .executeTakeFirst();
  if (!stored) return findSavedAt(trx, userId, key);
  await deleteDraftsPastLimits(trx, userId);
  return stored.updated_at;
}

async function findSavedAt(trx: Trx, userId: number, form: string): Promise<Date> {
  const query = trx.selectFrom('drafts').select('updated_at').where('user_id', '=', userId).where('form', '=', form);
  return (await query.executeTakeFirstOrThrow()).updated_at;
}

function typedAtOf(fields: [string, unknown][]): Date | null {
  const typedAt = Number(fields.find(([name]) => name === TYPED_AT)?.[1]);
  return typedAt > 0 && typedAt <= LAST_DATE_MS ? new Date(typedAt) : null;
}

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

function toKey(form: string): string {
  return form.slice(0, MAX_DRAFT_KEY_CHARACTERS);
}

type Waits = Pick<Updateable<DraftsTable>, 'waits_for' | 'posted_to'>;

/** The last date that JavaScript can name. */
const LAST_DATE_MS = 8.64e15;

/** Passwords and codes, and what the browser says about the draft itself. */
const SECRET_OR_OWN = /password|^code$|^token$|^typed(Form|Since|At)$/i;

function toDraft(fields: Iterable<[string, unknown]>): Draft {
  const all = [...fields];
  const texts = [...Object.entries(fileValuesOf(all)), ...all].filter(
    (field): field is [string, string] => typeof field[1] === 'string' && !SECRET_OR_OWN.test(field[0]),
  );
  return Object.fromEntries(
    texts.map(([name, value]) => [name, value.slice(0, MAX_DRAFT_VALUE_CHARACTERS).toWellFormed()]),
  );
}
