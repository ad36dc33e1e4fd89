import { type RawBuilder, sql } from 'kysely';
import { type Db, poolOf } from './connect.server.ts';

/** Streams a query without parameters as lines of CSV after a header, in the zone's time; its statement lasts as long as it is read. */
export async function* copyOut(db: Db, query: RawBuilder<unknown>, timeZone: string): AsyncGenerator<Buffer, void> {
  const settings = sql`select set_config('timezone', ${timeZone}, true), set_config('statement_timeout', '0', true),
    set_config('idle_in_transaction_session_timeout', '0', true)`.compile(db);
  const copy = sql`copy (${query}) to stdout (format csv, header)`.compile(db);
  const client = await poolOf(db).connect();
  try {
    await client.query('begin', []);
    await client.query(settings.sql, settings.parameters);
    yield* client.copy(copy.sql);
    await client.query('commit', []);
  } catch (error) {
    await client.query('rollback', []);
    throw error;
  } finally {
    client.release();
  }
}
