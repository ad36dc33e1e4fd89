import type { Db } from '#db/connect.server.ts';
import type { Member } from '../actor.ts';
import { writeAuditEntry } from '../audit/write-audit-entry.server.ts';
import { exactlyOnce } from '../idempotency.server.ts';
import { deleteMail } from '../mail/queries.server.ts';
import { findInvitationForUpdate } from './queries.server.ts';

/** Withdraws a pending invitation: its link stops working, and a mail still waiting stays. Throws 'notFound' for any other id. */
export function deleteInvitation(db: Db, actor: Member, id: number, key?: string): Promise<object> {
  const { schoolId } = actor;
  const once = { scope: `user:${actor.id}`, key, operation: `delete invitation ${id}`, input: null };
  return exactlyOnce(db, once, async (trx) => {
    const { name, email, role, mail_id: mailId } = await findInvitationForUpdate(trx, schoolId, id);
    await trx.deleteFrom('invitations').where('school_id', '=', schoolId).where('id', '=', id).execute();
    await deleteMail(trx, schoolId, mailId);
    const before = { name, email, role };
    await writeAuditEntry(trx, actor, { action: 'deleted invitation', subject: 'invitation', subjectId: id, before });
    return {};
  });
}
