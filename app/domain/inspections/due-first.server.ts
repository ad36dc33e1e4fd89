import type { Db } from '#db/connect.server.ts';
import { findFleetInDetail } from '../aircraft/queries.server.ts';
import { type DueItem, toDueItems } from './due-items.ts';
import { urgency } from './due-point.ts';

export interface FleetDueItem extends DueItem {
  aircraftId: number;
  tailNumber: string;
}

/** Finds what is due first in the whole fleet: overdue items, then the soonest. */
export async function findDueFirst(
  db: Db,
  schoolId: number | null,
  today: string,
  limit: number,
): Promise<FleetDueItem[]> {
  const fleet = await findFleetInDetail(db, schoolId);
  return fleet
    .flatMap(({ id, tailNumber, lastHobbsTime, lastTachTime, due }) => {
      const standing = { hobbs: lastHobbsTime, tach: lastTachTime, today };
      return toDueItems(due, standing).map((item) => ({
        ...item,
        aircraftId: id,
        tailNumber,
        rank: urgency(item.due, standing),
      }));
    })
    .toSorted((a, b) => a.rank - b.rank || a.id - b.id)
    .slice(0, limit)
    .map(({ rank: _rank, ...item }) => item);
}
