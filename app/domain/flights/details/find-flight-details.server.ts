import { type Compilable, type InferResult, type ShallowDehydrateObject, sql } from 'kysely';
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres';
import type { Db } from '#db/connect.server.ts';
import { stateColumns, toState } from '../../aircraft/queries.server.ts';
import { neighbourFlightQuery, toLineFlight } from '../../aircraft/line-queries.server.ts';
import { importOfFlightQuery } from '../../imports/queries.server.ts';
import { meterChangesQuery, readingTextColumn } from '../../readings/meter-changes.server.ts';
import { squawkOfFlightQuery, toSquawk } from '../../squawks/queries.server.ts';
import { isRecentLast } from '../correction/correction-queries.server.ts';
import { flightLogQuery, toFlightLog } from '../queries.server.ts';
import {
  type FlightFilter,
  type FlightKey,
  isBeforeOrAfter,
  matchesSchoolAndFilter,
} from '../logbook/flight-filter.server.ts';
import type { Actor } from '../../actor.ts';
import { can } from '../../permissions.ts';
import { isClosableBy } from '../end-flight.server.ts';

export type FoundFlight = NonNullable<Awaited<ReturnType<typeof findFlightDetails>>>;

/** Finds what a flight's page and dialog show, by one statement; undefined outside the school. */
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
      jsonObjectFrom(squawkOfFlightQuery(db, schoolId, id)).as('squawk'),
      neighbourInListQuery(db, flight, '>', list).as('newer'),
      neighbourInListQuery(db, flight, '<', list).as('older'),
      isRecentLast.as('isRecentLast'),
      sql<boolean>`aircraft.deleted_at is null`.as('isInFleet'),
    ])
    .select(stateColumns)
    .executeTakeFirst();
  if (!found) return undefined;
  const { closed, entered, revisions, imported, previous, next, changes, squawk, newer, older, ...state } = found;
  const { isRecentLast: isRecent, isInFleet, ...row } = state;
  return {
    log: toFlightLog(row),
    recorded: toFlightRevisions({ closed, entered, revisions }),
    imported: imported && { ...imported, appliedAt: imported.appliedAt === null ? null : new Date(imported.appliedAt) },
    neighbours: { previous: previous && toLineFlight(previous), next: next && toLineFlight(next) },
    changes: changes.map((change) => ({ ...change, started_at: new Date(change.started_at) })),
    squawk: squawk && toSquawk(squawk),
    newer,
    older,
    isRecentLast: isRecent,
    isInFleet,
    aircraftState: toState(row),
  };
}

/** Selects the id of the newer ('>') or older flight beside a flight in the list under the filter; null at its ends. */
function neighbourInListQuery(db: Db, flight: FlightKey, side: '<' | '>', filter: FlightFilter) {
  const direction = side === '<' ? 'desc' : 'asc';
  return db
    .selectFrom('flight_logs')
    .select('flight_logs.id')
    .where(matchesSchoolAndFilter(flight.schoolId, filter))
    .where(isBeforeOrAfter(flight, side))
    .orderBy('flight_logs.created_at', direction)
    .orderBy('flight_logs.id', direction)
    .limit(sql.lit(1));
}

interface Reviser {
  id: number;
  username: string;
}

function closingQuery(db: Db, { schoolId, id }: FlightKey) {
  return db
    .selectFrom('flight_logs')
    .innerJoin('users', 'users.id', 'completed_by')
    .select(['users.id', 'username', 'close_reason as reason'])
    .where('flight_logs.school_id', '=', schoolId)
    .where('flight_logs.id', '=', id)
    .where('close_reason', 'is not', null);
}

function entryQuery(db: Db, { schoolId, id }: FlightKey) {
  return db
    .selectFrom('flight_logs')
    .innerJoin('users', 'users.id', 'entered_by')
    .select(['users.id', 'username', 'entered_at as at', 'entry_reason as reason'])
    .where('flight_logs.school_id', '=', schoolId)
    .where('flight_logs.id', '=', id);
}

function revisionsQuery(db: Db, { schoolId, id }: FlightKey) {
  return db
    .selectFrom('flight_log_revisions')
    .innerJoin('users', 'users.id', 'user_id')
    .select(['flight_log_revisions.id', 'field', 'reason', 'old_time as timeBefore', 'new_time as timeAfter'])
    .select([textOf('old').as('before'), textOf('new').as('after')])
    .select(['users.id as userId', 'username', 'flight_log_revisions.created_at as at'])
    .where('flight_log_revisions.school_id', '=', schoolId)
    .where('flight_log_id', '=', id)
    .orderBy('flight_log_revisions.id');
}

function textOf(side: 'old' | 'new') {
  return sql<string | null>`coalesce(${sql.ref(`${side}_text`)}, ${readingTextColumn(`${side}_value`)})`;
}

type AsJson<Query extends Compilable> = ShallowDehydrateObject<InferResult<Query>[number]>;

interface RevisionRows {
  closed: AsJson<ReturnType<typeof closingQuery>> | null;
  entered: AsJson<ReturnType<typeof entryQuery>> | null;
  revisions: AsJson<ReturnType<typeof revisionsQuery>>[];
}

function toFlightRevisions({ closed, entered, revisions }: RevisionRows) {
  return {
    closed: closed?.reason == null ? null : { by: toReviser(closed), reason: closed.reason },
    entered:
      entered?.at == null || entered.reason === null
        ? null
        : { by: toReviser(entered), at: new Date(entered.at), reason: entered.reason },
    revisions: revisions.map(({ userId, username, at, timeBefore, timeAfter, ...revision }) => ({
      ...revision,
      by: { id: userId, username },
      at: new Date(at),
      timeBefore: toDate(timeBefore),
      timeAfter: toDate(timeAfter),
    })),
  };
}

function toReviser({ id, username }: Reviser): Reviser {
  return { id, username };
}

function toDate(text: string | null): Date | null {
  return text === null ? null : new Date(text);
}

/** Returns what the user may do with a flight of their school now. */
export function flightPermissions(reader: Actor, { log, isRecentLast, isInFleet, aircraftState }: FoundFlight) {
  const open = log.completedAt === null;
  const own = log.user.id === reader.id;
  const isGrounded = aircraftState.status === 'maintenance' || aircraftState.groundedOnReturn;
  return {
    complete: open && own,
    cancel: open && (own || can(reader.role, 'cancel any check-out')),
    close: open && !own && isClosableBy(reader, new Date(log.createdAt)),
    correct: can(reader.role, 'correct any flight') || (own && (open || isRecentLast)),
    ground: can(reader.role, 'set aircraft status') && isInFleet && !isGrounded,
  };
}
