import type { Trx } from '#db/connect.server.ts';
import { findAccount } from '../people/queries.server.ts';
import { wasRecordedWithinHour } from './alerts.server.ts';
import type { AuditEntry } from './insert-entry.server.ts';
import { writeAuditEntry } from './write-audit-entry.server.ts';

interface AccountEvent extends Pick<AuditEntry, 'action' | 'after' | 'outcome'> {
  /** The user themselves; somebody unknown without it. */
  byOwner?: boolean;
  /** Only if it was not recorded within the hour. */
  isOncePerHour?: boolean;
}

/** Appends what happened to a user's account to the activity of their school. */
export async function recordAccountEvent(
  trx: Trx,
  userId: number,
  { byOwner = false, isOncePerHour = false, ...entry }: AccountEvent,
): Promise<void> {
  const schoolId = (await findAccount(trx, userId))?.flightSchoolId ?? null;
  if (isOncePerHour && (await wasRecordedWithinHour(trx, { schoolId, action: entry.action, userId }))) return;
  const by = { id: byOwner ? userId : null, schoolId };
  await writeAuditEntry(trx, by, { ...entry, subject: 'user', subjectId: userId });
}
