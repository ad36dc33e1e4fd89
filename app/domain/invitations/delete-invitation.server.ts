import type { Db } from '#db/connect.server.ts';
import type { Member } from '../actor.ts';
import { record } from '../audit/write-audit-entry.server.ts';
import { exactlyOnce } from '../idempotency.server.ts';
import { dropMail } from '../mail/queries.server.ts';
import { holdInvitation } from './queries.server.ts';

/** Withdraws a pending invitation: its link stops working, and a mail still waiting stays. Throws 'notFound' for any other id. */
export function deleteInvitation(db: Db, actor: Member, id: number, key?: string): Promise<object> {
  const { schoolId } = actor;
  const once = { scope: `user:${actor.id}`, key, operation: `delete invitation ${id}`, input: null };
  return exactlyOnce(db, once, async (trx) => {
    const { name, email, role, mail_id: mailId } = await holdInvitation(trx, schoolId, id);
    await trx.deleteFrom('invitations').where('school_id', '=', schoolId).where('id', '=', id).execute();
    await dropMail(trx, schoolId, mailId);
    const before = { name, email, role };
    await record(trx, actor, { action: 'deleted invitation', subject: 'invitation', subjectId: id, before });
    return {};
  });
}
