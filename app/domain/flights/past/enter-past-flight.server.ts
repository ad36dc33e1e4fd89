import type { Db, Trx } from '#db/connect.server.ts';
import type { Member } from '../../actor.ts';
import { requireAircraftRowForUpdate } from '../../aircraft/queries.server.ts';
import { updateLastReadings } from '../../aircraft/save-last-reading.server.ts';
import { writeAuditEntry } from '../../audit/write-audit-entry.server.ts';
import { now } from '../../database-clock.server.ts';
import { runOperation } from '../../run-operation.server.ts';
import { lockSchool } from '../../school/queries.server.ts';
import { texts } from '../../texts.ts';
import { instructionErrors } from '../../times/flight-times.server.ts';
import { declareMeterChangesOfFlight } from '../../readings/meter-changes.server.ts';
import { writeFuelRecords } from '../fuel-records.server.ts';
import { findLogbookPerson } from '../logbook/people.server.ts';
import { type Confirmations, CONFIRMED_WITHOUT_ASKING } from '../record-end.server.ts';
import { type FlightLog, toCompletionColumns } from '../schema.server.ts';
import { requireFlightLog } from '../start-flight.server.ts';
import {
  type PastFlightInput,
  pastFlightTimes,
  type PastFlightTimes,
  pastTimeErrors,
} from './past-flight-schema.server.ts';
import { reviewPastFlight } from './review-past-flight.server.ts';
import { sql } from 'kysely';
import { AppError } from '../../app-error.ts';
import { formatDateTime } from '../../format.server.ts';

/** Throws 'notFound' outside the fleet, 'invalid', or 'conflict' where aircraft or pilot were on another flight. */
export function enterPastFlight(
  db: Db,
  member: Member,
  input: PastFlightInput,
  key?: string,
  confirmations = CONFIRMED_WITHOUT_ASKING,
): Promise<FlightLog> {
  const operation = {
    actor: member,
    can: 'enter past flights',
    key,
    operation: 'enter past flight',
    input,
    lockFirst: (trx: Trx) => lockPilot(trx, member.schoolId, input.pilotId),
  } as const;
  return runOperation(db, operation, async (trx, actor) => {
    await requireAircraftRowForUpdate(trx, actor, input.aircraftId);
    const times = pastFlightTimes(input, actor.timeZone);
    const timeErrors = pastTimeErrors(times, new Date());
    // Nothing fits times that cannot be.
    const asked = Object.keys(timeErrors).length > 0 ? CONFIRMED_WITHOUT_ASKING : confirmations;
    const fields = { ...timeErrors, ...(await fieldErrors(trx, actor, input, times, asked)) };
    const { flags, newLastReadings } = await reviewPastFlight(trx, actor, input, times, { ...asked, fields });
    await assertNoOverlap(trx, actor, { ...times, aircraftId: input.aircraftId, pilotId: input.pilotId });
    const id = await insertPastFlight(trx, actor, input, { ...times, flags: JSON.stringify(flags) });
    const records = input.fuelRecords ?? [];
    await writeFuelRecords(trx, actor, id, records, []);
    await declareMeterChangesOfFlight(trx, actor, { id, aircraft_id: input.aircraftId }, input.meterChanges);
    await updateLastReadings(trx, actor, input.aircraftId, newLastReadings);
    await writeAuditEntry(trx, actor, {
      action: 'entered past flight',
      subject: 'flight log',
      subjectId: id,
      after: auditedValues(input, times),
      reason: input.reason,
    });
    const entered = await requireFlightLog(trx, actor.schoolId, id);
    const { schoolId, raisedEvents } = actor;
    raisedEvents?.push({ type: 'flight.completed', schoolId, aircraftId: input.aircraftId, data: entered });
    return entered;
  });
}

/** Locks the pilot, who then starts no flight, and is in no other entry, meanwhile. */
async function lockPilot(trx: Trx, schoolId: number, pilotId: number): Promise<void> {
  await lockSchool(trx, schoolId);
  await trx
    .selectFrom('users')
    .select('id')
    .where('school_id', '=', schoolId)
    .where('id', '=', pilotId)
    .forNoKeyUpdate()
    .execute();
}

async function fieldErrors(
  trx: Trx,
  { schoolId }: Member,
  input: PastFlightInput,
  times: PastFlightTimes,
  { isConfirmed, isInstructionConfirmed = isConfirmed }: Confirmations,
): Promise<Record<string, string>> {
  const { pilotId, instructorId, startHobbsTime: start_hobbs } = input;
  const pilot = await findLogbookPerson(trx, schoolId, pilotId);
  const instructor = instructorId == null ? undefined : await findLogbookPerson(trx, schoolId, instructorId);
  const flown = { departed_at: times.departed, landed_at: times.landed };
  return {
    ...(!isInstructionConfirmed && instructionErrors({ start_hobbs, created_at: times.departed }, input, flown)),
    ...(!pilot?.canFly && { pilotId: texts.pilotInvalid }),
    ...(instructorId != null && !instructor?.canInstruct && { instructorId: texts.instructorInvalid }),
  };
}

async function insertPastFlight(
  trx: Trx,
  actor: Member,
  input: PastFlightInput,
  { departed, landed, flags }: PastFlightTimes & { flags: string },
): Promise<number> {
  const {
    aircraftId,
    pilotId,
    startHobbsTime,
    startTachTime,
    reason,
    departedAt: _out,
    landedAt: _in,
    ...rest
  } = input;
  const inserted = await trx
    .insertInto('flight_logs')
    .values({
      ...toCompletionColumns(rest),
      school_id: actor.schoolId,
      aircraft_id: aircraftId,
      user_id: pilotId,
      start_hobbs: startHobbsTime,
      start_tach: startTachTime,
      reading_flags: flags,
      created_at: departed,
      completed_at: landed,
      completed_by: pilotId,
      entered_by: actor.id,
      entered_at: now,
      entry_reason: reason,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return inserted.id;
}

function auditedValues(input: PastFlightInput, { departed, landed }: PastFlightTimes) {
  const { aircraftId, pilotId, startHobbsTime, endHobbsTime, startTachTime, endTachTime } = input;
  const readings = { startHobbsTime, endHobbsTime, startTachTime, endTachTime };
  return { aircraftId, pilotId, departed, landed, ...readings };
}

interface Flown extends PastFlightTimes {
  aircraftId: number;
  pilotId: number;
}

/** Throws 'conflict' beside the aircraft or the pilot that was on another flight then, which it names. */
async function assertNoOverlap(trx: Trx, reader: Member, flown: Flown): Promise<void> {
  const other = await findOverlapping(trx, reader.schoolId, flown);
  if (!other) return;
  const from = formatDateTime(other.departed, reader.timeZone).text;
  const until = other.landed ? `until ${formatDateTime(other.landed, reader.timeZone).text}` : 'and is not checked in';
  const isOfAircraft = other.aircraft_id === flown.aircraftId;
  const who = isOfAircraft ? 'This aircraft' : 'This pilot';
  const text = `${who} was on flight #${other.id} then, from ${from} ${until}.`;
  throw new AppError('conflict', text).onField(isOfAircraft ? 'aircraftId' : 'pilotId');
}

const departed = sql<Date>`coalesce(departed_at, created_at)`;
const landed = sql<Date | null>`coalesce(landed_at, completed_at)`;

/** Finds flights that overlap; one may begin at the moment at which the other ends. */
function findOverlapping(trx: Trx, schoolId: number, flown: Flown) {
  return trx
    .selectFrom('flight_logs')
    .select(['id', 'aircraft_id', departed.as('departed'), landed.as('landed')])
    .where('school_id', '=', schoolId)
    .where('voided_at', 'is', null)
    .where((eb) => eb.or([eb('aircraft_id', '=', flown.aircraftId), eb('user_id', '=', flown.pilotId)]))
    .where(departed, '<', flown.landed)
    .where((eb) => eb.or([eb(landed, 'is', null), eb(landed, '>', flown.departed)]))
    .orderBy(sql`(aircraft_id = ${flown.aircraftId})`, 'desc')
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst();
}
