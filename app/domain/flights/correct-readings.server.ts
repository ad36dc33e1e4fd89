import type { Db, Trx } from '#db/connect.server.ts';
import type { Actor, Member } from '../actor.ts';
import { lockAircraft } from '../aircraft/queries.server.ts';
import { updateLastReadings } from '../aircraft/update-last-readings.server.ts';
import { writeAuditEntry } from '../audit/write-audit-entry.server.ts';
import { runOperation } from '../run-operation.server.ts';
import { can } from '../permissions.ts';
import { AppError } from '../app-error.ts';
import { texts } from '../texts.ts';
import type { CorrectionInput } from './amendment-schema.server.ts';
import { type ReadingChange, type Correction, findCorrection } from './correction.server.ts';
import { isRecentLastFlight } from './correction-queries.server.ts';
import { assertEndAboveStart } from './flight-readings.ts';
import { type FlightRow, findFlightRow } from './flight-row.server.ts';
import type { FlightLog } from './schema.server.ts';
import { readBackFlightLog } from './start-flight.server.ts';

/** Throws as `previewCorrection` does, or 'conflict' if the effects have changed since the preview. */
export function correctReadings(
  db: Db,
  member: Member,
  id: number,
  input: CorrectionInput,
  previewDigest: string,
  key?: string,
): Promise<FlightLog> {
  const operation = {
    actor: member,
    can: 'anyRole',
    key,
    operation: `correct readings of flight ${id}`,
    turn: `flight ${id}`,
    input,
  } as const;
  return runOperation(db, operation, async (trx, actor) => {
    const log = await assertCorrectable(trx, actor, id, { lock: true });
    await lockAircraft(trx, actor.schoolId, log.aircraft_id);
    const correction = await findCorrectionOrThrow(trx, log, input);
    if (correction.digest !== previewDigest) throw new AppError('conflict', texts.previewOutdated);
    await writeCorrection(trx, actor, log, correction, input.reason);
    await updateLastReadings(trx, actor, log.aircraft_id, correction.newLastReadings);
    await writeAuditEntry(trx, actor, {
      action: 'corrected readings',
      subject: 'flight log',
      subjectId: id,
      before: valuesOf(correction.changes, 'before'),
      after: valuesOf(correction.changes, 'after'),
      reason: input.reason,
    });
    return readBackFlightLog(trx, actor.schoolId, id);
  });
}

/** Throws as `assertCorrectable` does, or 'invalid' for unchanged readings and an end not above its start. */
export async function previewCorrection(
  db: Db,
  actor: Member,
  id: number,
  input: CorrectionInput,
): Promise<Correction> {
  return findCorrectionOrThrow(db, await assertCorrectable(db, actor, id), input);
}

/** Throws 'notFound', 'forbidden' for others than pilot and administrators, 'conflict' if not correctable now. */
export async function assertCorrectable(db: Db | Trx, actor: Actor, id: number, { lock = false } = {}) {
  const log = await findFlightRow(db, actor, id, { lock });
  const anyFlight = can(actor.role, 'correct any flight');
  if (!anyFlight && log.user_id !== actor.id) throw new AppError('forbidden', texts.notYoursToCorrect);
  if (log.voided_at) throw new AppError('conflict', texts.flightCancelled);
  if (!log.completed_at) throw new AppError('conflict', texts.flightInProgress);
  if (!anyFlight && !(await isRecentLastFlight(db, log))) throw new AppError('conflict', texts.tooLateToCorrect);
  return log;
}

async function findCorrectionOrThrow(db: Db | Trx, log: FlightRow, input: CorrectionInput): Promise<Correction> {
  assertEndAboveStart(input);
  const correction = await findCorrection(db, log, input);
  if (correction.changes.length === 0) throw new AppError('invalid', texts.readingsUnchanged);
  return correction;
}

async function writeCorrection(
  trx: Trx,
  actor: Member,
  log: FlightRow,
  { changes, flags }: Correction,
  reason: string,
) {
  await trx
    .updateTable('flight_logs')
    .set({ ...valuesOf(changes, 'after'), reading_flags: JSON.stringify(flags) })
    .where('school_id', '=', log.school_id)
    .where('id', '=', log.id)
    .execute();
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
}

function valuesOf(changes: ReadingChange[], side: 'before' | 'after'): Partial<Record<ReadingChange['field'], string>> {
  return Object.fromEntries(changes.map((change) => [change.field, change[side]]));
}
