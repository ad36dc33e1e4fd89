import type { Db, Trx } from '#db/connect.server.ts';
import { CLOSED_FLIGHT_MAIL_LIFE_MS, INSTRUCTOR_CLOSE_AFTER_HOURS, MS_PER_HOUR } from '#app/limits.ts';
import type { Actor, Member } from '../actor.ts';
import { writeAuditEntry } from '../audit/write-audit-entry.server.ts';
import { can } from '../permissions.ts';
import { findAndRunOperation } from '../run-operation.server.ts';
import { closedFlightEmail } from '../mail/email-templates.server.ts';
import { queueMail } from '../mail/queries.server.ts';
import { AppError } from '../app-error.ts';
import { requireSchoolName } from '../school/queries.server.ts';
import { texts } from '../texts.ts';
import {
  type CloseFlightInput,
  type CompleteFlightInput,
  type FlightLog,
  toCompletionColumns,
} from './schema.server.ts';
import { assertInProgress, type FlightRow, selectFlightRow } from './queries.server.ts';
import {
  lockAndFindEndContext,
  CONFIRMED_WITHOUT_ASKING,
  prepareEndPhotos,
  recordEnd,
  withPhotoHashes,
} from './record-end.server.ts';
import { toHundredths } from '../reading.ts';
import { requireFlightLog } from './start-flight.server.ts';

/** Completes a flight on behalf of its pilot, who gets a mail. Throws as `assertClosable` and `preparePhoto` do, or 'invalid'. */
export async function closeFlight(
  db: Db,
  member: Member,
  id: number,
  { reason, ...input }: CloseFlightInput,
  key?: string,
  confirmations = CONFIRMED_WITHOUT_ASKING,
): Promise<FlightLog> {
  const isOpen = async () => (await selectFlightRow(db, member.schoolId, id))?.completed_at === null;
  const photos = await prepareEndPhotos(member, input, isOpen);
  const operation = {
    actor: member,
    can: 'close flights on behalf',
    key,
    operation: `close flight ${id}`,
    turn: `flight ${id}`,
    input: { ...withPhotoHashes(input), reason },
    find: (trx: Trx) => lockAndFindEndContext(trx, member, id, input),
  } as const;
  return findAndRunOperation(db, operation, async (trx, closer, { flight, ...found }) => {
    const log = checkClosable(flight, closer);
    const closed = await recordEnd(trx, closer, log, input, {
      ...confirmations,
      ...photos,
      ...found,
      closeReason: reason,
    });
    const { endHobbsTime, endTachTime } = input;
    await writeAuditEntry(trx, closer, {
      action: 'closed flight on behalf',
      subject: 'flight log',
      subjectId: id,
      after: { endHobbsTime, endTachTime },
      reason,
    });
    await queuePilotMail(trx, closer, closed, reason);
    return closed;
  });
}

/** Throws 'notFound', or 'conflict' unless in progress, another pilot's, and for instructors open for long. */
export async function assertClosable(db: Db | Trx, closer: Member, id: number): Promise<FlightRow> {
  return checkClosable(await selectFlightRow(db, closer.schoolId, id), closer);
}

function checkClosable(log: FlightRow | undefined, closer: Member): FlightRow {
  if (!log) throw new AppError('notFound', texts.flightLogNotFound);
  assertInProgress(log);
  if (log.user_id === closer.id) throw new AppError('conflict', texts.ownFlight);
  if (!isClosableBy(closer, log.created_at)) throw new AppError('conflict', texts.notOpenLongEnough);
  return log;
}

/** Returns true if the user may close another pilot's flight in progress. */
export function isClosableBy(closer: Actor, checkedOut: Date): boolean {
  const from = closableFrom(closer, checkedOut);
  return can(closer.role, 'close any flight') || (from !== null && from.getTime() < Date.now());
}

/** Returns the time from which the user may close another pilot's flight for its long duration; null if never. */
export function closableFrom({ role }: Actor, checkedOut: Date): Date | null {
  if (!can(role, 'close flights on behalf')) return null;
  return new Date(checkedOut.getTime() + INSTRUCTOR_CLOSE_AFTER_HOURS * MS_PER_HOUR);
}

async function queuePilotMail(trx: Trx, { schoolId, username, timeZone }: Member, log: FlightLog, reason: string) {
  const school = await requireSchoolName(trx, schoolId);
  const email = closedFlightEmail({ log, school, closer: username, reason, timeZone });
  const pilot = { name: log.user.username, address: log.user.email };
  await queueMail(trx, schoolId, pilot, email, new Date(Date.now() + CLOSED_FLIGHT_MAIL_LIFE_MS));
}

/** Completes the pilot's flight and frees its aircraft. Throws as `assertCompletable` and `preparePhoto` do. */
export async function completeFlight(
  db: Db,
  member: Member,
  id: number,
  input: CompleteFlightInput,
  key?: string,
  confirmations = CONFIRMED_WITHOUT_ASKING,
): Promise<FlightLog> {
  const isOpen = async () => (await assertCompletable(db, member, id)).completed_at === null;
  const photos = await prepareEndPhotos(member, input, isOpen);
  const operation = {
    actor: member,
    can: 'anyRole',
    key,
    operation: `complete flight ${id}`,
    turn: `flight ${id}`,
    input: withPhotoHashes(input),
    find: (trx: Trx) => lockAndFindEndContext(trx, member, id, input),
  } as const;
  return findAndRunOperation(db, operation, async (trx, pilot, { flight, ...found }) => {
    const log = checkCompletable(flight, pilot);
    if (!log.completed_at) return recordEnd(trx, pilot, log, input, { ...confirmations, ...photos, ...found });
    const recorded = await requireFlightLog(trx, pilot.schoolId, id);
    if (isRecorded(log, recorded, input) && (await isUnsafeRecorded(trx, log, input))) return recorded;
    throw new AppError('conflict', texts.alreadyCompleted);
  });
}

/** Throws 'notFound', 'forbidden' for all but its pilot, 'conflict' for a cancelled check-out. */
export async function assertCompletable(db: Db | Trx, pilot: Actor, id: number) {
  return checkCompletable(await selectFlightRow(db, pilot.schoolId, id), pilot);
}

function checkCompletable(log: FlightRow | undefined, pilot: Actor): FlightRow {
  if (!log) throw new AppError('notFound', texts.flightLogNotFound);
  if (log.user_id !== pilot.id) throw new AppError('forbidden', texts.notThePilot);
  if (log.voided_at) throw new AppError('conflict', texts.flightCancelled);
  return log;
}

const READINGS = [
  ...(['start_hobbs', 'start_tach', 'end_hobbs', 'end_tach'] as const),
  ...(['hobbs_old_last', 'hobbs_new_first', 'tach_old_last', 'tach_new_first'] as const),
];
const OTHERS = ['notes', 'instructor_id', 'instructor_time_in', 'instructor_time_out'] as const;

/** Returns true if the pilot has recorded all that the check-in says: the answer to it was lost. */
function isRecorded(log: FlightRow, { fuelRecords }: FlightLog, input: CompleteFlightInput): boolean {
  const said = toCompletionColumns(input);
  return (
    log.close_reason === null &&
    READINGS.every((column) => !said[column] || toHundredths(said[column]) === toHundredths(log[column] ?? '')) &&
    OTHERS.every((column) => !said[column] || said[column] === log[column]) &&
    ['0', log.ground_school_time].includes(said.ground_school_time) &&
    (input.fuelRecords?.length ?? 0) <= fuelRecords.length
  );
}

async function isUnsafeRecorded(trx: Trx, { id, school_id }: FlightRow, { unsafe }: CompleteFlightInput) {
  if (!unsafe) return true;
  const squawk = trx.selectFrom('squawks').select('unsafe').where('school_id', '=', school_id);
  return (await squawk.where('flight_log_id', '=', id).executeTakeFirst())?.unsafe === true;
}
