import type { Trx } from '#db/connect.server.ts';
import type { CorrectableColumn, CorrectableTime, Row } from '#db/tables.ts';
import type { Member } from '../actor.ts';
import { writeAuditEntry } from '../audit/write-audit-entry.server.ts';

export interface ReadingChange {
  field: CorrectableColumn;
  /** Null if a meter change was not declared. */
  before: string | null;
  after: string | null;
}

export interface TimeChange {
  field: CorrectableTime;
  /** Null if it is the moment of the button. */
  before: Date | null;
  after: Date | null;
}

/** Records corrected readings and times for the flight's history and the activity. */
export async function writeRevisions(
  trx: Trx,
  actor: Member,
  log: Row<'flight_logs'>,
  changes: ReadingChange[],
  reason: string,
  timeChanges: TimeChange[] = [],
): Promise<void> {
  if (changes.length + timeChanges.length === 0) return;
  const revision = { school_id: log.school_id, flight_log_id: log.id, user_id: actor.id, reason };
  await trx
    .insertInto('flight_log_revisions')
    .values([
      ...changes.map(({ field, before, after }) => ({ ...revision, field, old_value: before, new_value: after })),
      ...timeChanges.map(({ field, before, after }) => ({ ...revision, field, old_time: before, new_time: after })),
    ])
    .execute();
  await writeAuditEntry(trx, actor, {
    action: 'corrected readings',
    subject: 'flight log',
    subjectId: log.id,
    before: { ...valuesOf(changes, 'before'), ...timesOf(timeChanges, 'before') },
    after: { ...valuesOf(changes, 'after'), ...timesOf(timeChanges, 'after') },
    reason,
  });
}

export function valuesOf(
  changes: ReadingChange[],
  side: 'before' | 'after',
): Partial<Record<CorrectableColumn, string>> {
  return Object.fromEntries(changes.map((change) => [change.field, change[side]]));
}

export function timesAfter(changes: TimeChange[]): Partial<Record<CorrectableTime, Date | null>> {
  return timesOf(changes, 'after');
}

function timesOf(changes: TimeChange[], side: 'before' | 'after'): Partial<Record<CorrectableTime, Date | null>> {
  return Object.fromEntries(changes.map((change) => [change.field, change[side]]));
}
