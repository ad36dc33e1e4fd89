import { type RawBuilder, sql } from 'kysely';
import type { Db, Trx } from '#db/connect.server.ts';
import type { Row } from '#db/tables.ts';
import {
  FIRST_WEBHOOK_RETRY_SECONDS,
  MAX_WEBHOOK_RETRY_SECONDS,
  WEBHOOK_CLAIM_SECONDS,
  WEBHOOK_EVENT_LIFE_DAYS,
} from '#app/limits.ts';
import { fromNow, now } from '../../database-clock.server.ts';

export type ClaimedDelivery = Row<'webhook_deliveries'>;

export interface DeliveryOutcome {
  durationMs: number;
  status: number | null;
  answer: string | null;
  error: string | null;
}

/** Claims what is due longest for half a minute, unless the aircraft did something before that is not delivered yet. */
export function claimDelivery(db: Db, busyWebhooks: number[]): Promise<ClaimedDelivery | undefined> {
  return db
    .updateTable('webhook_deliveries')
    .set({
      attempts: sql`attempts + 1`,
      next_attempt_at: fromNow(WEBHOOK_CLAIM_SECONDS, 'seconds'),
      last_attempt_at: now,
    })
    .where('id', '=', ({ selectFrom }) =>
      selectFrom('webhook_deliveries as due')
        .select('due.id')
        .where('due.state', '=', 'waiting')
        .where('due.next_attempt_at', '<=', now)
        .$if(busyWebhooks.length > 0, (query) => query.where('due.webhook_id', 'not in', busyWebhooks))
        .where(({ exists, selectFrom: select }) =>
          exists(
            select('webhooks')
              .select('webhooks.id')
              .whereRef('webhooks.school_id', '=', 'due.school_id')
              .whereRef('webhooks.id', '=', 'due.webhook_id')
              .where('paused_at', 'is', null)
              .where('removed_at', 'is', null),
          ),
        )
        .where(({ exists, not, or, eb, selectFrom: select }) =>
          or([
            eb('due.in_order', '=', false),
            not(
              exists(
                select('webhook_deliveries as earlier')
                  .select('earlier.id')
                  .whereRef('earlier.school_id', '=', 'due.school_id')
                  .whereRef('earlier.webhook_id', '=', 'due.webhook_id')
                  .whereRef('earlier.aircraft_id', '=', 'due.aircraft_id')
                  .whereRef('earlier.id', '<', 'due.id')
                  .where('earlier.state', '=', 'waiting')
                  .where('earlier.in_order', '=', true),
              ),
            ),
          ]),
        )
        .orderBy('due.next_attempt_at')
        .orderBy('due.id')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .executeTakeFirst();
}

/** Marks a delivery; false if another worker has taken it meanwhile. */
export async function markDelivered(trx: Trx, delivery: ClaimedDelivery, outcome: DeliveryOutcome): Promise<boolean> {
  const isMarked = await mark(trx, delivery, { ...columnsOf(outcome), state: 'delivered', next_attempt_at: null });
  if (isMarked && delivery.attempts > 1) await setRestOfAircraft(trx, delivery, now);
  return isMarked;
}

/** Plans a new try after a pause, and holds back as long what the aircraft did later. */
export async function markRetried(trx: Trx, delivery: ClaimedDelivery, outcome: DeliveryOutcome): Promise<void> {
  const next = sql<Date>`least(${fromNow(retrySeconds(delivery.attempts), 'seconds')}, created_at + ${lifeTime})`;
  const isMarked = await mark(trx, delivery, { ...columnsOf(outcome), next_attempt_at: next });
  if (!isMarked) return;
  await setRestOfAircraft(trx, delivery, fromNow(retrySeconds(delivery.attempts), 'seconds'));
}

export async function markGivenUp(trx: Trx, delivery: ClaimedDelivery, outcome: DeliveryOutcome): Promise<boolean> {
  const isMarked = await mark(trx, delivery, { ...columnsOf(outcome), state: 'given up', next_attempt_at: null });
  if (isMarked) await setRestOfAircraft(trx, delivery, now);
  return isMarked;
}

/** Gives back what was not sent, as at a shutdown; the attempt does not count. */
export async function releaseDelivery(db: Db, delivery: ClaimedDelivery): Promise<void> {
  await mark(db, delivery, { attempts: delivery.attempts - 1, next_attempt_at: now });
}

/** Returns true if it has been tried for as long as events are, by the database's clock. */
export async function isPastItsLife(trx: Trx, { id }: ClaimedDelivery): Promise<boolean> {
  const { isPast } = await trx
    .selectFrom('webhook_deliveries')
    .select(sql<boolean>`now() >= created_at + ${lifeTime}`.as('isPast'))
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return isPast;
}

const lifeTime = sql`${WEBHOOK_EVENT_LIFE_DAYS}::integer * interval '1 day'`;

function retrySeconds(attempts: number): number {
  return Math.min(FIRST_WEBHOOK_RETRY_SECONDS * 3 ** (attempts - 1), MAX_WEBHOOK_RETRY_SECONDS);
}

function columnsOf({ durationMs, status, answer, error }: DeliveryOutcome) {
  return { duration_ms: durationMs, status, answer, error };
}

interface Marks extends Partial<ReturnType<typeof columnsOf>> {
  state?: ClaimedDelivery['state'];
  attempts?: number;
  next_attempt_at: RawBuilder<Date> | null;
}

async function mark(db: Db | Trx, { id, attempts }: ClaimedDelivery, marks: Marks): Promise<boolean> {
  const marked = await db
    .updateTable('webhook_deliveries')
    .set(marks)
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('state', '=', 'waiting')
    .returning('id')
    .executeTakeFirst();
  return marked !== undefined;
}

/** Moves the aircraft's later events, so that what is held back is not looked at each second. */
async function setRestOfAircraft(trx: Trx, delivery: ClaimedDelivery, time: RawBuilder<Date>): Promise<void> {
  if (!delivery.in_order) return;
  await trx
    .updateTable('webhook_deliveries')
    .set({ next_attempt_at: time })
    .where('school_id', '=', delivery.school_id)
    .where('webhook_id', '=', delivery.webhook_id)
    .where('aircraft_id', '=', delivery.aircraft_id)
    .where('id', '>', delivery.id)
    .where('state', '=', 'waiting')
    .where('in_order', '=', true)
    .execute();
}
