import type { Db } from '#db/connect.server.ts';
import type { Member } from '../actor.ts';
import { writeAuditEntry } from '../audit/write-audit-entry.server.ts';
import { exactlyOnce } from '../idempotency.server.ts';
import { deleteMail } from '../mail/queries.server.ts';
import { mailInvitation } from './mail-invitation.server.ts';
import { findInvitationForUpdate, findWrittenInvitation } from './queries.server.ts';
import type { Invitation } from './schema.server.ts';

/**
 * Sends a pending invitation again with a new link and seven more days; the former link stops working (C22). Throws
 * 'notFound' for any other id.
 */
export function resendInvitation(db: Db, actor: Member, id: number, key?: string): Promise<Invitation> {
  const { schoolId } = actor;
  const once = { scope: `user:${actor.id}`, key, operation: `resend invitation ${id}`, input: null };
  return exactlyOnce(db, once, async (trx) => {
    const former = await findInvitationForUpdate(trx, schoolId, id);
    await trx
      .updateTable('invitations')
      .set(await mailInvitation(trx, actor, former))
      .where('school_id', '=', schoolId)
      .where('id', '=', id)
      .execute();
    await deleteMail(trx, schoolId, former.mail_id);
    await writeAuditEntry(trx, actor, { action: 'sent invitation again', subject: 'invitation', subjectId: id });
    return findWrittenInvitation(trx, schoolId, id);
  });
}
