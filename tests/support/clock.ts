import pg from 'pg';
import { afterAll, vi } from 'vitest';
import { ownerUrl } from './database-url.ts';

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export interface Clock {
  set(at: string | Date): Promise<void>;
  /** Moves it on, to the millisecond. */
  pass(milliseconds: number): Promise<void>;
  /** Moves that of the database on, which counts them. */
  addMicroseconds(microseconds: number): Promise<void>;
}

/**
 * Stops the time of this process and of the test's database at `start`; from then on only the test moves it. Call it
 * right after `testDatabase()`: a connection that is open already keeps the real time.
 */
export async function stopClock(databaseUrl: string, start: string): Promise<Clock> {
  const client = new pg.Client({ connectionString: ownerUrl(databaseUrl) });
  await client.connect();
  await replaceNow(client, start);
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(start) });
  afterAll(async () => {
    vi.useRealTimers();
    await client.end();
  });
  const set = async (at: string | Date) => {
    vi.setSystemTime(at);
    await client.query('update clock.stopped set at = $1', [new Date().toISOString()]);
  };
  const addMicroseconds = async (microseconds: number) => {
    await client.query(`update clock.stopped set at = at + $1 * interval '1 microsecond'`, [microseconds]);
  };
  return { set, pass: (milliseconds) => set(new Date(Date.now() + milliseconds)), addMicroseconds };
}

/** Puts a `now()` in front of Postgres' own, for queries and for column defaults. */
async function replaceNow(client: pg.Client, start: string): Promise<void> {
  const defaults = await client.query<{ set_default: string }>(`
    select format('alter table %I alter column %I set default %s', table_name, column_name, column_default) as set_default
    from information_schema.columns where table_schema = 'public' and column_default like '%now()%'`);
  await client.query('create schema clock');
  await client.query('create table clock.stopped (at timestamptz not null)');
  await client.query('insert into clock.stopped values ($1)', [start]);
  await client.query(
    `create function clock.now() returns timestamptz stable language sql as 'select at from clock.stopped'`,
  );
  // The app connects as another role than the one that owns the schema.
  await client.query('grant usage on schema clock to public');
  await client.query('grant select on clock.stopped to public');
  await client.query('set search_path = clock, public, pg_catalog');
  for (const { set_default } of defaults.rows) await client.query(set_default);
  await client.query(
    `do $$ begin execute format('alter database %I set search_path = clock, public, pg_catalog', current_database()); end $$`,
  );
}
