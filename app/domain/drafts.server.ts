import { type InferResult, type ShallowDehydrateObject, sql, type Updateable } from 'kysely';
import { z } from 'zod';
import { compiledOnce, type CreateSlot } from '#db/compiled-once.ts';
import type { Db, Trx } from '#db/connect.server.ts';
import type { DraftsTable } from '#db/tables.ts';
import { inTransaction } from '#db/transaction.ts';
import {
  DRAFT_LIFE_HOURS,
  MAX_DRAFT_TRANSIT_SECONDS,
  MAX_DRAFT_BYTES,
  MAX_DRAFT_KEY_CHARACTERS,
  MAX_DRAFT_VALUE_CHARACTERS,
  MAX_DRAFTS,
  MAX_IDEMPOTENCY_KEY_CHARACTERS,
} from '#app/limits.ts';
import type { Actor } from './actor.ts';
import { AppError } from './app-error.ts';
import { ago, now } from './database-clock.server.ts';
import { findActorForShare } from './people/queries.server.ts';
import { findFormerSessionUserId, noteUseAndReturnActor, sessionQuery } from './people/sessions.server.ts';
import { texts } from './texts.ts';
import {
  fileNamesByField,
  SECRET_FIELD_PATTERN,
  TYPED_AT,
  DRAFT_KNOWN_AT,
  VIEWER_ID,
} from './typed-forms/field-names.ts';
import { needsAttentionCountQuery } from './aircraft/condition-queries.server.ts';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { databaseTrouble } from '#db/database-trouble.ts';

/** Entered values of an unfinished form, by field name. */
type Draft = Record<string, string>;

type Entries = Iterable<[string, unknown]>;
type Fields = [string, unknown][];
type Owner = Pick<Actor, 'id' | 'sessionId'>;

export interface SaveDraftResult {
  /** Null: the form was sent meanwhile. */
  savedAt: Date | null;
  /** What another session has saved since this one last knew what is stored. */
  other: { values: Draft; savedAt: Date } | null;
}

/** By which session; of a form that was posted also what it waits for, and to which path and search it goes then. */
type Saved = Required<Pick<Updateable<DraftsTable>, 'saved_by' | 'waits_for' | 'posted_to'>>;

/**
 * Saves texts and the names of files, never files or passwords. `form` names it: the path of its page, which says what it is about, '#' and
 * its id. A form that was `postedTo` an address takes the place of its draft, since it says more, and goes on there once its user
 * has entered the password. Throws 'unauthorized' once account or session has ended.
 */
export function saveDraft(db: Db, owner: Owner, form: string, fields: Entries, postedTo: string | null = null) {
  const all = [...fields];
  const save = async (trx: Trx): Promise<SaveDraftResult> => {
    if (!(await findActorForShare(trx, owner))) throw new AppError('unauthorized', texts.unauthorized);
    if (await wasSent(trx, owner, all)) return { savedAt: null, other: null };
    const other = await findDraftOfOthers(trx, owner, form, all);
    const waitsFor = postedTo === null ? null : 'password';
    const saved: Saved = { saved_by: owner.sessionId ?? null, waits_for: waitsFor, posted_to: postedTo };
    return { savedAt: await storeDraft(trx, owner.id, form, all, saved), other };
  };
  return inTransaction(db, save, { isIdempotent: true });
}

/** Saves a form posted after its session expired, or with the token before its last; nothing of another user's, nor for a session that somebody ended. */
export function saveFormForSignIn(db: Db, sessionId: string, form: string, fields: Fields, postedTo: string) {
  const save = async (trx: Trx) => {
    const userId = await findFormerSessionUserId(trx, sessionId);
    if (userId === undefined || isOfAnother(fields, userId)) return;
    await storeDraft(trx, userId, form, fields, { saved_by: sessionId, waits_for: 'sign-in', posted_to: postedTo });
  };
  return inTransaction(db, save, { isIdempotent: true });
}

/** Returns true for a form of a page that was made for somebody else, who was signed in in this browser before. */
export function isOfAnother(fields: Entries, userId: number): boolean {
  const madeFor = valueOf([...fields], VIEWER_ID);
  return Boolean(madeFor) && madeFor !== String(userId);
}

/** The user's draft of a form, unless it has expired. A page asks for it while it waits for the draft that it sent last. */
export async function findDraft(db: Db | Trx, userId: number, form: string) {
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

export async function deleteDrafts(db: Db | Trx, userId: number, forms: string[]): Promise<void> {
  const keys = forms.map(toKey);
  await db.deleteFrom('drafts').where('user_id', '=', userId).where('form', 'in', keys).execute();
}

export async function deleteExpiredDrafts(db: Db): Promise<void> {
  await db.deleteFrom('drafts').where('updated_at', '<', ago(DRAFT_LIFE_HOURS, 'hours')).execute();
}

/** Returns true if the form's own request was handled: its draft came late. */
async function wasSent(trx: Trx, { id }: Owner, fields: Fields): Promise<boolean> {
  const key = valueOf(fields, 'requestId');
  if (key === undefined) return false;
  const sent = await trx
    .selectFrom('idempotency_keys')
    .select('key')
    .where('scope', '=', `user:${id}`)
    .where('key', '=', key.slice(0, MAX_IDEMPOTENCY_KEY_CHARACTERS))
    .executeTakeFirst();
  return sent !== undefined;
}

async function findDraftOfOthers(trx: Trx, { id, sessionId }: Owner, form: string, fields: Fields) {
  const since = z.iso.datetime().safeParse(valueOf(fields, DRAFT_KNOWN_AT)).data;
  if (since === undefined) return null;
  const row = await trx
    .selectFrom('drafts')
    .select(['body as values', 'updated_at as savedAt'])
    .where('user_id', '=', id)
    .where('form', '=', toKey(form))
    .where('saved_by', '<>', sessionId ?? '')
    .where('updated_at', '>', new Date(since))
    .executeTakeFirst();
  return row ?? null;
}

/** Replaces nothing that was typed later in the same session: an earlier request may come after a later one. */
async function storeDraft(trx: Trx, userId: number, form: string, fields: Fields, saved: Saved): Promise<Date> {
  const draft = { body: JSON.stringify(toDraft(fields, saved)), typed_at: typedAtOf(fields), ...saved };
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
            and drafts.typed_at < excluded.typed_at + ${MAX_DRAFT_TRANSIT_SECONDS}::integer * interval '1 second') is not true`,
        ),
    )
    .returning('updated_at')
    .executeTakeFirst();
  if (stored) await deleteDraftsPastLimits(trx, userId);
  const row = trx.selectFrom('drafts').select('updated_at').where('user_id', '=', userId).where('form', '=', key);
  return (stored ?? (await row.executeTakeFirstOrThrow())).updated_at;
}

function typedAtOf(fields: Fields): Date | null {
  const typedAt = Number(valueOf(fields, TYPED_AT));
  return typedAt > 0 && typedAt <= LAST_DATE_MS ? new Date(typedAt) : null;
}

function valueOf(fields: Fields, wanted: string): string | undefined {
  const value = fields.find(([name]) => name === wanted)?.[1];
  return typeof value === 'string' ? value : undefined;
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

const LAST_DATE_MS = 8.64e15;

/** What the browser says about the draft itself, and tokens. */
const OWN_OR_TOKEN = /^(token|viewerId|typed(Form|Since|At))$/i;
/** Only a form that goes on where it was posted to needs the button that was pressed, and the request that it is. */
const OF_THE_PRESS = /^(intent|requestId)$/;

function toDraft(fields: Fields, { waits_for }: Saved): Draft {
  const isKept = (field: [string, unknown]): field is [string, string] =>
    typeof field[1] === 'string' &&
    !SECRET_FIELD_PATTERN.test(field[0]) &&
    !OWN_OR_TOKEN.test(field[0]) &&
    (waits_for !== null || !OF_THE_PRESS.test(field[0]));
  const kept = [...Object.entries(fileNamesByField(fields)), ...fields].filter(isKept);
  return Object.fromEntries(
    kept.map(([name, value]) => [name, value.slice(0, MAX_DRAFT_VALUE_CHARACTERS).toWellFormed()]),
  );
}

export interface TypedForm {
  values: Draft;
  savedAt: Date;
  /** In milliseconds by the clock of the device that typed it. */
  typedAt: number | null;
  /** In a session that has ended, after which it was posted. */
  isParked: boolean;
  /** It waits for a sign-in or a password: a box that it lacks was not ticked. */
  isPosted: boolean;
  /** On another device, or in a session that has ended since. */
  isElsewhere: boolean;
}

/** Texts that were typed into a page's forms and not sent, by their ids; '' is the id where a posted form had none. */
export type UnsentForms = Record<string, TypedForm>;

/** The session's user, and what they have not sent of a page, by one statement; undefined as `findSessionActor`. */
export async function findActorAndUnsentForms(
  db: Db,
  sessionId: string,
  { pathname, search }: Pick<URL, 'pathname' | 'search'>,
): Promise<{ actor: Actor; unsent: UnsentForms; toMaintain: number } | undefined> {
  const values = { sessionId, forms: `${pathname}#`, postedTo: pathname + search };
  const [row] = await findOnPage(db, values).catch((error: unknown) => {
    // A fleet that cannot be read costs nobody the page.
    if (!['slow', 'locked', undefined].includes(databaseTrouble(error))) throw error;
    return findOnPageWithoutFleet(db, values);
  });
  if (!row) return undefined;
  const { drafts, to_maintain: toMaintain, ...session } = row;
  const actor = await noteUseAndReturnActor(db, session);
  return {
    actor,
    toMaintain: Number(toMaintain),
    unsent: Object.fromEntries(drafts.map((draft) => toTypedForm(draft, sessionId))),
  };
}

type PageSlot = CreateSlot<'sessionId' | 'forms' | 'postedTo'>;

const findOnPage = compiledOnce((db, slot: PageSlot) =>
  onPageQuery(db, slot).select((eb) => needsAttentionCountQuery(eb.ref('users.school_id')).as('to_maintain')),
);

const findOnPageWithoutFleet = compiledOnce((db, slot: PageSlot) =>
  onPageQuery(db, slot).select(sql<string>`0`.as('to_maintain')),
);

function onPageQuery(db: Db | Trx, slot: PageSlot) {
  const unsent = unsentFormsQuery(db, slot).where('drafts.user_id', '=', sql.ref<number>('users.id'));
  return sessionQuery(db, slot('sessionId')).select(jsonArrayFrom(unsent).as('drafts'));
}

function unsentFormsQuery(db: Db | Trx, slot: PageSlot) {
  return db
    .selectFrom('drafts')
    .select(['form', 'body', 'drafts.updated_at', 'saved_by', 'typed_at', 'waits_for'])
    .where('drafts.updated_at', '>', ago(DRAFT_LIFE_HOURS, 'hours'))
    .where(({ and, eb, fn, or }) =>
      or([
        eb(fn('starts_with', ['form', slot('forms')]), '=', true),
        and([eb('waits_for', '=', 'sign-in'), eb('posted_to', '=', slot('postedTo'))]),
      ]),
    )
    .orderBy('drafts.updated_at');
}

type DraftRow = ShallowDehydrateObject<InferResult<ReturnType<typeof unsentFormsQuery>>[number]>;

function toTypedForm(row: DraftRow, sessionId: string): [string, TypedForm] {
  const { form, body, updated_at, saved_by, typed_at, waits_for } = row;
  const typedForm = {
    values: body,
    savedAt: new Date(updated_at),
    typedAt: typed_at === null ? null : new Date(typed_at).getTime(),
    isParked: waits_for === 'sign-in',
    isPosted: waits_for !== null,
    isElsewhere: waits_for === null && saved_by !== sessionId,
  };
  return [form.replace(/^.*#/, ''), typedForm];
}
