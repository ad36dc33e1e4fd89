import type { Db, Trx } from '#db/connect.server.ts';
import type { Row } from '#db/tables.ts';
import { nowButNotBefore } from '../database-clock.server.ts';
import type { Actor, Member } from '../actor.ts';
import { findAircraft, lockAircraftOfFlight } from '../aircraft/queries.server.ts';
import type { Aircraft } from '../aircraft/schema.server.ts';
import { updateLastReadings } from '../aircraft/update-last-readings.server.ts';
import { deleteDraft } from '../drafts.server.ts';
import { mailOverdueOf } from '../inspections/mail-overdue.server.ts';
import { findFlightPhotoIds } from '../meters/flight-scans.server.ts';
import type { NormalizedPhoto } from '../meters/normalize-photo.server.ts';
import { isInstructor } from '../people/queries.server.ts';
import { openSquawk } from '../squawks/open-squawk.server.ts';
import { assertSquawkDescribed, photoHashes, prepareSquawkPhotos } from '../squawks/squawk-photos.server.ts';
import { toHundredths } from '../reading.ts';
import { AppError } from '../app-error.ts';
import { texts } from '../texts.ts';
import { runPreparedOperation } from '../run-operation.server.ts';
import { instructionErrors } from '../times/check-instruction.server.ts';
import { type FlightTimes, resolveTimes } from '../times/flight-times.server.ts';
import { declareFlightChanges } from '../readings/meter-changes.server.ts';
import { findNowAndRatio } from '../readings/end-context.server.ts';
import { type EndReview, reviewEnd } from '../readings/review-end.server.ts';
import { writeRevisions } from '../readings/write-revisions.server.ts';
import { prepareReceipts, storeReceipts, withReceiptHashes, writeFuelRecords } from './fuel-records.server.ts';
import { type FlightRow, selectFlightRow } from './flight-row.server.ts';
import { type CompleteFlightInput, type FlightLog, toCompletionColumns } from './schema.server.ts';
import { requireFlightLog } from './start-flight.server.ts';

export const checkInDraftKey = (flightLogId: number) => `check-in:${flightLogId}`;

interface CompletionOptions {
  /** True if odd readings are stored without asking. */
  isConfirmed: boolean;
  /** True if an instructor's hours beyond flight and ground school are stored without asking. */
  isInstructionConfirmed?: boolean;
}

/** Completes the pilot's flight and frees its aircraft. Throws as `assertCompletable` and `preparePhoto` do. */
export async function completeFlight(
  db: Db,
  member: Member,
  id: number,
  input: CompleteFlightInput,
  key?: string,
  { isConfirmed, isInstructionConfirmed = isConfirmed }: CompletionOptions = { isConfirmed: true },
): Promise<FlightLog> {
  const records = input.fuelRecords ?? [];
  const { receipts, squawkPhotos } = await preparePhotosOfOpenFlight(db, member, id, input);
  const operation = {
    actor: member,
    can: 'anyRole',
    key,
    operation: `complete flight ${id}`,
    turn: `flight ${id}`,
    input: { ...input, fuelRecords: withReceiptHashes(records), squawkPhotos: photoHashes(input.squawkPhotos) },
    find: (trx: Trx) => lockAndFind(trx, member, id, input),
  } as const;
  return runPreparedOperation(db, operation, async (trx, pilot, { flight, isInstructed, nowAndRatio }) => {
    const log = checkCompletable(flight, pilot);
    if (log.completed_at) {
      if (hasReadings(log, input)) return requireFlightLog(trx, pilot.schoolId, id);
      throw new AppError('conflict', texts.alreadyCompleted);
    }
    const scans = { hobbs: input.endHobbsScan, tach: input.endTachScan };
    const times = resolveTimes(log, input, pilot.timeZone);
    const fields = isInstructionConfirmed ? {} : instructionErrors(log, input, times);
    const review = await reviewEnd(trx, { ...log, ...times }, input, { scans, isConfirmed, fields, nowAndRatio });
    const startReason = review.startChanges.length > 0 ? requireStartReason(input.startReason) : '';
    assertSquawkDescribed(input);
    if (!isInstructed) throw new AppError('invalid', texts.instructorInvalid).onField('instructorId');
    const photoIds = await findFlightPhotoIds(trx, pilot.schoolId, log.aircraft_id, scans);
    const photos = await storeReceipts(trx, pilot, receipts);
    // All are sent in this order, in one round trip.
    const [, , completed, , , aircraft] = await Promise.all([
      writeCompletion(trx, pilot, log, input, { ...review, times, photoIds }),
      writeFuelRecords(trx, pilot, id, records, photos),
      requireFlightLog(trx, pilot.schoolId, id),
      input.meterChanges ? undefined : mailOverdueOf(trx, { ...pilot, id: log.aircraft_id }),
      deleteDraft(trx, pilot.id, checkInDraftKey(id)),
      pilot.raisedEvents && findAircraft(trx, pilot.schoolId, log.aircraft_id),
    ]);
    await openSquawkOfNotes(trx, pilot, log, input, squawkPhotos);
    const isNews = pilot.raisedEvents && input.unsafe;
    const returned = isNews ? await findAircraft(trx, pilot.schoolId, log.aircraft_id) : aircraft;
    if (review.startChanges.length === 0 && !input.meterChanges) {
      raiseCompletion(pilot, completed, returned);
      return completed;
    }
    await writeRevisions(trx, pilot, log, review.startChanges, startReason);
    await declareFlightChanges(trx, pilot, log, input.meterChanges);
    // The readings decide what is due, so the mail follows a changed meter.
    if (input.meterChanges) await mailOverdueOf(trx, { ...pilot, id: log.aircraft_id });
    const corrected = await requireFlightLog(trx, pilot.schoolId, id);
    raiseCompletion(pilot, corrected, returned);
    return corrected;
  });
}

/** Raises the events; the flight's comes before its squawk's. */
function raiseCompletion({ schoolId, raisedEvents }: Member, log: FlightLog, aircraft: Aircraft | undefined): void {
  const about = { schoolId, aircraftId: log.aircraft.id };
  raisedEvents?.unshift({ type: 'flight.completed', ...about, data: log });
  if (aircraft) raisedEvents?.push({ type: 'aircraft.status_changed', ...about, data: aircraft });
}

async function lockAndFind(trx: Trx, { schoolId }: Member, id: number, { instructorId }: CompleteFlightInput) {
  const [flight, , nowAndRatio, isInstructed] = await Promise.all([
    selectFlightRow(trx, schoolId, id, { lock: true }),
    lockAircraftOfFlight(trx, schoolId, id),
    findNowAndRatio(trx, schoolId, id),
    instructorId == null || isInstructor(trx, schoolId, instructorId),
  ]);
  return { flight, nowAndRatio, isInstructed };
}

/** Finds the flight. Throws 'notFound', 'forbidden' for all but its pilot, 'conflict' for a cancelled check-out. */
export async function assertCompletable(db: Db | Trx, pilot: Actor, id: number) {
  return checkCompletable(await selectFlightRow(db, pilot.schoolId, id), pilot);
}

function checkCompletable(log: FlightRow | undefined, pilot: Actor): FlightRow {
  if (!log) throw new AppError('notFound', texts.flightLogNotFound);
  if (log.user_id !== pilot.id) throw new AppError('forbidden', texts.notThePilot);
  if (log.voided_at) throw new AppError('conflict', texts.flightCancelled);
  return log;
}

function hasReadings(log: Row<'flight_logs'>, input: CompleteFlightInput): boolean {
  return (
    toHundredths(log.end_hobbs ?? '0') === toHundredths(input.endHobbsTime) &&
    toHundredths(log.end_tach ?? '0') === toHundredths(input.endTachTime)
  );
}

function requireStartReason(reason: string | null | undefined): string {
  if (reason) return reason;
  throw new AppError('invalid', texts.reasonRequired).onField('startReason');
}

async function writeCompletion(
  trx: Trx,
  pilot: Member,
  log: Row<'flight_logs'>,
  input: CompleteFlightInput,
  { flags, times, photoIds }: EndReview & { times: FlightTimes; photoIds: Record<'hobbs' | 'tach', number | null> },
) {
  const completion = trx
    .updateTable('flight_logs')
    .set({
      ...toCompletionColumns(input),
      ...times,
      reading_flags: JSON.stringify(flags),
      end_hobbs_photo_id: photoIds.hobbs,
      end_tach_photo_id: photoIds.tach,
      completed_at: nowButNotBefore('created_at'),
      completed_by: pilot.id,
    })
    .where('id', '=', log.id);
  const ends = { hobbs: input.endHobbsTime, tachometer: input.endTachTime };
  await Promise.all([completion.execute(), updateLastReadings(trx, pilot, log.aircraft_id, ends)]);
}

/** Opens a squawk of the notes, which stay as they are, too. */
async function openSquawkOfNotes(
  trx: Trx,
  pilot: Member,
  { id, aircraft_id }: Row<'flight_logs'>,
  { notes, unsafe }: CompleteFlightInput,
  photos: NormalizedPhoto[],
): Promise<void> {
  if (!notes) return;
  const squawk = { aircraftId: aircraft_id, flightLogId: id, text: notes, unsafe: unsafe ?? false, photos };
  await openSquawk(trx, pilot, squawk);
}

/** Decodes photos before any row is locked, since that is slow. */
async function preparePhotosOfOpenFlight(db: Db, pilot: Member, id: number, input: CompleteFlightInput) {
  const records = input.fuelRecords ?? [];
  const hasPhotos = records.some((record) => record.fuelReceiptImage) || (input.squawkPhotos?.length ?? 0) > 0;
  if (!hasPhotos || (await assertCompletable(db, pilot, id)).completed_at) return { receipts: [], squawkPhotos: [] };
  const receipts = await prepareReceipts(pilot, records);
  return { receipts, squawkPhotos: await prepareSquawkPhotos(pilot, input.squawkPhotos, 'squawkPhotos') };
}
