import type { Db, Trx } from '#db/connect.server.ts';
import { JOINED_INVITATIONS_SHOWN } from '#app/limits.ts';
import type { Actor } from '../actor.ts';
import { writeAuditEntry } from '../audit/write-audit-entry.server.ts';
import { now } from '../database-clock.server.ts';
import { deleteMail } from '../mail/queries.server.ts';

/** Withdraws the invitation mails of an address that a user got just now: their links no longer work. */
export async function withdrawJoinedInvitationMails(
  trx: Trx,
  actor: Pick<Actor, 'id' | 'schoolId'>,
  userId: number,
): Promise<void> {
  const { schoolId } = actor;
  if (schoolId === null) return;
  for (const { id, name, role, mail_id: mailId } of await findJustJoined(trx, schoolId, userId)) {
    await withdrawMail(trx, schoolId, id, mailId);
    const before = { name, role };
    await writeAuditEntry(trx, actor, { action: 'ended invitation', subject: 'invitation', subjectId: id, before });
  }
}

export async function withdrawMail(trx: Trx, schoolId: number, id: number, mailId: number | null): Promise<void> {
  await trx
    .updateTable('invitations')
    .set({ mail_id: null })
    .where('school_id', '=', schoolId)
    .where('id', '=', id)
    .execute();
  await deleteMail(trx, schoolId, mailId);
}

export type JoinedInvitation = Awaited<ReturnType<typeof findJoinedInvitations>>[number];

/** Finds the last invitations that ended with a new user, newest first. */
export async function findJoinedInvitations(db: Db, schoolId: number | null) {
  const rows = await db
    .selectFrom('invitations')
    .innerJoin('users', 'users.id', 'invitations.accepted_by')
    .select(['invitations.id', 'invitations.name', 'invitations.role', 'accepted_at as joinedAt'])
    .select(['users.id as userId', 'username'])
    .where('invitations.school_id', '=', schoolId)
    .where('accepted_at', 'is not', null)
    .orderBy('accepted_at', 'desc')
    .orderBy('invitations.id', 'desc')
    .limit(JOINED_INVITATIONS_SHOWN)
    .execute();
  return rows.flatMap(({ joinedAt, ...row }) => (joinedAt ? [{ ...row, joinedAt }] : []));
}

function findJustJoined(trx: Trx, schoolId: number, userId: number) {
  return trx
    .selectFrom('invitations')
    .select(['id', 'name', 'role', 'mail_id'])
    .where('school_id', '=', schoolId)
    .where('accepted_by', '=', userId)
    .where('accepted_at', '=', now)
    .execute();
}
