import { sql } from 'kysely';
import type { Db, Trx } from '#db/connect.server.ts';
import type { Row } from '#db/tables.ts';
import { now } from '../../database-clock.server.ts';

export type WaitingDelivery = NonNullable<Awaited<ReturnType<typeof findWaitingDelivery>>>;

/** What an attempt came to. */
export interface Outcome {
  durationMs: number;
  status: number | null;
  answer: string | null;
  /** Null where the receiver took the event. */
  error: string | null;
}

/** An event that its webhook has not taken, with where it goes; undefined for a removed webhook. */
export function findWaitingDelivery(db: Db, id: number) {
  return db
    .selectFrom('webhook_deliveries as delivery')
    .innerJoin('webhooks', 'webhooks.id', 'webhook_id')
    .select(['delivery.id', 'delivery.school_id', 'webhook_id', 'message_id', 'event', 'data', 'attempts'])
    .select(['delivery.created_at', 'url', 'secret', 'previous_secret'])
    .select((eb) => eb('previous_until', '>', now).as('isPreviousGood'))
    .where('delivery.id', '=', id)
    .where('state', '=', 'waiting')
    .where('removed_at', 'is', null)
    .executeTakeFirst();
}

type Mark = Outcome & Pick<Row<'webhook_deliveries'>, 'state'>;

/** In the log of its webhook. */
export async function markDelivery(trx: Trx, { id }: WaitingDelivery, mark: Mark): Promise<void> {
  const { durationMs, state, ...answered } = mark;
  await trx
    .updateTable('webhook_deliveries')
    // What goes on waiting keeps its job.
    .set({ ...answered, ...(state !== 'waiting' && { state }), duration_ms: durationMs, last_attempt_at: now })
    .set({ attempts: sql`attempts + 1` })
    .where('id', '=', id)
    .execute();
}
