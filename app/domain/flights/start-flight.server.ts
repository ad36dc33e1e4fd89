import { OFFLINE_CHECK_OUT_FORM_KEY, paths } from '#app/paths.ts';
import type { Db, Trx } from '#db/connect.server.ts';
import type { ReadingFlag } from '#db/tables.ts';
import type { Member } from '../actor.ts';
import { findAircraftRow, lockAircraft, toAircraft, toState } from '../aircraft/queries.server.ts';
import { deleteDrafts } from '../drafts.server.ts';
import { mailOverdueOf } from '../inspections/mail-overdue.server.ts';
import { findPhotoIdsOfScans, findMatchingScans } from '../meters/flight-scans.server.ts';
import { checkStart } from '../readings/check-start.ts';
import { photoReadingsOf } from '../readings/end-context.server.ts';
import { AppError, assertNoErrors } from '../app-error.ts';
import { isHandled } from '../idempotency.server.ts';
import { findAndRunOperation } from '../run-operation.server.ts';
import { texts } from '../texts.ts';
import { changeQueue, runChangeInTurn } from '../turns/queues.server.ts';
import { resolveTimes } from '../times/flight-times.server.ts';
import { startReadingsOf } from './flight-readings.ts';
import type { FlightLog, StartFlightInput } from './schema.server.ts';
import { findFlightLog, findOpenFlights, findOwnOpenFlight } from './queries.server.ts';
import { findStartWarnings, missingTickErrors, type StartConfirmations } from './start-warnings.server.ts';
import { namelessFormNameAt } from '../typed-forms/field-names.ts';
import { MAX_DEVICE_CLOCK_AHEAD_MS, IDEMPOTENCY_KEY_LIFE_HOURS } from '#app/limits.ts';
import { ago } from '../database-clock.server.ts';

/** The draft of the readings, which says of which aircraft they are. */
export const CHECK_OUT_DRAFT_KEY = `${paths.checkOut}#read-meters`;
export const REVIEW_DRAFT_KEY = `${paths.checkOut}#review`;
const CHECK_OUT_FORMS = [
  ...[`${paths.checkOut}#select-aircraft`, CHECK_OUT_DRAFT_KEY, REVIEW_DRAFT_KEY],
  OFFLINE_CHECK_OUT_FORM_KEY,
  ...[0, 1, 2].map((step) => namelessFormNameAt(paths.checkOutStep(step))),
];

const OPERATION = 'start flight';

interface Start {
  input: StartFlightInput;
  key: string | undefined;
  /** The ticks of a form; a call is not asked for them. */
  ticks: StartConfirmations | undefined;
}

/** Starts a flight. Throws as `assertStartable` does, which two unique indexes enforce, or 'invalid' at each tick that is missing. */
export async function startFlight(
  db: Db,
  member: Member,
  input: StartFlightInput,
  key?: string,
  ticks?: StartConfirmations,
): Promise<FlightLog> {
  const turn = `aircraft ${input.aircraftId} of school ${member.schoolId}`;
  const start = { input, key, ticks };
  try {
    return await runChangeInTurn(turn, () => startAlone(db, member, start, turn));
  } catch (error) {
    if (!(error instanceof TakenMeanwhileError)) throw error;
    const isRepeated = await isHandled(db, { scope: `user:${member.id}`, key, operation: OPERATION });
    if (isRepeated) return insertFlight(db, member, start);
    throw new AppError('conflict', texts.aircraftCheckedOut);
  }
}

/** Thrown if somebody who asked earlier has the aircraft. */
class TakenMeanwhileError extends Error {}

/** Starts one after the other: a crowd that waited for a taken aircraft is answered without asking the database. */
async function startAlone(db: Db, member: Member, start: Start, turn: string) {
  const asked = changeQueue.waitersIn(turn);
  const refuseAsked = () => asked.forEach(({ refuse }) => refuse(new TakenMeanwhileError()));
  try {
    const log = await insertFlight(db, member, start);
    refuseAsked();
    return log;
  } catch (error) {
    const isTaken = error instanceof AppError && error.message === texts.aircraftCheckedOut;
    if (isTaken) refuseAsked();
    throw error;
  }
}

function insertFlight(db: Db, member: Member, { input, key, ticks }: Start): Promise<FlightLog> {
  const { aircraftId, startHobbsTime, startTachTime } = input;
  const request = { actor: member, can: 'check out aircraft', key, operation: OPERATION, input } as const;
  const operation = { ...request, find: (trx: Trx) => lockAndFind(trx, member, input) };
  return findAndRunOperation(db, operation, async (trx, pilot, { warnings, ...startable }) => {
    const aircraft = checkStartable(startable);
    const scans = { hobbs: input.startHobbsScan, tach: input.startTachScan };
    const flags = await findStartFlags(trx, pilot, aircraft, input);
    if (ticks) assertNoErrors(missingTickErrors({ ...warnings, flags }, ticks));
    const photoIds = await findPhotoIdsOfScans(trx, pilot.schoolId, aircraftId, scans);
    const { departed_at } = resolveTimes(notYetStarted(), { departedAt: input.departedAt }, pilot.timeZone);
    const insert = trx.insertInto('flight_logs').values({
      school_id: pilot.schoolId,
      aircraft_id: aircraftId,
      user_id: pilot.id,
      start_hobbs: startHobbsTime,
      start_tach: startTachTime,
      departed_at,
      start_hobbs_photo_id: photoIds.hobbs,
      start_tach_photo_id: photoIds.tach,
      reading_flags: JSON.stringify(flags),
      unsafe_at_start: JSON.stringify(warnings.unsafe),
      overdue_at_start: JSON.stringify(warnings.overdue),
      deferrals_over_at_start: JSON.stringify(warnings.deferralsOver),
    });
    // Both are sent in this order, in one round trip.
    const [, log] = await Promise.all([
      insert.execute(),
      findOwnOpenFlight(trx, pilot.schoolId, pilot.id),
      mailOverdueOf(trx, { ...pilot, id: aircraftId }),
      deleteDrafts(trx, pilot.id, CHECK_OUT_FORMS),
    ]);
    if (!log) throw new Error('the flight is gone within its own transaction');
    const about = { schoolId: pilot.schoolId, aircraftId };
    pilot.raisedEvents?.push(
      { type: 'flight.started', ...about, data: log },
      { type: 'aircraft.status_changed', ...about, data: toAircraft({ ...aircraft, in_flight: true }) },
    );
    return log;
  });
}

async function lockAndFind(trx: Trx, pilot: Member, input: StartFlightInput) {
  const [, startable, warnings] = await Promise.all([
    lockAircraft(trx, pilot.schoolId, input.aircraftId),
    findStartable(trx, pilot, input.aircraftId),
    findStartWarnings(trx, pilot, input),
  ]);
  return { ...startable, warnings };
}

function notYetStarted() {
  return { created_at: new Date(), completed_at: null, departed_at: null, landed_at: null };
}

/** Finds what is odd about start readings, held against the aircraft's last ones and photos. */
async function findStartFlags(
  db: Db | Trx,
  pilot: Member,
  aircraft: { id: number; last_hobbs: string | null; last_tach: string | null },
  input: StartFlightInput,
): Promise<ReadingFlag[]> {
  const scanIds = { hobbs: input.startHobbsScan, tach: input.startTachScan };
  const scans = await findMatchingScans(db, pilot.schoolId, aircraft.id, scanIds);
  const last = { hobbs: aircraft.last_hobbs, tachometer: aircraft.last_tach };
  return checkStart(startReadingsOf(input), { last, photos: photoReadingsOf(scans) });
}

/** Finds the aircraft. Throws 'notFound' outside the fleet, 'conflict' for a pilot in flight or a taken aircraft. */
export async function assertStartable(db: Db | Trx, pilot: Member, aircraftId: number) {
  return checkStartable(await findStartable(db, pilot, aircraftId));
}

async function findStartable(db: Db | Trx, pilot: Member, aircraftId: number) {
  const [aircraft, [own]] = await Promise.all([
    findAircraftRow(db, pilot.schoolId, aircraftId),
    findOpenFlights(db, pilot.schoolId, { userId: pilot.id }),
  ]);
  return { aircraft, own };
}

function checkStartable({ aircraft, own }: Awaited<ReturnType<typeof findStartable>>) {
  if (!aircraft) throw new AppError('notFound', texts.aircraftNotFound);
  if (own) throw new AppError('conflict', texts.activeFlight);
  const { status } = toState(aircraft);
  if (status) throw new AppError('conflict', UNAVAILABLE_TEXTS[status]);
  return aircraft;
}

export const UNAVAILABLE_TEXTS = { maintenance: texts.aircraftInMaintenance, checked_out: texts.aircraftCheckedOut };

export async function requireFlightLog(trx: Trx, schoolId: number, id: number): Promise<FlightLog> {
  const log = await findFlightLog(trx, schoolId, id);
  if (!log) throw new Error(`flight log ${id} is gone within its own transaction`);
  return log;
}

type StartedFrom = Pick<StartFlightInput, 'aircraftId' | 'startHobbsTime' | 'startTachTime'>;

/** Finds the pilot's flight that a check-out typed then has begun, even if its request is remembered no more. */
export async function findExistingStart(
  db: Db,
  { schoolId, id }: Member,
  { aircraftId, startHobbsTime, startTachTime }: StartedFrom,
  typedAt: Date,
  key: string | undefined,
): Promise<{ id: number; isOpen: boolean } | undefined> {
  const flight = await db
    .selectFrom('flight_logs')
    .select(['id', (eb) => eb('completed_at', 'is', null).and('voided_at', 'is', null).as('isOpen')])
    .select((eb) => eb('created_at', '>', ago(IDEMPOTENCY_KEY_LIFE_HOURS - 1, 'hours')).as('isRecent'))
    .$narrowType<{ isOpen: boolean; isRecent: boolean }>()
    .where('school_id', '=', schoolId)
    .where('aircraft_id', '=', aircraftId)
    .where('user_id', '=', id)
    .where('start_hobbs', '=', startHobbsTime)
    .where('start_tach', '=', startTachTime)
    .where('created_at', '>=', new Date(typedAt.getTime() - MAX_DEVICE_CLOCK_AHEAD_MS))
    .orderBy('id')
    .executeTakeFirst();
  // Of a recent one the request is known; else this is another check-out, as after one that was cancelled.
  const isOther = flight?.isRecent && !(await isHandled(db, { scope: `user:${id}`, key, operation: OPERATION }));
  return isOther ? undefined : flight;
}
