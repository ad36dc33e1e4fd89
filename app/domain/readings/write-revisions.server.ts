import type { Trx } from '#db/connect.server.ts';
import type { CorrectableColumn, CorrectableText, CorrectableTime, Row } from '#db/tables.ts';
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

export interface TextChange {
  field: CorrectableText;
  /** Null: there is none. */
  before: string | null;
  after: string | null;
}

export interface FlightChanges {
  readings: ReadingChange[];
  times?: TimeChange[];
  texts?: TextChange[];
}

/** Records corrected values for the flight's history and the activity. */
export async function writeRevisions(
  trx: Trx,
  actor: Member,
  log: Row<'flight_logs'>,
  { readings, times = [], texts = [] }: FlightChanges,
  reason: string,
): Promise<void> {
  if (readings.length + times.length + texts.length === 0) return;
  const revision = { school_id: log.school_id, flight_log_id: log.id, user_id: actor.id, reason };
  await trx
    .insertInto('flight_log_revisions')
    .values([
      ...readings.map(({ field, before, after }) => ({ ...revision, field, old_value: before, new_value: after })),
      ...times.map(({ field, before, after }) => ({ ...revision, field, old_time: before, new_time: after })),
      ...texts.map(({ field, before, after }) => ({ ...revision, field, old_text: before, new_text: after })),
    ])
    .execute();
  const changes = [...readings, ...times, ...texts];
  await writeAuditEntry(trx, actor, {
    action: 'corrected readings',
    subject: 'flight log',
    subjectId: log.id,
    before: Object.fromEntries(changes.map(({ field, before }) => [field, before])),
    after: Object.fromEntries(changes.map(({ field, after }) => [field, after])),
    reason,
  });
}

/** Those of a start or an end are never null. */
export function valuesAfter(changes: ReadingChange[]): Partial<Record<CorrectableColumn, string>> {
  return Object.fromEntries(changes.map((change) => [change.field, change.after]));
}

export function timesAfter(changes: TimeChange[]): Partial<Record<CorrectableTime, Date | null>> {
  return Object.fromEntries(changes.map(({ field, after }) => [field, after]));
}
