import type { Db, Trx } from '#db/connect.server.ts';
import type { ReadingFlag } from '#db/tables.ts';
import type { Actor, Member } from '../actor.ts';
import { lockAircraft } from '../aircraft/queries.server.ts';
import { updateLastReadings } from '../aircraft/update-last-readings.server.ts';
import { runOperation } from '../run-operation.server.ts';
import { can } from '../permissions.ts';
import { AppError } from '../app-error.ts';
import {
  CHANGE_FIELDS,
  declareFlightChange,
  toMeterChanges,
  withdrawFlightChange,
} from '../readings/meter-changes.server.ts';
import { flagErrors } from '../readings/review-end.server.ts';
import { timesAfter, valuesOf, writeRevisions } from '../readings/write-revisions.server.ts';
import { texts } from '../texts.ts';
import { resolveTimes } from '../times/flight-times.server.ts';
import type { CorrectionInput, StartCorrectionInput } from './amendment-schema.server.ts';
import { type Correction, findCorrection } from './correction.server.ts';
import { isRecentLastFlight } from './correction-queries.server.ts';
import { assertEndAboveStart } from './flight-readings.ts';
import { type FlightRow, findFlightRow } from './flight-row.server.ts';
import type { FlightLog } from './schema.server.ts';
import { requireFlightLog } from './start-flight.server.ts';

/** Corrects readings. Throws as `previewCorrection` does, or 'conflict' if the effects changed since the preview. */
export function correctReadings(
  db: Db,
  member: Member,
  id: number,
  input: CorrectionInput | StartCorrectionInput,
  previewDigest: string,
  key?: string,
  { isConfirmed } = { isConfirmed: true },
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
    const correction = await findCorrectionOrThrow(trx, actor, log, input);
    if (correction.digest !== previewDigest) throw new AppError('conflict', texts.previewOutdated);
    if (!isConfirmed) assertConfirmed(log, correction);
    await writeCorrection(trx, actor, log, correction, input);
    await updateLastReadings(trx, actor, log.aircraft_id, correction.newLastReadings);
    const data = await requireFlightLog(trx, actor.schoolId, id);
    const { schoolId, raisedEvents } = actor;
    raisedEvents?.push({ type: 'flight.corrected', schoolId, aircraftId: log.aircraft_id, data });
    return data;
  });
}

/** Previews it. Throws as `assertCorrectable` does, or 'invalid' for unchanged readings or an end below its start. */
export async function previewCorrection(
  db: Db,
  actor: Member,
  id: number,
  input: CorrectionInput | StartCorrectionInput,
): Promise<Correction & { oddReadings: ReadingFlag[] }> {
  const log = await assertCorrectable(db, actor, id);
  const correction = await findCorrectionOrThrow(db, actor, log, input);
  return { ...correction, oddReadings: newFlags(log, correction) };
}

/** Finds it. Throws 'notFound', 'forbidden' but for pilot and administrators, 'conflict' if not correctable now. */
export async function assertCorrectable(db: Db | Trx, actor: Actor, id: number, { lock = false } = {}) {
  const log = await findFlightRow(db, actor, id, { lock });
  const anyFlight = can(actor.role, 'correct any flight');
  if (!anyFlight && log.user_id !== actor.id) throw new AppError('forbidden', texts.notYoursToCorrect);
  if (log.voided_at) throw new AppError('conflict', texts.flightCancelled);
  if (!log.completed_at || anyFlight) return log;
  if (!(await isRecentLastFlight(db, log))) throw new AppError('conflict', texts.tooLateToCorrect);
  return log;
}

async function findCorrectionOrThrow(
  db: Db | Trx,
  { timeZone }: Actor,
  log: FlightRow,
  input: CorrectionInput | StartCorrectionInput,
): Promise<Correction> {
  const { startHobbsTime, startTachTime } = input;
  const whole = withEnds(log, input);
  const changes = toMeterChanges(whole?.meterChanges);
  if (whole) assertEndAboveStart(whole, changes);
  const times = resolveTimes(log, input, timeZone);
  const corrected = { ...(whole ?? { startHobbsTime, startTachTime }), times };
  const correction = await findCorrection(db, log, corrected, changes, timeZone);
  if (correction.changes.length + correction.timeChanges.length === 0)
    throw new AppError('invalid', texts.readingsUnchanged);
  return correction;
}

/** Adds the ends; undefined in progress. Throws 'conflict' for a form of before the flight was completed. */
function withEnds({ completed_at }: FlightRow, input: CorrectionInput | StartCorrectionInput) {
  if (completed_at === null) return undefined;
  if ('endHobbsTime' in input) return input;
  throw new AppError('conflict', texts.alreadyCompleted);
}

/** Returns the flags that were not there before. */
function newFlags(log: FlightRow, { flags, changes }: Correction): ReadingFlag[] {
  const stored = log.reading_flags.map(({ meter, kind, reading }) => `${meter} ${kind} ${reading}`);
  const isNew = ({ meter, kind, reading }: ReadingFlag) => !stored.includes(`${meter} ${kind} ${reading}`);
  return changes.length === 0 ? [] : flags.filter(isNew);
}

function assertConfirmed(log: FlightRow, correction: Correction): void {
  const wrong = flagErrors(newFlags(log, correction));
  if (Object.keys(wrong).length > 0) throw new AppError('invalid', Object.values(wrong).join('\n'), wrong);
}

async function writeCorrection(
  trx: Trx,
  actor: Member,
  log: FlightRow,
  { changes, timeChanges, flags }: Correction,
  input: CorrectionInput | StartCorrectionInput,
) {
  await trx
    .updateTable('flight_logs')
    .set({ ...valuesOf(changes, 'after'), ...timesAfter(timeChanges), reading_flags: JSON.stringify(flags) })
    .where('school_id', '=', log.school_id)
    .where('id', '=', log.id)
    .execute();
  await writeRevisions(trx, actor, log, changes, input.reason, timeChanges);
  for (const [meter, field] of CHANGE_FIELDS) {
    if (!changes.some((change) => change.field.startsWith(`${field}_`))) continue;
    const declared = 'meterChanges' in input ? input.meterChanges?.[field] : undefined;
    if (declared) await declareFlightChange(trx, actor, log, meter, declared);
    else await withdrawFlightChange(trx, actor, log.id, meter);
  }
}
