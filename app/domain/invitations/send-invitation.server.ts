import { sql } from 'kysely';
import type { Db, Trx } from '#db/connect.server.ts';
import type { Member } from '../actor.ts';
import { writeAuditEntry } from '../audit/write-audit-entry.server.ts';
import { exactlyOnce } from '../idempotency.server.ts';
import { AppError } from '../app-error.ts';
import { texts } from '../texts.ts';
import type { Invitation, SendInvitationInput } from './schema.server.ts';
import { mailInvitation } from './mail-invitation.server.ts';
import { findWrittenInvitation } from './queries.server.ts';

/**
 * Invites somebody to the administrator's school: the invitation and its mail in one transaction (C23). Throws
 * 'conflict' for an address that a live user of the school has, or that has an invitation pending.
 */
export function sendInvitation(db: Db, actor: Member, input: SendInvitationInput, key?: string): Promise<Invitation> {
  const { schoolId } = actor;
  return exactlyOnce(db, { scope: `user:${actor.id}`, key, operation: 'send invitation', input }, async (trx) => {
    await assertNoUser(trx, schoolId, input.email);
    const { id } = await trx
      .insertInto('invitations')
      .values({
        school_id: schoolId,
        ...input,
        invited_by: actor.id,
        ...(await mailInvitation(trx, actor, input)),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await writeAuditEntry(trx, actor, {
      action: 'sent invitation',
      subject: 'invitation',
      subjectId: id,
      after: input,
    });
    return findWrittenInvitation(trx, schoolId, id);
  });
}

async function assertNoUser(trx: Trx, schoolId: number, email: string): Promise<void> {
  const user = await trx
    .selectFrom('users')
    .select('id')
    .where('school_id', '=', schoolId)
    .where(sql`lower(email)`, '=', sql`lower(${email})`)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (user) throw new AppError('conflict', texts.emailTaken, { email: texts.emailTaken });
}
