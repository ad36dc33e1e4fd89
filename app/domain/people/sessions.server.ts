import { type Expression, type ExpressionBuilder, type InferResult, sql } from 'kysely';
import { compiledOnce, type CreateSlot } from '#db/compiled-once.ts';
import { databaseTrouble } from '#db/database-trouble.ts';
import type { Db, Trx } from '#db/connect.server.ts';
import { MANAGING_ROLES } from '#db/roles.ts';
import type { Database } from '#db/tables.ts';
import {
  ENDED_SESSION_KEPT_DAYS,
  FORMER_TOKEN_MINUTES,
  MAX_LISTED_SESSIONS,
  MAX_SESSION_LIFE_DAYS,
  PROOF_LIFE_MINUTES,
  SESSION_LIFE_DAYS,
  SESSION_RENEWAL_HOURS,
  SESSION_SEEN_MINUTES,
  SHARED_SESSION_LIFE_HOURS,
} from '#app/limits.ts';
import type { Actor } from '../actor.ts';
import { AppError } from '../app-error.ts';
import { ago, fromNow, now } from '../database-clock.server.ts';
import { can } from '../permissions.ts';
import { texts } from '../texts.ts';

/** The user whose password or passkey was verified, and the number of the password in force. */
export interface VerifiedUser {
  userId: number;
  passwordGeneration: number;
}

/** Proof of a user who has shown more than a password. */
export interface StrongProof {
  usedSecondFactor?: boolean;
  passkeyId?: number;
}

/** The place where a session is started. */
export interface SessionOrigin extends StrongProof {
  device?: string;
  address?: string;
  sharedComputer?: boolean;
}

/** Starts 14 days rolling, 60 absolute, or 8 hours if shared; `id` is the token's hash. Throws 'unauthorized'. */
export async function insertSession(
  db: Db,
  id: string,
  { userId, passwordGeneration }: VerifiedUser,
  { device = '', address = '', sharedComputer = false, usedSecondFactor = false, passkeyId }: SessionOrigin = {},
): Promise<void> {
  const life = sharedComputer ? fromNow(SHARED_SESSION_LIFE_HOURS, 'hours') : fromNow(SESSION_LIFE_DAYS, 'days');
  const ends = sharedComputer ? life : fromNow(MAX_SESSION_LIFE_DAYS, 'days');
  const inserted = await db
    .insertInto('sessions')
    .columns(['id', 'user_id', 'shared_computer', 'expires_at', 'ends_at', 'device', 'address', 'passkey_id'])
    .expression((eb) =>
      eb
        .selectFrom('users')
        .select([sql<string>`${id}::text`.as('id'), 'users.id as user_id'])
        .select([sql<boolean>`${sharedComputer}::boolean`.as('shared'), life.as('expires_at'), ends.as('ends_at')])
        .select([sql<string>`${device}::text`.as('device'), sql<string>`${address}::text`.as('address')])
        .select(sql<number | null>`${passkeyId ?? null}::integer`.as('passkey_id'))
        .where('users.id', '=', userId)
        .where('password_generation', '=', passwordGeneration)
        .where('deleted_at', 'is', null)
        .$if(!usedSecondFactor && passkeyId === undefined, (user) =>
          user.where(hasNoSecondFactor).where(({ eb, not }) => not(needsPasskey(eb))),
        )
        .forShare(),
    )
    .returning('id')
    .executeTakeFirst();
  if (!inserted) throw new AppError('unauthorized', texts.signInFailed);
}

/** Tells whether another session of the user, ended ones of the last days included, has the same browser and address. */
export async function isOnUsedDevice(trx: Trx, sessionId: string): Promise<boolean> {
  const other = await trx
    .selectFrom('sessions as session')
    .innerJoin('sessions as other', (join) =>
      join
        .onRef('other.user_id', '=', 'session.user_id')
        .onRef('other.device', '=', 'session.device')
        .onRef('other.address', '=', 'session.address')
        .onRef('other.id', '!=', 'session.id'),
    )
    .select('other.number')
    .where('session.id', '=', sessionId)
    .limit(1)
    .executeTakeFirst();
  return other !== undefined;
}

/** Undefined for an unknown or expired session; role and school are current. */
export async function findSessionActor(db: Db, sessionId: string): Promise<Actor | undefined> {
  const [row] = await findSession(db, { sessionId });
  return row && noteUseAndReturnActor(db, row);
}

const findSession = compiledOnce((db, slot: CreateSlot<'sessionId'>) => sessionQuery(db, slot('sessionId')));

export function sessionQuery(db: Db | Trx, sessionId: Expression<string>) {
  return db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .leftJoin('schools', 'schools.id', 'users.school_id')
    .select(['users.id', 'username', 'email', 'role', 'school_id', 'time_zone', 'shared_computer', 'single_keys'])
    .select('removal_due_at')
    .select('sessions.id as session_id')
    .select((eb) =>
      eb
        .and([
          eb('administrators_need_second_factor', '=', true),
          eb('role', 'in', MANAGING_ROLES),
          eb('sessions.passkey_id', 'is', null),
          hasNoSecondFactor(eb),
        ])
        .as('must_add_second_factor'),
    )
    .select(sql<boolean>`renewed_at < ${ago(SESSION_RENEWAL_HOURS, 'hours')}`.as('due'))
    .select(sql<boolean>`seen_at < ${ago(SESSION_SEEN_MINUTES, 'minutes')}`.as('unseen'))
    .where('sessions.id', '=', sessionId)
    .where('users.deleted_at', 'is', null)
    .where(isLiveSession);
}

type SessionRow = InferResult<ReturnType<typeof sessionQuery>>[number];

/** Returns the actor of a row that was found just now, and notes its use. */
export async function noteUseAndReturnActor(db: Db, row: SessionRow): Promise<Actor> {
  await noteUse(db, row);
  return {
    id: row.id,
    username: row.username,
    email: row.email,
    role: row.role,
    schoolId: row.school_id,
    timeZone: row.time_zone ?? 'UTC',
    sessionId: row.session_id,
    sharedComputer: row.shared_computer,
    mustAddSecondFactor: Boolean(row.must_add_second_factor),
    singleKeys: row.single_keys,
    schoolRemovalDueAt: can(row.role, 'manage school') ? row.removal_due_at : null,
  };
}

export type OwnSession = Awaited<ReturnType<typeof findOwnSessions>>[number];

/** Finds live sessions of the actor, the last seen first. */
export function findOwnSessions(db: Db, { id, sessionId }: Pick<Actor, 'id' | 'sessionId'>) {
  return db
    .selectFrom('sessions')
    .select(['number', 'device', 'address', 'created_at as signedInAt', 'seen_at as seenAt'])
    .select(sql<boolean>`id = ${sessionId ?? ''}`.as('isCurrent'))
    .where('user_id', '=', id)
    .where(isLiveSession)
    .orderBy(sql`id = ${sessionId ?? ''}`, 'desc')
    .orderBy('seen_at', 'desc')
    .limit(MAX_LISTED_SESSIONS)
    .execute();
}

/** Finds and locks the user of a session that expired by itself, or got a new token minutes ago. */
export async function findFormerSessionUserId(trx: Trx, sessionId: string): Promise<number | undefined> {
  const row = await trx
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select('users.id')
    .where(({ and, eb, or }) =>
      or([
        and([eb('sessions.id', '=', sessionId), eb('sessions.expires_at', '<=', now)]),
        and([eb('sessions.former_id', '=', sessionId), eb('proved_at', '>', ago(FORMER_TOKEN_MINUTES, 'minutes'))]),
      ]),
    )
    .where('sessions.revoked_at', 'is', null)
    .where('users.deleted_at', 'is', null)
    .forShare()
    .executeTakeFirst();
  return row?.id;
}

export async function revokeSession(db: Db, sessionId: string): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ revoked_at: now })
    .where('id', '=', sessionId)
    .where('revoked_at', 'is', null)
    .execute();
}

/** Ends all sessions, or all but one; access tokens and calendar links with them. */
export async function revokeUserSessions(trx: Trx, userId: number, except?: string): Promise<void> {
  await endSessions(trx, userId, except).execute();
  await trx.deleteFrom('access_tokens').where('user_id', '=', userId).execute();
  await trx.deleteFrom('calendar_links').where('user_id', '=', userId).execute();
}

/** Ends the sessions that the passkey started, but for one. */
export async function revokePasskeySessions(
  trx: Trx,
  userId: number,
  passkeyId: number,
  except?: string,
): Promise<void> {
  await endSessions(trx, userId, except).where('passkey_id', '=', passkeyId).execute();
}

function endSessions(trx: Trx, userId: number, except = '') {
  return trx
    .updateTable('sessions')
    .set({ revoked_at: now })
    .where('user_id', '=', userId)
    .where('id', '!=', except)
    .where('revoked_at', 'is', null);
}

/**
 * Notes that the user has entered the password just now, under the keyed hash of a new token; drafts stay of this session, a
 * key that was shown for a second factor does not. Throws 'unauthorized'.
 */
export async function proveSessionUnderNewId(
  db: Db,
  { id, sessionId }: Pick<Actor, 'id' | 'sessionId'>,
  newId: string,
): Promise<{ sharedComputer: boolean }> {
  const session = await db
    .with('drafts_of_session', (cte) =>
      cte
        .updateTable('drafts')
        .set({ saved_by: newId })
        .where('user_id', '=', id)
        .where('saved_by', '=', sessionId ?? ''),
    )
    .updateTable('sessions')
    .set({ id: newId, former_id: sessionId ?? null, proved_at: now, second_factor_setup: null })
    .where('id', '=', sessionId ?? '')
    .where('user_id', '=', id)
    .where(isLiveSession)
    .returning('shared_computer as sharedComputer')
    .executeTakeFirst();
  if (!session) throw new AppError('unauthorized', texts.unauthorized);
  return session;
}

/** Returns true if the password was entered in the session once more since its start, some minutes ago at most. */
export async function isPasswordFresh(db: Db, { id, sessionId }: Pick<Actor, 'id' | 'sessionId'>): Promise<boolean> {
  const session = await db
    .selectFrom('sessions')
    .select('number')
    .where('id', '=', sessionId ?? '')
    .where('user_id', '=', id)
    .whereRef('proved_at', '>', 'created_at')
    .where('proved_at', '>', ago(PROOF_LIFE_MINUTES, 'minutes'))
    .where(isLiveSession)
    .executeTakeFirst();
  return session !== undefined;
}

export async function deleteOldSessions(db: Db): Promise<void> {
  await db.deleteFrom('sessions').where('ends_at', '<', ago(ENDED_SESSION_KEPT_DAYS, 'days')).execute();
}

export function hasNoSecondFactor(eb: ExpressionBuilder<Database, 'users'>) {
  const factor = eb.selectFrom('second_factors').select('user_id').whereRef('user_id', '=', 'users.id');
  return eb.not(eb.exists(factor));
}

/** Tells an administrator with passkeys and no codes, whose school asks for a second factor. */
export function needsPasskey(eb: ExpressionBuilder<Database, 'users'>) {
  const school = eb
    .selectFrom('schools')
    .select('schools.id')
    .whereRef('schools.id', '=', 'users.school_id')
    .where('administrators_need_second_factor', '=', true);
  const passkey = eb.selectFrom('passkeys').select('passkeys.id').whereRef('passkeys.user_id', '=', 'users.id');
  return eb.and([eb('users.role', 'in', MANAGING_ROLES), hasNoSecondFactor(eb), eb.exists(school), eb.exists(passkey)]);
}

export function isLiveSession(eb: ExpressionBuilder<Database, 'sessions'>) {
  return eb.and([eb('sessions.revoked_at', 'is', null), eb('sessions.expires_at', '>', now)]);
}

/** Notes the use. A user who only reads is served while nothing can be saved. */
async function noteUse(
  db: Db,
  {
    session_id: id,
    due,
    unseen,
    shared_computer,
  }: Record<'due' | 'unseen' | 'shared_computer', boolean> & { session_id: string },
): Promise<void> {
  try {
    if (due && !shared_computer) await renewSession(db, id);
    else if (unseen) await db.updateTable('sessions').set({ seen_at: now }).where('id', '=', id).execute();
  } catch (error) {
    if (databaseTrouble(error) === undefined) throw error;
  }
}

async function renewSession(db: Db, sessionId: string): Promise<void> {
  await db
    .updateTable('sessions')
    .set({
      renewed_at: now,
      seen_at: now,
      expires_at: sql<Date>`least(${fromNow(SESSION_LIFE_DAYS, 'days')}, ends_at)`,
    })
    .where('id', '=', sessionId)
    .where('revoked_at', 'is', null)
    .execute();
}
