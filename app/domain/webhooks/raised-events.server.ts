import { sql } from 'kysely';
import type { Trx } from '#db/connect.server.ts';
import type { WebhookEventType } from './webhook-events.ts';

/** Something that an operation did and webhooks may be told of. */
export interface RaisedEvent {
  type: WebhookEventType;
  schoolId: number;
  /** Its row is locked, so that its events are numbered as they are committed. */
  aircraftId: number;
  data: object;
}

/** Queues the events for the school's webhooks that want them, in the operation's transaction and one statement. */
export async function queueEvents(trx: Trx, events: RaisedEvent[]): Promise<void> {
  const [first] = events;
  if (!first) return;
  await sql`
    insert into webhook_deliveries (school_id, webhook_id, event, aircraft_id, data)
    select webhooks.school_id, webhooks.id, raised.event, raised.aircraft_id, raised.data
    from webhooks join unnest(
      ${events.map(({ type }) => type)}::text[],
      ${events.map(({ aircraftId }) => aircraftId)}::integer[],
      ${events.map(({ data }) => JSON.stringify(data))}::text[]
    ) with ordinality as raised (event, aircraft_id, data, position) on raised.event = any (webhooks.events)
    where school_id = ${first.schoolId} and removed_at is null
    order by position, webhooks.id`.execute(trx);
}
