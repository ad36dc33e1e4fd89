import { createHash } from 'node:crypto';
import type { Db, Trx } from '#db/connect.server.ts';
import type { ReadingFlag } from '#db/tables.ts';
import type { Actor, Member } from '../../actor.ts';
import { lockAircraftOfFlight } from '../../aircraft/queries.server.ts';
import { updateLastReadings } from '../../aircraft/save-last-reading.server.ts';
import { runOperation } from '../../run-operation.server.ts';
import { can } from '../../permissions.ts';
import { AppError, assertNoErrors } from '../../app-error.ts';
import {
  METER_CHANGE_FIELD_PAIRS,
  declareMeterChangeOfFlight,
  toMeterChangesOfFlight,
  withdrawMeterChangeOfFlight,
} from '../../readings/meter-changes.server.ts';
import type { MeterChangesOfFlight } from '../../readings/meters.ts';
import { flagErrors } from '../../readings/review-end.server.ts';
import { timesAfter, valuesAfter, writeRevisions } from '../../readings/write-revisions.server.ts';
import { texts } from '../../texts.ts';
import { type FlightTimes, instructionErrors, resolveTimes } from '../../times/flight-times.server.ts';
import { type CorrectionInput, correctionSchema, type FlightLog } from '../schema.server.ts';
import { type Correction, planCorrection } from './correction.server.ts';
import { isRecentLastFlight } from './correction-queries.server.ts';
import { assertEndAboveStart, type FlightReadings } from '../flight-readings.ts';
import { requireFlightRow, type FlightRow } from '../queries.server.ts';
import { planOtherCorrections, type OtherCorrections, replaceFuelRecords } from './other-corrections.server.ts';
import { readingsOfMeter } from './meter-correction.ts';
import { type Confirmations, CONFIRMED_WITHOUT_ASKING } from '../record-end.server.ts';
import { requireFlightLog } from '../start-flight.server.ts';

/** A call corrects at once; a form what its preview has shown, by its digest. */
interface CorrectionOptions extends Confirmations {
  previewDigest?: string;
}

/** Throws as `previewCorrection` does, or 'conflict' if the effects have changed since the preview. */
export function correctFlight(
  db: Db,
  member: Member,
  id: number,
  input: CorrectionInput,
  key?: string,
  { previewDigest, ...confirmations }: CorrectionOptions = CONFIRMED_WITHOUT_ASKING,
): Promise<FlightLog> {
  const operation = {
    actor: member,
    can: 'anyRole',
    key,
    operation: `correct flight ${id}`,
    turn: `flight ${id}`,
    input,
  } as const;
  return runOperation(db, operation, async (trx, actor) => {
    await lockAircraftOfFlight(trx, actor.schoolId, id);
    const log = await assertCorrectable(trx, actor, id, { lock: true });
    const correction = await findCorrectionOrThrow(trx, actor, log, input, confirmations);
    if (previewDigest !== undefined && correction.digest !== previewDigest)
      throw new AppError('conflict', texts.previewOutdated);
    if (!confirmations.isConfirmed) assertConfirmed(log, correction);
    await writeCorrection(trx, actor, log, correction, input);
    await updateLastReadings(trx, actor, log.aircraft_id, correction.newLastReadings);
    const data = await requireFlightLog(trx, actor.schoolId, id);
    const { schoolId, raisedEvents } = actor;
    raisedEvents?.push({ type: 'flight.corrected', schoolId, aircraftId: log.aircraft_id, data });
    return data;
  });
}

/** Throws as `assertCorrectable` does, or 'invalid' for unchanged values, an end not above its start, and what is not confirmed. */
export async function previewCorrection(
  db: Db,
  actor: Member,
  id: number,
  input: CorrectionInput,
  confirmations = CONFIRMED_WITHOUT_ASKING,
): Promise<WholeCorrection & { oddReadings: ReadingFlag[] }> {
  const log = await assertCorrectable(db, actor, id);
  const correction = await findCorrectionOrThrow(db, actor, log, input, confirmations);
  return { ...correction, oddReadings: newFlags(log, correction) };
}

/** Throws 'notFound', 'forbidden' for others than pilot and administrators, 'conflict' if not correctable now. */
export async function assertCorrectable(db: Db | Trx, actor: Actor, id: number, { lock = false } = {}) {
  const log = await requireFlightRow(db, actor, id, { lock });
  const anyFlight = can(actor.role, 'correct any flight');
  if (!anyFlight && log.user_id !== actor.id) throw new AppError('forbidden', texts.notYoursToCorrect);
  if (log.voided_at) throw new AppError('conflict', texts.flightCancelled);
  if (!log.completed_at || anyFlight) return log;
  if (!(await isRecentLastFlight(db, log))) throw new AppError('conflict', texts.tooLateToCorrect);
  return log;
}

interface WholeCorrection extends Correction {
  other: OtherCorrections;
  /** The digest of the effects: a form saves a correction only as it was previewed. */
  digest: string;
}

async function findCorrectionOrThrow(
  db: Db | Trx,
  { timeZone }: Actor,
  log: FlightRow,
  input: CorrectionInput,
  { isConfirmed, isInstructionConfirmed = isConfirmed }: Confirmations,
): Promise<WholeCorrection> {
  const readings = correctedReadings(log, input);
  const changes = input.meterChanges === undefined ? storedChanges(log) : toMeterChangesOfFlight(input.meterChanges);
  if (hasEnds(readings)) assertEndAboveStart(readings, changes);
  const times = resolveTimes(log, input, timeZone);
  const correction = await planCorrection(db, log, { ...readings, times }, changes, timeZone);
  const other = await planOtherCorrections(db, log, input);
  if (!isInstructionConfirmed && hasEnds(readings)) assertInstruction(log, readings, changes, times, other);
  const effects = [...correction.effects, ...other.effects];
  if (correction.changes.length + correction.timeChanges.length + other.texts.length === 0)
    throw new AppError('invalid', texts.nothingCorrected);
  return {
    ...correction,
    effects,
    other,
    digest: createHash('sha256').update(JSON.stringify(effects)).digest('base64url'),
  };
}

/** Throws 'invalid' beside what the check-in of a flight in progress is still to take. */
function correctedReadings(log: FlightRow, input: CorrectionInput) {
  const { startHobbsTime = log.start_hobbs, startTachTime = log.start_tach } = input;
  if (log.end_hobbs !== null && log.end_tach !== null) {
    const { endHobbsTime = log.end_hobbs, endTachTime = log.end_tach } = input;
    return { startHobbsTime, startTachTime, endHobbsTime, endTachTime };
  }
  const tooEarly = correctionSchema
    .keyof()
    .options.filter((field) => !IN_PROGRESS_FIELDS.includes(field) && input[field] != null);
  if (tooEarly.length === 0) return { startHobbsTime, startTachTime };
  const errors = Object.fromEntries(tooEarly.map((field) => [field, texts.leftToTheCheckIn]));
  throw new AppError('invalid', texts.leftToTheCheckIn, errors);
}

const IN_PROGRESS_FIELDS: string[] = ['startHobbsTime', 'startTachTime', 'departedAt', 'reason'];

function storedChanges(log: FlightRow): MeterChangesOfFlight {
  return { hobbs: readingsOfMeter('hobbs', log).change, tachometer: readingsOfMeter('tachometer', log).change };
}

function hasEnds(readings: Partial<FlightReadings>): readings is FlightReadings {
  return readings.endHobbsTime !== undefined && readings.endTachTime !== undefined;
}

/** It looks at a correction of the instruction; one that was confirmed before is not asked for again. */
function assertInstruction(
  log: FlightRow,
  { startHobbsTime, endHobbsTime }: FlightReadings,
  { hobbs }: MeterChangesOfFlight,
  times: FlightTimes,
  { texts: changed, columns }: OtherCorrections,
): void {
  if (!changed.some(({ field }) => field.startsWith('instructor') || field === 'ground_school_time')) return;
  const { instructor_id, instructor_time_in, instructor_time_out, ground_school_time } = columns;
  const instruction = {
    instructorId: instructor_id,
    instructorTimeIn: instructor_time_in,
    instructorTimeOut: instructor_time_out,
    groundSchoolTime: ground_school_time,
  };
  const landed = { ...times, landed_at: times.landed_at ?? log.completed_at };
  const errors = instructionErrors(
    log,
    { ...instruction, startHobbsTime, endHobbsTime, ...(hobbs && { meterChanges: { hobbs } }) },
    landed,
  );
  assertNoErrors(errors);
}

function newFlags(log: FlightRow, { flags, changes }: Correction): ReadingFlag[] {
  const stored = log.reading_flags.map(({ meter, kind, reading }) => `${meter} ${kind} ${reading}`);
  const isNew = ({ meter, kind, reading }: ReadingFlag) => !stored.includes(`${meter} ${kind} ${reading}`);
  return changes.length === 0 ? [] : flags.filter(isNew);
}

function assertConfirmed(log: FlightRow, correction: Correction): void {
  assertNoErrors(flagErrors(newFlags(log, correction)));
}

async function writeCorrection(
  trx: Trx,
  actor: Member,
  log: FlightRow,
  { changes, timeChanges, flags, other }: WholeCorrection,
  input: CorrectionInput,
) {
  const isRead = changes.length + timeChanges.length > 0;
  await trx
    .updateTable('flight_logs')
    .set({
      ...valuesAfter(changes),
      ...timesAfter(timeChanges),
      ...other.columns,
      ...(isRead && { reading_flags: JSON.stringify(flags) }),
    })
    .where('school_id', '=', log.school_id)
    .where('id', '=', log.id)
    .execute();
  if (other.fuelRecords) await replaceFuelRecords(trx, log, other.fuelRecords);
  await writeRevisions(trx, actor, log, { readings: changes, times: timeChanges, texts: other.texts }, input.reason);
  for (const [meter, field] of METER_CHANGE_FIELD_PAIRS) {
    if (![...changes, ...other.texts].some((change) => isOfChange(change.field, field))) continue;
    const declared = input.meterChanges?.[field];
    if (declared) await declareMeterChangeOfFlight(trx, actor, log, meter, declared);
    else await withdrawMeterChangeOfFlight(trx, actor, log.id, meter);
  }
}

function isOfChange(field: string, meter: 'hobbs' | 'tach'): boolean {
  return field.startsWith(`${meter}_`);
}
