import type { Trx } from '#db/connect.server.ts';
import type { Member } from '../actor.ts';
import { writeAuditEntry } from '../audit/write-audit-entry.server.ts';
import { deleteInvitationsBy } from './queries.server.ts';

/** Otherwise whoever may invite no more still lets others in, as administrators too. */
export async function withdrawInvitations(trx: Trx, actor: Member, inviterId: number): Promise<void> {
  for (const { id, name, email, role } of await deleteInvitationsBy(trx, actor.schoolId, inviterId)) {
    const before = { name, email, role };
    await writeAuditEntry(trx, actor, { action: 'deleted invitation', subject: 'invitation', subjectId: id, before });
  }
}
