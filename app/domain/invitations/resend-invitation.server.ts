import type { Db } from '#db/connect.server.ts';
import type { Member } from '../actor.ts';
import { writeAuditEntry } from '../audit/write-audit-entry.server.ts';
import { runOperation } from '../run-operation.server.ts';
import { deleteMail } from '../mail/queries.server.ts';
import { mailInvitation } from './mail-invitation.server.ts';
import { findInvitationForUpdate, readBackInvitation } from './queries.server.ts';
import type { Invitation } from './schema.server.ts';

/** Replaces the link by a new one. Throws 'notFound' unless it is pending. */
export function resendInvitation(db: Db, member: Member, id: number, key?: string): Promise<Invitation> {
  const request = { key, operation: `resend invitation ${id}`, input: null };
  return runOperation(db, { actor: member, can: 'manage invitations', ...request }, async (trx, actor) => {
    const { schoolId } = actor;
    const former = await findInvitationForUpdate(trx, schoolId, id);
    await trx
      .updateTable('invitations')
      .set(await mailInvitation(trx, actor, former))
      .where('school_id', '=', schoolId)
      .where('id', '=', id)
      .execute();
    await deleteMail(trx, schoolId, former.mail_id);
    await writeAuditEntry(trx, actor, { action: 'sent invitation again', subject: 'invitation', subjectId: id });
    return readBackInvitation(trx, schoolId, id);
  });
}
