import type { Db, Trx } from '#db/connect.server.ts';
import type { Actor, Member } from '../actor.ts';
import { toHundredths } from '../reading.ts';
import { AppError } from '../app-error.ts';
import { texts } from '../texts.ts';
import { runPreparedOperation } from '../run-operation.server.ts';
import { type FlightRow, selectFlightRow } from './queries.server.ts';
import { lockAndFindEnd, NOTHING_ASKED, prepareEndPhotos, recordEnd, withPhotoHashes } from './record-end.server.ts';
import type { CompleteFlightInput, FlightLog } from './schema.server.ts';
import { requireFlightLog } from './start-flight.server.ts';

/** Completes the pilot's flight and frees its aircraft. Throws as `assertCompletable` and `preparePhoto` do. */
export async function completeFlight(
  db: Db,
  member: Member,
  id: number,
  input: CompleteFlightInput,
  key?: string,
  confirmations = NOTHING_ASKED,
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
    find: (trx: Trx) => lockAndFindEnd(trx, member, id, input),
  } as const;
  return runPreparedOperation(db, operation, async (trx, pilot, { flight, ...found }) => {
    const log = checkCompletable(flight, pilot);
    if (!log.completed_at) return recordEnd(trx, pilot, log, input, { ...confirmations, ...photos, ...found });
    if (hasReadings(log, input)) return requireFlightLog(trx, pilot.schoolId, id);
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

function hasReadings(log: FlightRow, input: CompleteFlightInput): boolean {
  return (
    toHundredths(log.end_hobbs ?? '0') === toHundredths(input.endHobbsTime) &&
    toHundredths(log.end_tach ?? '0') === toHundredths(input.endTachTime)
  );
}
