import type { Db, Trx } from '#db/connect.server.ts';
import type { Member } from '../actor.ts';
import { assertWithinBudget, MAIL_BUDGET } from '../audit/hourly-budget.server.ts';
import { writeAuditEntry } from '../audit/write-audit-entry.server.ts';
import { isPowerful } from '../power.ts';
import { runOperation } from '../run-operation.server.ts';
import { deleteMail, type OnLink } from '../mail/queries.server.ts';
import { mailInvitation } from './mail-invitation.server.ts';
import { findInvitationForUpdate, requirePendingInvitation } from './queries.server.ts';
import { lockSchool } from '../school/queries.server.ts';
import type { Invitation } from './schema.server.ts';

/** Replaces the link by a new one. Throws 'notFound' unless it is pending, and as `assertWithinBudget` does. */
export function resendInvitation(
  db: Db,
  member: Member,
  id: number,
  key?: string,
  onLink?: OnLink,
): Promise<Invitation> {
  const givesPower = async (trx: Trx) => isPowerful((await findInvitationForUpdate(trx, member.schoolId, id)).role);
  const request = { key, operation: `resend invitation ${id}`, input: null, givesPower };
  const lockFirst = (trx: Trx) => lockSchool(trx, member.schoolId);
  return runOperation(db, { actor: member, can: 'manage invitations', lockFirst, ...request }, async (trx, actor) => {
    const { schoolId } = actor;
    const former = await findInvitationForUpdate(trx, schoolId, id);
    await assertWithinBudget(trx, actor, MAIL_BUDGET, { subject: 'invitation', subjectId: id });
    await trx
      .updateTable('invitations')
      .set(await mailInvitation(trx, actor, former, onLink))
      .where('school_id', '=', schoolId)
      .where('id', '=', id)
      .execute();
    await deleteMail(trx, schoolId, former.mail_id);
    await writeAuditEntry(trx, actor, { action: 'sent invitation again', subject: 'invitation', subjectId: id });
    return requirePendingInvitation(trx, schoolId, id);
  });
}
