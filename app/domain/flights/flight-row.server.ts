import type { Db, Trx } from '#db/connect.server.ts';
import type { Row } from '#db/tables.ts';
import type { Actor } from '../actor.ts';
import { AppError } from '../app-error.ts';
import { texts } from '../texts.ts';

export type FlightRow = Row<'flight_logs'>;

/** Includes cancelled check-outs; locks the row if `lock` is set. Throws 'notFound' outside the school. */
export async function findFlightRow(db: Db | Trx, actor: Actor, id: number, { lock = false } = {}): Promise<FlightRow> {
  const row = await db
    .selectFrom('flight_logs')
    .selectAll()
    .where('school_id', '=', actor.schoolId)
    .where('id', '=', id)
    .$if(lock, (query) => query.forUpdate())
    .executeTakeFirst();
  if (!row) throw new AppError('notFound', texts.flightLogNotFound);
  return row;
}

/** Throws 'conflict' for a completed or cancelled flight. */
export function assertInProgress(log: FlightRow): void {
  if (log.voided_at) throw new AppError('conflict', texts.flightCancelled);
  if (log.completed_at) throw new AppError('conflict', texts.alreadyCompleted);
}
