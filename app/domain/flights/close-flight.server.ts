import type { Db, Trx } from '#db/connect.server.ts';
import { CLOSED_FLIGHT_MAIL_LIFE_MS, INSTRUCTOR_CLOSE_HOURS, MS_PER_HOUR } from '#app/limits.ts';
import { nowButNotBefore } from '../database-clock.server.ts';
import type { Actor, Member } from '../actor.ts';
import { lockAircraft } from '../aircraft/queries.server.ts';
import { raiseStatusChange } from '../aircraft/raise-status-change.server.ts';
import { updateLastReadings } from '../aircraft/update-last-readings.server.ts';
import { writeAuditEntry } from '../audit/write-audit-entry.server.ts';
import { deleteDraft } from '../drafts.server.ts';
import { mailOverdueOf } from '../inspections/mail-overdue.server.ts';
import { can } from '../permissions.ts';
import { runOperation } from '../run-operation.server.ts';
import { closedFlightEmail } from '../mail/email-templates.server.ts';
import { queueMail } from '../mail/queries.server.ts';
import { AppError } from '../app-error.ts';
import { findSchoolName } from '../school/queries.server.ts';
import { texts } from '../texts.ts';
import { resolveTimes } from '../times/flight-times.server.ts';
import type { CloseFlightInput } from './amendment-schema.server.ts';
import { checkInDraftKey } from './complete-flight.server.ts';
import { declareFlightChanges } from '../readings/meter-changes.server.ts';
import { reviewEnd } from '../readings/review-end.server.ts';
import { valuesOf, writeRevisions } from '../readings/write-revisions.server.ts';
import { assertInProgress, findFlightRow } from './flight-row.server.ts';
import { type FlightLog, toChangeColumns } from './schema.server.ts';
import { requireFlightLog } from './start-flight.server.ts';

/** Completes a flight on behalf of its pilot, who gets a mail. Throws as `assertClosable` does, or 'invalid'. */
export function closeFlight(
  db: Db,
  member: Member,
  id: number,
  input: CloseFlightInput,
  key?: string,
  { isConfirmed } = { isConfirmed: true },
): Promise<FlightLog> {
  const operation = {
    actor: member,
    can: 'close flights on behalf',
    key,
    operation: `close flight ${id}`,
    turn: `flight ${id}`,
    input,
  } as const;
  return runOperation(db, operation, async (trx, closer) => {
    const log = await assertClosable(trx, closer, id, { lock: true });
    const { endHobbsTime, endTachTime, reason } = input;
    const times = resolveTimes(log, input, closer.timeZone);
    const { flags, startChanges } = await reviewEnd(trx, { ...log, ...times }, input, { isConfirmed });
    await lockAircraft(trx, closer.schoolId, log.aircraft_id);
    await trx
      .updateTable('flight_logs')
      .set({
        end_hobbs: endHobbsTime,
        end_tach: endTachTime,
        ...valuesOf(startChanges, 'after'),
        ...toChangeColumns(input.meterChanges),
        ...times,
        reading_flags: JSON.stringify(flags),
        completed_at: nowButNotBefore('created_at'),
        completed_by: closer.id,
        close_reason: reason,
      })
      .where('school_id', '=', closer.schoolId)
      .where('id', '=', id)
      .execute();
    await writeRevisions(trx, closer, log, startChanges, reason);
    await declareFlightChanges(trx, closer, log, input.meterChanges);
    await updateLastReadings(trx, closer, log.aircraft_id, { hobbs: endHobbsTime, tachometer: endTachTime });
    await mailOverdueOf(trx, { ...closer, id: log.aircraft_id });
    await deleteDraft(trx, log.user_id, checkInDraftKey(id));
    await writeAuditEntry(trx, closer, {
      action: 'closed flight on behalf',
      subject: 'flight log',
      subjectId: id,
      after: { endHobbsTime, endTachTime },
      reason,
    });
    const closed = await requireFlightLog(trx, closer.schoolId, id);
    const { schoolId, raisedEvents } = closer;
    raisedEvents?.push({ type: 'flight.completed', schoolId, aircraftId: log.aircraft_id, data: closed });
    await raiseStatusChange(trx, closer, log.aircraft_id);
    await queuePilotMail(trx, closer, closed, reason);
    return closed;
  });
}

/** Finds it. Throws 'notFound', or 'conflict' unless another's, in progress and, for instructors, open for long. */
export async function assertClosable(db: Db | Trx, closer: Member, id: number, { lock = false } = {}) {
  const log = await findFlightRow(db, closer, id, { lock });
  assertInProgress(log);
  if (log.user_id === closer.id) throw new AppError('conflict', texts.ownFlight);
  if (!isClosableBy(closer, log.created_at)) throw new AppError('conflict', texts.notOpenLongEnough);
  return log;
}

/** Returns true if the user may close another pilot's flight in progress. */
export function isClosableBy({ role }: Actor, checkedOut: Date): boolean {
  if (can(role, 'close any flight')) return true;
  const isOpenForLong = Date.now() - checkedOut.getTime() > INSTRUCTOR_CLOSE_HOURS * MS_PER_HOUR;
  return isOpenForLong && can(role, 'close flights on behalf');
}

async function queuePilotMail(trx: Trx, { schoolId, username, timeZone }: Member, log: FlightLog, reason: string) {
  const school = await findSchoolName(trx, schoolId);
  const email = closedFlightEmail({ log, school, closer: username, reason, timeZone });
  const pilot = { name: log.user.username, address: log.user.email };
  await queueMail(trx, schoolId, pilot, email, new Date(Date.now() + CLOSED_FLIGHT_MAIL_LIFE_MS));
}
