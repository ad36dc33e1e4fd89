import { type ExpressionBuilder, sql } from 'kysely';
import type { Db, Trx } from '#db/connect.server.ts';
import type { Database } from '#db/tables.ts';
import {
  ENDED_SESSION_KEPT_DAYS,
  MAX_SESSION_LIFE_DAYS,
  SESSION_LIFE_DAYS,
  SESSION_RENEWAL_HOURS,
  SHARED_SESSION_LIFE_HOURS,
} from '#app/limits.ts';
import type { Actor } from '../actor.ts';
import { ago, fromNow, now } from '../database-clock.server.ts';

/** 14 days rolling and 60 absolute, or 8 hours if shared; `id` is the keyed hash of the cookie's token. */
export async function insertSession(db: Db, id: string, userId: number, sharedComputer: boolean): Promise<void> {
  const life = sharedComputer ? fromNow(SHARED_SESSION_LIFE_HOURS, 'hours') : fromNow(SESSION_LIFE_DAYS, 'days');
  await db
    .insertInto('sessions')
    .values({
      id,
      user_id: userId,
      shared_computer: sharedComputer,
      expires_at: life,
      ends_at: sharedComputer ? life : fromNow(MAX_SESSION_LIFE_DAYS, 'days'),
    })
    .execute();
}

/** Undefined for an unknown or expired session; role and school are current. */
export async function findSessionActor(db: Db, sessionId: string): Promise<Actor | undefined> {
  const row = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .leftJoin('schools', 'schools.id', 'users.school_id')
    .select(['users.id', 'username', 'email', 'role', 'school_id', 'time_zone', 'shared_computer'])
    .select(sql<boolean>`renewed_at < ${ago(SESSION_RENEWAL_HOURS, 'hours')}`.as('due'))
    .where('sessions.id', '=', sessionId)
    .where(isLive)
    .executeTakeFirst();
  if (!row) return undefined;
  if (row.due && !row.shared_computer) await renewSession(db, sessionId);
  return {
    id: row.id,
    username: row.username,
    email: row.email,
    role: row.role,
    schoolId: row.school_id,
    timeZone: row.time_zone ?? 'UTC',
  };
}

/** Includes expired sessions, whose user's form is parked. */
export async function findUserOfEndedSession(db: Db, sessionId: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select('users.id')
    .where('sessions.id', '=', sessionId)
    .where('users.deleted_at', 'is', null)
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

export async function revokeUserSessions(trx: Trx, userId: number): Promise<void> {
  await trx
    .updateTable('sessions')
    .set({ revoked_at: now })
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .execute();
}

/** Deletes sessions past their absolute end. */
export async function deleteOldSessions(db: Db): Promise<void> {
  await db.deleteFrom('sessions').where('ends_at', '<', ago(ENDED_SESSION_KEPT_DAYS, 'days')).execute();
}

function isLive(eb: ExpressionBuilder<Database, 'sessions' | 'users'>) {
  return eb.and([
    eb('sessions.revoked_at', 'is', null),
    eb('sessions.expires_at', '>', now),
    eb('users.deleted_at', 'is', null),
  ]);
}

async function renewSession(db: Db, sessionId: string): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ renewed_at: now, expires_at: sql<Date>`least(${fromNow(SESSION_LIFE_DAYS, 'days')}, ends_at)` })
    .where('id', '=', sessionId)
    .execute();
}
