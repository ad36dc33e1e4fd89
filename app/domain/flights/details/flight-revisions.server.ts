import { type Compilable, type InferResult, type ShallowDehydrateObject, sql } from 'kysely';
import type { Db } from '#db/connect.server.ts';
import type { Row } from '#db/tables.ts';
import { readingText } from '../../readings/meter-segments.server.ts';
import type { FlightKey } from './position.server.ts';

export interface FlightRevisions {
  /** Null if the pilot completed it. */
  closed: { by: Reviser; reason: string } | null;
  /** Null if it was checked out and in. */
  entered: { by: Reviser; at: Date; reason: string } | null;
  revisions: RecordedRevision[];
}

interface RecordedRevision {
  id: number;
  field: Row<'flight_log_revisions'>['field'];
  before: string | null;
  /** Null: there is none any more. */
  after: string | null;
  /** The time before the correction, as below the one after; null is the moment of the button. */
  timeBefore: Date | null;
  timeAfter: Date | null;
  reason: string;
  by: Reviser;
  at: Date;
}

interface Reviser {
  id: number;
  username: string;
}

export function closingQuery(db: Db, { schoolId, id }: FlightKey) {
  return db
    .selectFrom('flight_logs')
    .innerJoin('users', 'users.id', 'completed_by')
    .select(['users.id', 'username', 'close_reason as reason'])
    .where('flight_logs.school_id', '=', schoolId)
    .where('flight_logs.id', '=', id)
    .where('close_reason', 'is not', null);
}

export function entryQuery(db: Db, { schoolId, id }: FlightKey) {
  return db
    .selectFrom('flight_logs')
    .innerJoin('users', 'users.id', 'entered_by')
    .select(['users.id', 'username', 'entered_at as at', 'entry_reason as reason'])
    .where('flight_logs.school_id', '=', schoolId)
    .where('flight_logs.id', '=', id);
}

export function revisionsQuery(db: Db, { schoolId, id }: FlightKey) {
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
  return sql<string | null>`coalesce(${sql.ref(`${side}_text`)}, ${readingText(`${side}_value`)})`;
}

/** A row as JSON has it, with times as text. */
type AsJson<Query extends Compilable> = ShallowDehydrateObject<InferResult<Query>[number]>;

interface RevisionRows {
  closed: AsJson<ReturnType<typeof closingQuery>> | null;
  entered: AsJson<ReturnType<typeof entryQuery>> | null;
  revisions: AsJson<ReturnType<typeof revisionsQuery>>[];
}

export function toFlightRevisions({ closed, entered, revisions }: RevisionRows): FlightRevisions {
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
