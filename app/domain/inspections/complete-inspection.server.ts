import type { Db } from '#db/connect.server.ts';
import type { Member } from '../actor.ts';
import { AppError } from '../app-error.ts';
import { writeAuditEntry } from '../audit/write-audit-entry.server.ts';
import { formatIsoDate } from '../format.server.ts';
import { runOperation } from '../run-operation.server.ts';
import { nextDue } from './interval.ts';
import { pointText } from './due-point.ts';
import { requireInspection, tailNumberOf, toDueColumns, updateInspection } from './save-inspection.server.ts';
import type { CompletionInput } from './schema.server.ts';

const READING_REQUIRED = 'Please enter the reading at which it was done';
const DONE_IN_FUTURE = 'An inspection cannot have been done in the future';

/** Records it as done and starts the next interval; without one it is removed. Throws 'notFound', 'invalid'. */
export function completeInspection(
  db: Db,
  member: Member,
  id: number,
  input: CompletionInput,
  key?: string,
): Promise<{ aircraftId: number }> {
  const request = { key, operation: `complete inspection ${id}`, input };
  return runOperation(db, { actor: member, can: 'manage inspections', ...request }, async (trx, actor) => {
    const { aircraftId, name, due, interval } = await requireInspection(trx, actor, id, { lock: true });
    const isAtMeter = due.at !== 'date';
    if (isAtMeter && input.reading === undefined) throw new AppError('invalid', READING_REQUIRED).onField('reading');
    if (input.doneOn > formatIsoDate(new Date(), actor.timeZone)) {
      throw new AppError('invalid', DONE_IN_FUTURE).onField('doneOn');
    }
    await trx
      .insertInto('inspection_completions')
      .values({
        school_id: actor.schoolId,
        inspection_id: id,
        user_id: actor.id,
        done_at: isAtMeter ? (input.reading ?? null) : null,
        done_on: input.doneOn,
        remark: input.remark ?? '',
      })
      .execute();
    const next = interval && nextDue(due.at, interval, input);
    await updateInspection(
      trx,
      actor.schoolId,
      id,
      next ? { ...toDueColumns(next), overdue_mailed_at: null } : { removed_at: new Date() },
    );
    await writeAuditEntry(trx, actor, {
      action: 'completed inspection',
      subject: 'inspection',
      subjectId: id,
      before: { due: pointText(due, '') },
      after: {
        aircraft: await tailNumberOf(trx, aircraftId),
        inspection: name,
        ...(next && { due: pointText(next, '') }),
        ...(isAtMeter && { doneAt: input.reading }),
        doneOn: input.doneOn,
      },
      reason: input.remark ?? undefined,
    });
    return { aircraftId };
  });
}
