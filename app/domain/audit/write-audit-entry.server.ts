import type { Trx } from '#db/connect.server.ts';
import { alertToUseOfPower } from './alerts.server.ts';
import { type AuditEntry, type Doer, insertEntry } from './insert-entry.server.ts';
import { tellOwner } from './owner-notices.server.ts';

/**
 * Appends to the activity, in the transaction of what it records. A user whose sign-in it changes is told by mail, and so
 * are the administrators of what was done by power.
 */
export async function writeAuditEntry(trx: Trx, actor: Doer, entry: AuditEntry): Promise<void> {
  await insertEntry(trx, actor, entry);
  const { action, subject, subjectId, formerEmail } = entry;
  const userId = subject === 'user' ? subjectId : actor.id;
  if (userId) await tellOwner(trx, { action, userId, schoolId: actor.schoolId, formerEmail });
  await alertToUseOfPower(trx, actor, subject === 'user' ? (subjectId ?? undefined) : undefined);
}
