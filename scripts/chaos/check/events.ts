import { sql } from 'kysely';
import type { Db } from '#db/connect.server.ts';

/**
 * Returns a sentence for each event that the webhook was not told exactly once; `received` are the ids of its messages.
 */
export async function checkEvents(
  db: Db,
  webhookId: number,
  aircraftIds: readonly number[],
  received: ReadonlySet<string>,
) {
  const { rows } = await sql<{ id: number; started: number }>`
    select id, (select count(*)::integer from webhook_deliveries
      where webhook_deliveries.school_id = flight_logs.school_id and webhook_id = ${webhookId} and event = 'flight.started'
        and (data::jsonb ->> 'id')::integer = flight_logs.id) as started
    from flight_logs where aircraft_id in (${sql.join(aircraftIds)})`.execute(db);
  const wrong = rows.filter(({ started }) => started !== 1);
  const delivered = await db
    .selectFrom('webhook_deliveries')
    .innerJoin('aircraft', 'aircraft.id', 'webhook_deliveries.aircraft_id')
    .select('message_id')
    .where('webhook_id', '=', webhookId)
    .where('aircraft.id', 'in', aircraftIds)
    .where('state', '=', 'delivered')
    .execute();
  const missed = delivered.filter(({ message_id }) => !received.has(message_id));
  return [
    ...(wrong.length > 0 ? [`${wrong.length} flights started without exactly one event`] : []),
    ...(missed.length > 0 ? [`${missed.length} events count as delivered that nobody received`] : []),
  ];
}
