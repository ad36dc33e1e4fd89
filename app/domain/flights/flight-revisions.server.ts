import type { Db } from '#db/connect.server.ts';
import type { Row } from '#db/tables.ts';

export interface FlightRevisions {
  /** Null: completed by the pilot. */
  closed: { by: Reviser; reason: string } | null;
  /** Null: checked out and in. */
  entered: { by: Reviser; at: Date; reason: string } | null;
  revisions: RecordedRevision[];
}

interface RecordedRevision {
  id: number;
  field: Row<'flight_log_revisions'>['field'];
  before: string | null;
  /** Null: a meter change was taken back. */
  after: string | null;
  /** Of times; null is when the button was pressed. */
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

/** Asks for revisions only where the flight is known to have some. */
export async function findFlightRevisions(
  db: Db,
  schoolId: number | null,
  { id, corrected }: { id: number; corrected: boolean },
): Promise<FlightRevisions> {
  const [closed, entered, revisions] = await Promise.all([
    findClosing(db, schoolId, id),
    findEntry(db, schoolId, id),
    corrected ? findRevisions(db, schoolId, id) : [],
  ]);
  return { closed, entered, revisions };
}

async function findClosing(db: Db, schoolId: number | null, flightLogId: number): Promise<FlightRevisions['closed']> {
  const closed = await db
    .selectFrom('flight_logs')
    .innerJoin('users', 'users.id', 'completed_by')
    .select(['users.id', 'username', 'close_reason as reason'])
    .where('flight_logs.school_id', '=', schoolId)
    .where('flight_logs.id', '=', flightLogId)
    .where('close_reason', 'is not', null)
    .executeTakeFirst();
  return closed?.reason == null ? null : { by: { id: closed.id, username: closed.username }, reason: closed.reason };
}

async function findEntry(db: Db, schoolId: number | null, flightLogId: number): Promise<FlightRevisions['entered']> {
  const entered = await db
    .selectFrom('flight_logs')
    .innerJoin('users', 'users.id', 'entered_by')
    .select(['users.id', 'username', 'entered_at as at', 'entry_reason as reason'])
    .where('flight_logs.school_id', '=', schoolId)
    .where('flight_logs.id', '=', flightLogId)
    .executeTakeFirst();
  return entered ? toEntry(entered) : null;
}

async function findRevisions(db: Db, schoolId: number | null, flightLogId: number): Promise<RecordedRevision[]> {
  const revisions = await db
    .selectFrom('flight_log_revisions')
    .innerJoin('users', 'users.id', 'user_id')
    .select(['flight_log_revisions.id', 'field', 'old_value as before', 'new_value as after', 'reason'])
    .select(['old_time as timeBefore', 'new_time as timeAfter'])
    .select(['users.id as userId', 'username', 'flight_log_revisions.created_at as at'])
    .where('flight_log_revisions.school_id', '=', schoolId)
    .where('flight_log_id', '=', flightLogId)
    .orderBy('flight_log_revisions.id')
    .execute();
  return revisions.map(({ userId, username, ...revision }) => ({ ...revision, by: { id: userId, username } }));
}

function toEntry({ id, username, at, reason }: Reviser & { at: Date | null; reason: string | null }) {
  return at === null || reason === null ? null : { by: { id, username }, at, reason };
}
