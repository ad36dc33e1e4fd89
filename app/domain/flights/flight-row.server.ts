import type { Db, Trx } from '#db/connect.server.ts';
import type { Row } from '#db/tables.ts';
import type { Actor } from '../actor.ts';
import { AppError } from '../app-error.ts';
import { texts } from '../texts.ts';

export type FlightRow = Row<'flight_logs'>;

/** Finds a flight, also a cancelled check-out; locks the row if `lock` is set. Throws 'notFound' outside the school. */
export async function findFlightRow(db: Db | Trx, actor: Actor, id: number, { lock = false } = {}): Promise<FlightRow> {
  const row = await selectFlightRow(db, actor.schoolId, id, { lock });
  if (!row) throw new AppError('notFound', texts.flightLogNotFound);
  return row;
}

export function selectFlightRow(db: Db | Trx, schoolId: number | null, id: number, { lock = false } = {}) {
  return db
    .selectFrom('flight_logs')
    .selectAll()
    .where('school_id', '=', schoolId)
    .where('id', '=', id)
    .$if(lock, (query) => query.forUpdate())
    .executeTakeFirst();
}

/** Throws 'conflict' for a completed or cancelled flight. */
export function assertInProgress(log: FlightRow): void {
  if (log.voided_at) throw new AppError('conflict', texts.flightCancelled);
  if (log.completed_at) throw new AppError('conflict', texts.alreadyCompleted);
}
