import type { Db } from '#db/connect.server.ts';
import type { Member } from '../actor.ts';
import { writeAuditEntry } from '../audit/write-audit-entry.server.ts';
import { runOperation } from '../run-operation.server.ts';
import { deleteMail } from '../mail/queries.server.ts';
import { findInvitationForUpdate } from './queries.server.ts';

/** Deletes the invitation's link and mail too. Throws 'notFound' unless it is pending. */
export function deleteInvitation(db: Db, member: Member, id: number, key?: string): Promise<object> {
  const request = { key, operation: `delete invitation ${id}`, input: null };
  return runOperation(db, { actor: member, can: 'manage invitations', ...request }, async (trx, actor) => {
    const { schoolId } = actor;
    const { name, email, role, mail_id: mailId } = await findInvitationForUpdate(trx, schoolId, id);
    await trx.deleteFrom('invitations').where('school_id', '=', schoolId).where('id', '=', id).execute();
    await deleteMail(trx, schoolId, mailId);
    const before = { name, email, role };
    await writeAuditEntry(trx, actor, { action: 'deleted invitation', subject: 'invitation', subjectId: id, before });
    return {};
  });
}
