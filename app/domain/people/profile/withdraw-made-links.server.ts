import type { Trx } from '#db/connect.server.ts';
import type { Member } from '../../actor.ts';
import { writeAuditEntry } from '../../audit/write-audit-entry.server.ts';
import { deleteInvitationsBy } from '../../invitations/queries.server.ts';
import { deletePasswordLinksBy } from '../password-links.server.ts';

/** Withdraws links by which a user who lost the role could still let others in, or set their passwords. */
export async function withdrawMadeLinks(trx: Trx, actor: Member, makerId: number): Promise<void> {
  for (const { id, name, email, role } of await deleteInvitationsBy(trx, actor.schoolId, makerId)) {
    const before = { name, email, role };
    await writeAuditEntry(trx, actor, { action: 'deleted invitation', subject: 'invitation', subjectId: id, before });
  }
  for (const userId of await deletePasswordLinksBy(trx, actor.schoolId, makerId))
    await writeAuditEntry(trx, actor, { action: 'deleted password link', subject: 'user', subjectId: userId });
}
