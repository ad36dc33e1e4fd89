import type { Trx } from '#db/connect.server.ts';
import type { CorrectableColumn, Row } from '#db/tables.ts';
import type { Member } from '../actor.ts';
import { writeAuditEntry } from '../audit/write-audit-entry.server.ts';

export interface ReadingChange {
  field: CorrectableColumn;
  /** Null for a meter change that was not declared. */
  before: string | null;
  after: string | null;
}

/** Records corrected readings for the flight's history and the activity. */
export async function writeRevisions(
  trx: Trx,
  actor: Member,
  log: Row<'flight_logs'>,
  changes: ReadingChange[],
  reason: string,
): Promise<void> {
  if (changes.length === 0) return;
  await trx
    .insertInto('flight_log_revisions')
    .values(
      changes.map(({ field, before, after }) => ({
        school_id: log.school_id,
        flight_log_id: log.id,
        user_id: actor.id,
        field,
        old_value: before,
        new_value: after,
        reason,
      })),
    )
    .execute();
  await writeAuditEntry(trx, actor, {
    action: 'corrected readings',
    subject: 'flight log',
    subjectId: log.id,
    before: valuesOf(changes, 'before'),
    after: valuesOf(changes, 'after'),
    reason,
  });
}

export function valuesOf(
  changes: ReadingChange[],
  side: 'before' | 'after',
): Partial<Record<CorrectableColumn, string>> {
  return Object.fromEntries(changes.map((change) => [change.field, change[side]]));
}
