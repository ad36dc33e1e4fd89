import type { Db } from '#db/connect.server.ts';
import { findFleet } from '../aircraft/queries.server.ts';
import { urgency } from './due-point.ts';
import { type DueItem, findFleetDue } from './queries.server.ts';

export interface FleetDueItem extends DueItem {
  tailNumber: string;
}

/** What is due first in the whole fleet: what is overdue, then the soonest. */
export async function findDueFirst(
  db: Db,
  schoolId: number | null,
  today: string,
  limit: number,
): Promise<FleetDueItem[]> {
  const fleet = await findFleet(db, schoolId);
  const due = await findFleetDue(db, schoolId, fleet, today);
  return fleet
    .flatMap(({ id, tailNumber, lastHobbsTime, lastTachTime }) => {
      const standing = { hobbs: lastHobbsTime, tach: lastTachTime, today };
      return (due.get(id) ?? []).map((item) => ({ ...item, tailNumber, rank: urgency(item.due, standing) }));
    })
    .toSorted((a, b) => a.rank - b.rank || a.id - b.id)
    .slice(0, limit)
    .map(({ rank: _rank, ...item }) => item);
}
