import { type Kysely, sql } from 'kysely';

/** Makes the tables of webhooks and of the events sent to them (docs/decisions/154). */
export async function up(db: Kysely<any>): Promise<void> {
  // A delivery has no reference to its aircraft, which may be deleted before what it did is sent.
  await sql`
    create table webhooks (
      id integer generated always as identity primary key,
      school_id integer not null references schools (id),
      url text not null constraint webhooks_url_is_http check (url ~ '^https?://'),
      events text[] not null constraint webhooks_events_known check (
        cardinality(events) > 0 and events <@ array['flight.started', 'flight.completed', 'flight.corrected',
          'flight.cancelled', 'squawk.reported', 'squawk.changed', 'aircraft.status_changed']),
      secret text not null,
      previous_secret text,
      previous_until timestamptz,
      paused_at timestamptz,
      failing_since timestamptz,
      removed_at timestamptz,
      created_at timestamptz not null default now(),
      constraint webhooks_of_school unique (school_id, id),
      constraint webhooks_previous_secret_ends check ((previous_secret is null) = (previous_until is null))
    );

    create table webhook_deliveries (
      id integer generated always as identity primary key,
      school_id integer not null,
      webhook_id integer not null,
      message_id text not null default 'msg_' || replace(gen_random_uuid()::text, '-', ''),
      event text not null,
      aircraft_id integer,
      data text not null,
      in_order boolean not null default true,
      state text not null default 'waiting' constraint webhook_deliveries_state_known
        check (state in ('waiting', 'delivered', 'given up')),
      attempts integer not null default 0,
      next_attempt_at timestamptz default now(),
      last_attempt_at timestamptz,
      duration_ms integer,
      status integer,
      answer text,
      error text,
      created_at timestamptz not null default now(),
      constraint webhook_deliveries_in_order_of_aircraft check (not in_order or aircraft_id is not null),
      constraint webhook_deliveries_waiting_for_attempt check ((state = 'waiting') = (next_attempt_at is not null)),
      foreign key (school_id, webhook_id) references webhooks (school_id, id)
    );
    create index webhook_deliveries_due on webhook_deliveries (next_attempt_at, id)
      where state = 'waiting';
    create index webhook_deliveries_waiting on webhook_deliveries (school_id, webhook_id, aircraft_id, id)
      where state = 'waiting';
    create index webhook_deliveries_newest on webhook_deliveries (school_id, webhook_id, id desc);
    create index webhook_deliveries_oldest on webhook_deliveries (created_at)`.execute(db);
}
