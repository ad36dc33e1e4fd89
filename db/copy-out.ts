import { createQueryId, PostgresQueryCompiler, type RawBuilder, sql } from 'kysely';
import pg from 'pg';
import { type Db, poolOf } from './connect.server.ts';

const FORMATS = { csv: sql`format csv, header`, text: sql`format text` };

/** Streams a query, as lines of CSV after a header or as text, in the zone's time; its statement lasts as long as it is read. */
export async function* copyOut(
  db: Db,
  query: RawBuilder<unknown>,
  timeZone: string,
  format: keyof typeof FORMATS = 'csv',
): AsyncGenerator<Buffer, void> {
  const settings = sql`select set_config('timezone', ${timeZone}, true), set_config('statement_timeout', '0', true),
    set_config('idle_in_transaction_session_timeout', '0', true)`.compile(db);
  const copy = sql`copy (${query}) to stdout (${FORMATS[format]})`;
  const { sql: statement } = new LiteralCompiler().compileQuery(copy.toOperationNode(), createQueryId());
  const client = await poolOf(db).connect();
  try {
    await client.query('begin', []);
    await client.query(settings.sql, settings.parameters);
    yield* client.copy(statement);
    await client.query('commit', []);
  } catch (error) {
    await client.query('rollback', []);
    throw error;
  } finally {
    client.release();
  }
}

/** COPY takes no parameters: writes each as a quoted literal, whose type Postgres infers as it does a parameter's. */
class LiteralCompiler extends PostgresQueryCompiler {
  protected override appendValue(value: unknown): void {
    if (value !== null && typeof value !== 'string' && typeof value !== 'number') {
      throw new TypeError(`no literal of a ${typeof value}`);
    }
    this.append(value === null ? 'null' : pg.escapeLiteral(String(value)));
  }
}
