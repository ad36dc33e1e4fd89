import { type Kysely, sql } from 'kysely';

/** The doctor finds webhooks whose receiver has not answered for days, and events that nothing sends. */
export async function up(db: Kysely<any>): Promise<void> {
  for (const [name, query] of Object.entries(VIEWS)) {
    await sql.raw(`create or replace view doctor_${name} as ${query}`).execute(db);
  }
}

const VIEWS = {
  webhooks_failing: `
    select school_id, 'webhook ' || id as subject, 'takes no events since ' || failing_since as detail
    from webhooks where failing_since is not null and removed_at is null`,

  webhook_events_stuck: `
    select school_id, 'webhook ' || webhook_id as subject,
      'has ' || count(*) || ' events that are due since ' || min(next_attempt_at) as detail
    from webhook_deliveries as delivery
    where exists (select from webhooks where webhooks.school_id = delivery.school_id
        and webhooks.id = delivery.webhook_id and paused_at is null and removed_at is null)
      and state = 'waiting' and next_attempt_at < now() - interval '1 hour' and (not in_order or not exists (
      select from webhook_deliveries as earlier
      where earlier.school_id = delivery.school_id and earlier.webhook_id = delivery.webhook_id
        and earlier.aircraft_id = delivery.aircraft_id and earlier.id < delivery.id
        and earlier.state = 'waiting' and earlier.in_order))
    group by school_id, webhook_id`,
};
