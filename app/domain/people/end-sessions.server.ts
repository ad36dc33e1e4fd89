import type { Db } from '#db/connect.server.ts';
import type { Actor, Member } from '../actor.ts';
import { AppError } from '../app-error.ts';
import { writeAuditEntry } from '../audit/write-audit-entry.server.ts';
import { now } from '../database-clock.server.ts';
import { runOperation } from '../run-operation.server.ts';
import { texts } from '../texts.ts';
import { requireUserForUpdate } from './queries.server.ts';
import { isLiveSession, revokeUserSessions } from './sessions.server.ts';

/** Ends a session. Throws 'notFound' unless it is a live one of the user's own. */
export function endOwnSession(db: Db, user: Actor, number: number, key?: string): Promise<object> {
  const request = { key, operation: `end own session ${number}`, input: null };
  return runOperation(db, { actor: user, can: 'anyRole', lockFirst: 'actor', ...request }, async (trx, actor) => {
    const ended = await trx
      .updateTable('sessions')
      .set({ revoked_at: now })
      .where('number', '=', number)
      .where('user_id', '=', actor.id)
      .where(isLiveSession)
      .returning(['device', 'address'])
      .executeTakeFirst();
    if (!ended) throw new AppError('notFound', texts.sessionNotFound);
    const about = { subject: 'user', subjectId: actor.id } as const;
    await writeAuditEntry(trx, actor, { action: 'ended own session', ...about, before: ended });
    return {};
  });
}

/** Ends all sessions of the user, that of this request too. */
export function signOutEverywhere(db: Db, user: Actor, key?: string): Promise<object> {
  const request = { key, operation: 'sign out everywhere', input: null };
  return runOperation(db, { actor: user, can: 'anyRole', lockFirst: 'actor', ...request }, async (trx, actor) => {
    await revokeUserSessions(trx, actor.id);
    await writeAuditEntry(trx, actor, { action: 'signed out everywhere', subject: 'user', subjectId: actor.id });
    return {};
  });
}

/** Ends every session of a user. Throws 'notFound' outside the school. */
export function signOutUser(db: Db, member: Member, id: number, key?: string): Promise<{ username: string }> {
  const request = { key, operation: `sign out user ${id}`, input: null };
  // Two administrators who sign each other out would otherwise wait for each other.
  return runOperation(
    db,
    { actor: member, can: 'manage users', lockFirst: 'school', ...request },
    async (trx, actor) => {
      const { username } = await requireUserForUpdate(trx, actor.schoolId, id);
      await revokeUserSessions(trx, id);
      await writeAuditEntry(trx, actor, { action: 'signed user out', subject: 'user', subjectId: id });
      return { username };
    },
  );
}
