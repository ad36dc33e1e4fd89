import type { Trx } from '#db/connect.server.ts';
import type { Actor } from '../actor.ts';

export interface AuditEntry {
  action: string;
  subject: 'aircraft' | 'flight log' | 'user' | 'invitation' | 'school' | 'export';
  subjectId?: number;
  before?: object;
  after?: object;
  reason?: string;
}

/** Appends to the audit log, in the transaction of what it records. */
export async function writeAuditEntry(
  trx: Trx,
  actor: Pick<Actor, 'id' | 'schoolId'>,
  entry: AuditEntry,
): Promise<void> {
  await trx
    .insertInto('audit_entries')
    .values({
      school_id: actor.schoolId,
      user_id: actor.id,
      action: entry.action,
      subject: entry.subject,
      subject_id: entry.subjectId ?? null,
      before: entry.before && JSON.stringify(entry.before),
      after: entry.after && JSON.stringify(entry.after),
      reason: entry.reason ?? null,
    })
    .execute();
}
