import { sql } from 'kysely';
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres';
import type { Db } from '#db/connect.server.ts';
import { neighbourFlightQuery, toLineFlight } from '../../aircraft/line-queries.server.ts';
import { importOfFlightQuery } from '../../imports/queries.server.ts';
import { meterChangesQuery } from '../../readings/meter-segments.server.ts';
import { isRecentLast } from '../correction/correction-queries.server.ts';
import { flightLogQuery, toFlightLog } from '../queries.server.ts';
import type { FlightFilter } from '../logbook/flight-filter.server.ts';
import { closingQuery, entryQuery, revisionsQuery, toFlightRevisions } from './flight-revisions.server.ts';
import { neighbourInListQuery } from './list-neighbours.server.ts';

export type FoundFlight = NonNullable<Awaited<ReturnType<typeof findFlightDetails>>>;

/** Finds what a flight's page and dialog show, all but its squawk, by one statement; undefined outside the school. */
export async function findFlightDetails(db: Db, schoolId: number | null, id: number, list: FlightFilter = {}) {
  const flight = { schoolId, id };
  const found = await flightLogQuery(db, schoolId)
    .where('flight_logs.id', '=', id)
    .select([
      jsonObjectFrom(closingQuery(db, flight)).as('closed'),
      jsonObjectFrom(entryQuery(db, flight)).as('entered'),
      jsonArrayFrom(revisionsQuery(db, flight)).as('revisions'),
      jsonObjectFrom(importOfFlightQuery(db, flight)).as('imported'),
      jsonObjectFrom(neighbourFlightQuery(db, flight, '<')).as('previous'),
      jsonObjectFrom(neighbourFlightQuery(db, flight, '>')).as('next'),
      jsonArrayFrom(meterChangesQuery(db, schoolId, sql.ref<number>('aircraft.id'))).as('changes'),
      neighbourInListQuery(db, flight, '>', list).as('newer'),
      neighbourInListQuery(db, flight, '<', list).as('older'),
      isRecentLast.as('isRecentLast'),
      sql<boolean>`aircraft.deleted_at is null and aircraft.maintenance_since is null`.as('canBeGrounded'),
    ])
    .executeTakeFirst();
  if (!found) return undefined;
  const { closed, entered, revisions, imported, previous, next, changes, newer, older, ...state } = found;
  const { isRecentLast: isRecent, canBeGrounded, ...row } = state;
  return {
    log: toFlightLog(row),
    recorded: toFlightRevisions({ closed, entered, revisions }),
    imported: imported && { ...imported, appliedAt: imported.appliedAt === null ? null : new Date(imported.appliedAt) },
    neighbours: { previous: previous && toLineFlight(previous), next: next && toLineFlight(next) },
    changes: changes.map((change) => ({ ...change, started_at: new Date(change.started_at) })),
    newer,
    older,
    isRecentLast: isRecent,
    canBeGrounded,
  };
}
