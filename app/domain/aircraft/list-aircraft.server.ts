import { sql } from 'kysely';
import type { Db } from '#db/connect.server.ts';
import type { Actor } from '../actor.ts';
import { changesSince, instantOf, isChangedSince } from '../changes.server.ts';
import { asksForAll, type ListPage } from '../list-page.ts';
import { findFleet, fleetQuery, toAircraft } from './queries.server.ts';
import type { ListedAircraft } from './schema.server.ts';

/** Lists the fleet by tail number, or a part of it by id; removed aircraft are only among what has changed. */
export async function listAircraft(db: Db, reader: Actor, page: ListPage): Promise<ListedAircraft[]> {
  const { schoolId, timeZone } = reader;
  if (asksForAll(page)) return findFleet(db, schoolId);
  const { after, limit, since } = page;
  const rows = await fleetQuery(db, schoolId, { includeRemoved: since !== undefined })
    .$if(after !== undefined, (query) => query.where('aircraft.id', '>', after ?? 0))
    .$if(since !== undefined, (query) => query.where(isChanged(schoolId, since ?? '', timeZone)))
    .$if(limit !== undefined, (query) => query.limit(limit ?? 0))
    .orderBy('aircraft.id')
    .execute();
  return rows.map((row) => ({
    ...toAircraft(row),
    ...(row.deleted_at && { deletedAt: row.deleted_at.toISOString() }),
  }));
}

/** A flight changes the status of its aircraft, squawks and inspections its condition. */
function isChanged(schoolId: number | null, since: string, timeZone: string) {
  const from = instantOf(since, timeZone);
  const changed = sql`school_id = ${schoolId} and change_id in (${changesSince(schoolId, from)})`;
  return sql<boolean>`(${isChangedSince('aircraft', schoolId, from)} or aircraft.id in (
    select aircraft_id from flight_logs where ${changed}
    union all select aircraft_id from squawks where ${changed}
    union all select aircraft_id from inspections
      where school_id = ${schoolId} and changed_at >= ${from} - ${LONGEST_TRANSACTION}))`;
}

/** Inspections have the time at which a transaction began; the others have the time when it ended. */
const LONGEST_TRANSACTION = sql`interval '10 minutes'`;
