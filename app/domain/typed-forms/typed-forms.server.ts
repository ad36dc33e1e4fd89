import { fleetNeedingAttention } from '../aircraft/condition-queries.server.ts';
import { type InferResult, type ShallowDehydrateObject, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { Db } from '#db/connect.server.ts';
import { databaseTrouble } from '#db/database-trouble.ts';
import { DRAFT_LIFE_HOURS } from '#app/limits.ts';
import type { Actor } from '../actor.ts';
import { ago } from '../database-clock.server.ts';
import type { Draft } from '../drafts.server.ts';
import { sessionQuery, resumeSession } from '../people/sessions.server.ts';

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
export async function findSessionOnPage(
  db: Db,
  sessionId: string,
  page: Pick<URL, 'pathname' | 'search'>,
): Promise<{ actor: Actor; unsent: UnsentForms; toMaintain: number } | undefined> {
  const query = sessionQuery(db, sessionId).select(
    jsonArrayFrom(unsentFormsQuery(db, page).where('drafts.user_id', '=', sql.ref<number>('users.id'))).as('drafts'),
  );
  const row = await query
    .select((eb) => fleetNeedingAttention(eb.ref('users.school_id')).as('to_maintain'))
    .executeTakeFirst()
    .catch((error: unknown) => {
      // A fleet that cannot be read costs nobody the page.
      if (!['slow', 'locked', undefined].includes(databaseTrouble(error))) throw error;
      return query.select(sql<string>`0`.as('to_maintain')).executeTakeFirst();
    });
  if (!row) return undefined;
  const { drafts, to_maintain: toMaintain, ...session } = row;
  const actor = await resumeSession(db, session);
  return {
    actor,
    toMaintain: Number(toMaintain),
    unsent: Object.fromEntries(drafts.map((draft) => toTypedForm(draft, sessionId))),
  };
}

/** Finds the forms of the page, and those that were posted to its address. */
function unsentFormsQuery(db: Db, { pathname, search }: Pick<URL, 'pathname' | 'search'>) {
  return db
    .selectFrom('drafts')
    .select(['form', 'body', 'drafts.updated_at', 'saved_by', 'typed_at', 'waits_for'])
    .where('drafts.updated_at', '>', ago(DRAFT_LIFE_HOURS, 'hours'))
    .where(({ and, eb, fn, val, or }) =>
      or([
        eb(fn('starts_with', ['form', val(`${pathname}#`)]), '=', true),
        and([eb('waits_for', '=', 'sign-in'), eb('posted_to', '=', pathname + search)]),
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
