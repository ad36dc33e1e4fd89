import type { Db } from '#db/connect.server.ts';
import { findMeterChanges } from '../readings/meter-segments.server.ts';
import type { SegmentChange } from './reading-line.ts';

interface ShownFlight {
  id: number;
  startedAt: string;
}

/** Finds the aircraft's meter changes at the flights, which are in the order of their start. */
export async function findSegmentChanges(
  db: Db,
  schoolId: number | null,
  aircraftId: number,
  flights: ShownFlight[],
): Promise<SegmentChange[]> {
  return toSegmentChanges(await findMeterChanges(db, schoolId, aircraftId), flights);
}

type MeterChange = Awaited<ReturnType<typeof findMeterChanges>>[number];

export function toSegmentChanges(found: MeterChange[], flights: ShownFlight[]): SegmentChange[] {
  return found.flatMap(({ meter_type, reason, old_last, first_reading, started_at, flight_log_id }) => {
    const next = flights.find(({ startedAt }) => new Date(startedAt) >= started_at);
    const flightId = flight_log_id ?? next?.id;
    if (flightId === undefined || reason === 'new aircraft' || old_last === null || first_reading === null) return [];
    return [
      {
        flightId,
        reason,
        meter: meter_type === 'hobbs' ? 'hobbs' : 'tach',
        place: flight_log_id === null ? 'before' : 'within',
        oldLast: old_last,
        newFirst: first_reading,
      },
    ];
  });
}
