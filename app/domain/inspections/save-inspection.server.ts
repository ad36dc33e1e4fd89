import { createHash } from 'node:crypto';
import type { Db, Trx } from '#db/connect.server.ts';
import { MAX_INSPECTIONS_OF_AIRCRAFT } from '#app/limits.ts';
import type { Member } from '../actor.ts';
import { requireAircraftRowForUpdate } from '../aircraft/queries.server.ts';
import { AppError } from '../app-error.ts';
import { writeAuditEntry } from '../audit/write-audit-entry.server.ts';
import { now } from '../database-clock.server.ts';
import { runOperation } from '../run-operation.server.ts';
import { isStorable, pointText, toPointColumns } from './due-point.ts';
import { intervalText, nextDue } from './interval.ts';
import { findInspection, type Inspection } from './queries.server.ts';
import type { CompletionInput, InspectionInput, Interval } from './schema.server.ts';
import { inspectionChangedText, squawkTexts } from '../squawks/squawk-texts.server.ts';
import { formatIsoDate } from '../format.server.ts';

/** Adds an inspection. Throws 'notFound' outside the fleet, 'conflict' past the most inspections of an aircraft. */
export function addInspection(
  db: Db,
  member: Member,
  aircraftId: number,
  input: InspectionInput,
  key?: string,
): Promise<{ id: number }> {
  const request = { key, operation: `add inspection to aircraft ${aircraftId}`, input };
  return runOperation(db, { actor: member, can: 'manage inspections', ...request }, async (trx, actor) => {
    const aircraft = await requireAircraftRowForUpdate(trx, actor, aircraftId);
    await assertRoom(trx, actor.schoolId, aircraftId);
    const inserted = await trx
      .insertInto('inspections')
      .values({ school_id: actor.schoolId, aircraft_id: aircraftId, ...toColumns(input) })
      .returning('id')
      .executeTakeFirstOrThrow();
    await writeAuditEntry(trx, actor, {
      action: 'added inspection',
      subject: 'inspection',
      subjectId: inserted.id,
      after: { aircraft: aircraft.tail_number, ...auditValues(input) },
    });
    return inserted;
  });
}

/** Changes an inspection. Throws 'notFound' outside the school, 'conflict' for one that is not as `seen`. */
export function changeInspection(
  db: Db,
  member: Member,
  id: number,
  input: InspectionInput,
  key?: string,
  seen?: string,
): Promise<{ aircraftId: number }> {
  const request = { key, operation: `change inspection ${id}`, input };
  return runOperation(db, { actor: member, can: 'manage inspections', ...request }, async (trx, actor) => {
    const before = await requireInspection(trx, actor, id, { lock: true });
    assertSeen(before, seen);
    await updateInspection(trx, actor.schoolId, id, { ...toColumns(input), overdue_mailed_at: null });
    await writeAuditEntry(trx, actor, {
      action: 'changed inspection',
      subject: 'inspection',
      subjectId: id,
      before: { aircraft: await requireTailNumber(trx, before.aircraftId), ...auditValues(before) },
      after: auditValues(input),
    });
    return { aircraftId: before.aircraftId };
  });
}

/** Removes an inspection; its completions stay. Throws 'notFound' outside the school. */
export function removeInspection(db: Db, member: Member, id: number, key?: string): Promise<{ aircraftId: number }> {
  const request = { key, operation: `remove inspection ${id}`, input: null };
  return runOperation(db, { actor: member, can: 'manage inspections', ...request }, async (trx, actor) => {
    const before = await requireInspection(trx, actor, id, { lock: true });
    await updateInspection(trx, actor.schoolId, id, { removed_at: new Date() });
    await writeAuditEntry(trx, actor, {
      action: 'removed inspection',
      subject: 'inspection',
      subjectId: id,
      before: { aircraft: await requireTailNumber(trx, before.aircraftId), ...auditValues(before) },
    });
    return { aircraftId: before.aircraftId };
  });
}

/** Finds an inspection. Throws 'notFound' outside the school, and once it is removed. */
export async function requireInspection(
  db: Db | Trx,
  { schoolId }: Pick<Member, 'schoolId'>,
  id: number,
  options?: { lock: boolean },
): Promise<Inspection> {
  const inspection = await findInspection(db, schoolId, id, options);
  if (!inspection) throw new AppError('notFound', squawkTexts.inspectionNotFound);
  return inspection;
}

/** Hashes what a form was filled with, so that nobody sets back what was done, changed or moved with its meter since. */
export function fingerprintInspection({ name, due, interval }: InspectionInput): string {
  return createHash('sha256')
    .update(JSON.stringify([name, due, interval]))
    .digest('hex');
}

function assertSeen(inspection: Inspection, seen: string | undefined): void {
  if (seen === undefined || seen === fingerprintInspection(inspection)) return;
  throw new AppError('conflict', inspectionChangedText(pointText(inspection.due, '')));
}

async function updateInspection(
  trx: Trx,
  schoolId: number,
  id: number,
  columns: Partial<ReturnType<typeof toColumns>> & { overdue_mailed_at?: null; removed_at?: Date },
): Promise<void> {
  await trx
    .updateTable('inspections')
    .set({ ...columns, changed_at: now })
    .where('school_id', '=', schoolId)
    .where('id', '=', id)
    .execute();
}

export async function requireTailNumber(trx: Trx, aircraftId: number): Promise<string> {
  const aircraft = trx.selectFrom('aircraft').select('tail_number').where('id', '=', aircraftId);
  return (await aircraft.executeTakeFirstOrThrow()).tail_number;
}

function toDueColumns(due: InspectionInput['due']) {
  const { hobbs, tach, date } = toPointColumns(due);
  return { due_hobbs: hobbs, due_tach: tach, due_on: date };
}

function toColumns({ name, due, interval }: InspectionInput) {
  const countOf = (unit: Interval['unit']) => (interval?.unit === unit ? interval.count : null);
  return {
    name,
    ...toDueColumns(due),
    interval_hours: countOf('hours')?.toFixed(2) ?? null,
    interval_days: countOf('days'),
    interval_months: countOf('months'),
  };
}

function auditValues({ name, due, interval }: InspectionInput) {
  return { inspection: name, due: pointText(due, ''), interval: interval && intervalText(interval) };
}

async function assertRoom(trx: Trx, schoolId: number, aircraftId: number): Promise<void> {
  const rows = await trx
    .selectFrom('inspections')
    .select('id')
    .where('school_id', '=', schoolId)
    .where('aircraft_id', '=', aircraftId)
    .where('removed_at', 'is', null)
    .limit(MAX_INSPECTIONS_OF_AIRCRAFT)
    .execute();
  if (rows.length === MAX_INSPECTIONS_OF_AIRCRAFT) throw new AppError('conflict', squawkTexts.tooManyInspections);
}

const READING_REQUIRED = 'Please enter the reading at which it was done';
const DONE_IN_FUTURE = 'An inspection cannot have been done in the future';

/** Records it as done and starts the next interval; without one it is removed. Throws as `changeInspection`, or 'invalid'. */
export function completeInspection(
  db: Db,
  member: Member,
  id: number,
  input: CompletionInput,
  key?: string,
  seen?: string,
): Promise<{ aircraftId: number }> {
  const request = { key, operation: `complete inspection ${id}`, input };
  return runOperation(db, { actor: member, can: 'manage inspections', ...request }, async (trx, actor) => {
    const inspection = await requireInspection(trx, actor, id, { lock: true });
    assertSeen(inspection, seen);
    const { aircraftId, name, due, interval } = inspection;
    const isAtMeter = due.at !== 'date';
    const next = interval && nextDue(due.at, interval, input);
    const wrong = {
      ...(isAtMeter && input.reading === undefined && { reading: READING_REQUIRED }),
      ...(input.doneOn > formatIsoDate(new Date(), actor.timeZone) && { doneOn: DONE_IN_FUTURE }),
      ...(next && !isStorable(next) && { [isAtMeter ? 'reading' : 'doneOn']: squawkTexts.dueTooFar }),
    };
    const [text] = Object.values(wrong);
    if (text !== undefined) throw new AppError('invalid', text, wrong);
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
        aircraft: await requireTailNumber(trx, aircraftId),
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
