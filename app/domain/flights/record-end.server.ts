import { OFFLINE_CHECK_IN_FORM_KEY, paths } from '#app/paths.ts';
import type { Trx } from '#db/connect.server.ts';
import { nowButNotBefore } from '../database-clock.server.ts';
import type { Member } from '../actor.ts';
import { findAircraft, lockAircraftOfFlight } from '../aircraft/queries.server.ts';
import type { Aircraft } from '../aircraft/schema.server.ts';
import { updateLastReadings } from '../aircraft/save-last-reading.server.ts';
import { deleteDrafts } from '../drafts.server.ts';
import { mailOverdueOf } from '../inspections/mail-overdue.server.ts';
import { findPhotoIdsOfScans } from '../meters/flight-scans.server.ts';
import type { NormalizedPhoto } from '../meters/normalize-photo.server.ts';
import { isInstructor } from '../people/queries.server.ts';
import {
  assertSquawkDescribed,
  insertOpenSquawk,
  photoHashes,
  prepareSquawkPhotos,
} from '../squawks/add-squawk.server.ts';
import { AppError } from '../app-error.ts';
import { texts } from '../texts.ts';
import { type FlightTimes, instructionErrors, resolveTimes } from '../times/flight-times.server.ts';
import { declareMeterChangesOfFlight } from '../readings/meter-changes.server.ts';
import { findNowAndRatio } from '../readings/end-context.server.ts';
import { type EndReview, reviewEnd } from '../readings/review-end.server.ts';
import { writeRevisions } from '../readings/write-revisions.server.ts';
import { prepareReceipts, storeReceipts, withReceiptHashes, writeFuelRecords } from './fuel-records.server.ts';
import { type FlightRow, selectFlightRow } from './queries.server.ts';
import { type CompleteFlightInput, type FlightLog, toCompletionColumns } from './schema.server.ts';
import { requireFlightLog } from './start-flight.server.ts';

export const checkInDraftKey = (flightLogId: number) => `${paths.checkIn(flightLogId)}#check-in`;

export interface Confirmations {
  /** True if odd readings are stored without asking. */
  isConfirmed: boolean;
  /** True if an instructor's hours beyond flight and ground school are stored without asking. */
  isInstructionConfirmed?: boolean;
}

export const CONFIRMED_WITHOUT_ASKING: Confirmations = { isConfirmed: true };

export interface EndPhotos {
  receipts: (NormalizedPhoto | null)[];
  squawkPhotos: NormalizedPhoto[];
}

/** Decodes photos before any row is locked, since that is slow; none of a flight that has ended already. */
export async function prepareEndPhotos(
  author: Member,
  { fuelRecords, squawkPhotos }: CompleteFlightInput,
  isOpen: () => Promise<boolean>,
): Promise<EndPhotos> {
  const records = fuelRecords ?? [];
  const hasPhotos = records.some((record) => record.fuelReceiptImage) || (squawkPhotos?.length ?? 0) > 0;
  if (!hasPhotos || !(await isOpen())) return { receipts: [], squawkPhotos: [] };
  const receipts = await prepareReceipts(author, records);
  return { receipts, squawkPhotos: await prepareSquawkPhotos(author, squawkPhotos, 'squawkPhotos') };
}

/** Repeated requests are compared by this: it has hashes in place of photos. */
export function withPhotoHashes<Input extends CompleteFlightInput>(input: Input) {
  const { fuelRecords, squawkPhotos } = input;
  return { ...input, fuelRecords: withReceiptHashes(fuelRecords ?? []), squawkPhotos: photoHashes(squawkPhotos) };
}

type FoundEnd = Awaited<ReturnType<typeof lockAndFindEndContext>>;

/** Locks aircraft and flight, and reads what the end is held against, in one round trip. */
export async function lockAndFindEndContext(
  trx: Trx,
  { schoolId }: Member,
  id: number,
  { instructorId }: CompleteFlightInput,
) {
  const [, flight, nowAndRatio, isInstructed] = await Promise.all([
    lockAircraftOfFlight(trx, schoolId, id),
    selectFlightRow(trx, schoolId, id, { lock: true }),
    findNowAndRatio(trx, schoolId, id),
    instructorId == null || isInstructor(trx, schoolId, instructorId),
  ]);
  return { flight, nowAndRatio, isInstructed };
}

interface EndOptions extends Confirmations, EndPhotos, Omit<FoundEnd, 'flight'> {
  /** Why somebody else than the pilot ends it; then also why a start was wrong, unless that is said. */
  closeReason?: string;
}

/** Ends an open flight with all that is recorded of it, and frees its aircraft. Throws 'invalid'. */
export async function recordEnd(
  trx: Trx,
  actor: Member,
  log: FlightRow,
  input: CompleteFlightInput,
  { isConfirmed, isInstructionConfirmed = isConfirmed, closeReason, ...found }: EndOptions,
): Promise<FlightLog> {
  const { id, aircraft_id: aircraftId } = log;
  const scans = { hobbs: input.endHobbsScan, tach: input.endTachScan };
  const times = resolveTimes(log, input, actor.timeZone);
  const fields = isInstructionConfirmed ? {} : instructionErrors(log, input, times);
  const { nowAndRatio } = found;
  const review = await reviewEnd(trx, { ...log, ...times }, input, { scans, isConfirmed, fields, nowAndRatio });
  const startReason = review.startChanges.length > 0 ? requireStartReason(input.startReason || closeReason) : '';
  assertSquawkDescribed(input);
  if (!found.isInstructed) throw new AppError('invalid', texts.instructorInvalid).onField('instructorId');
  const photoIds = await findPhotoIdsOfScans(trx, actor.schoolId, aircraftId, scans);
  const receipts = await storeReceipts(trx, actor, found.receipts);
  // Sent in this order, in one round trip.
  const [, , ended, , , aircraft] = await Promise.all([
    writeEnd(trx, actor, log, input, { ...review, times, photoIds, closeReason }),
    writeFuelRecords(trx, actor, id, input.fuelRecords ?? [], receipts),
    requireFlightLog(trx, actor.schoolId, id),
    input.meterChanges ? undefined : mailOverdueOf(trx, { ...actor, id: aircraftId }),
    deleteDrafts(trx, log.user_id, [checkInDraftKey(id), OFFLINE_CHECK_IN_FORM_KEY]),
    actor.raisedEvents && findAircraft(trx, actor.schoolId, aircraftId),
  ]);
  await openSquawkOfNotes(trx, actor, log, input, found.squawkPhotos);
  const isAsRead = review.startChanges.length === 0 && !input.meterChanges;
  if (!isAsRead) {
    await writeRevisions(trx, actor, log, { readings: review.startChanges }, startReason);
    await declareMeterChangesOfFlight(trx, actor, log, input.meterChanges);
    // Inspections are due by the meters.
    if (input.meterChanges) await mailOverdueOf(trx, { ...actor, id: aircraftId });
  }
  const recorded = isAsRead ? ended : await requireFlightLog(trx, actor.schoolId, id);
  const isNews = actor.raisedEvents && (input.unsafe || input.meterChanges);
  raiseEnd(actor, recorded, isNews ? await findAircraft(trx, actor.schoolId, aircraftId) : aircraft);
  return recorded;
}

function requireStartReason(reason: string | undefined): string {
  if (reason) return reason;
  throw new AppError('invalid', texts.reasonRequired).onField('startReason');
}

interface WrittenEnd extends EndReview {
  times: FlightTimes;
  photoIds: Record<'hobbs' | 'tach', number | null>;
  closeReason: string | undefined;
}

async function writeEnd(
  trx: Trx,
  actor: Member,
  log: FlightRow,
  input: CompleteFlightInput,
  { flags, times, photoIds, closeReason }: WrittenEnd,
) {
  const end = trx
    .updateTable('flight_logs')
    .set({
      ...toCompletionColumns(input),
      ...times,
      reading_flags: JSON.stringify(flags),
      end_hobbs_photo_id: photoIds.hobbs,
      end_tach_photo_id: photoIds.tach,
      completed_at: nowButNotBefore('created_at'),
      completed_by: actor.id,
      close_reason: closeReason ?? null,
    })
    .where('school_id', '=', actor.schoolId)
    .where('id', '=', log.id);
  const ends = { hobbs: input.endHobbsTime, tachometer: input.endTachTime };
  await Promise.all([end.execute(), updateLastReadings(trx, actor, log.aircraft_id, ends)]);
}

async function openSquawkOfNotes(
  trx: Trx,
  author: Member,
  { id, aircraft_id }: FlightRow,
  { notes, unsafe }: CompleteFlightInput,
  photos: NormalizedPhoto[],
): Promise<void> {
  if (!notes) return;
  const squawk = { aircraftId: aircraft_id, flightLogId: id, text: notes, unsafe: unsafe ?? false, photos };
  await insertOpenSquawk(trx, author, squawk);
}

function raiseEnd({ schoolId, raisedEvents }: Member, log: FlightLog, aircraft: Aircraft | undefined): void {
  const about = { schoolId, aircraftId: log.aircraft.id };
  raisedEvents?.unshift({ type: 'flight.completed', ...about, data: log });
  if (aircraft) raisedEvents?.push({ type: 'aircraft.status_changed', ...about, data: aircraft });
}
