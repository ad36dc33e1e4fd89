import { sql } from 'kysely';
import type { Trx } from '#db/connect.server.ts';
import type { Member } from '../../actor.ts';
import { AppError } from '../../app-error.ts';
import { formatDateTime } from '../../format.server.ts';
import type { PastFlightTimes } from './past-flight-times.server.ts';

interface Flown extends PastFlightTimes {
  aircraftId: number;
  pilotId: number;
}

/** Throws 'conflict' beside the aircraft or the pilot that was on another flight then, which it names. */
export async function assertNoOverlap(trx: Trx, reader: Member, flown: Flown): Promise<void> {
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
