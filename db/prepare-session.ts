import type pg from 'pg';

export interface SessionSettings {
  statementTimeoutMs: number;
  lockTimeoutMs: number;
  idleInTransactionMs: number;
}

interface PreparedSession {
  isReadOnly: boolean;
  /** True if nobody shares the server's connection; PgBouncer may give each transaction another one. */
  isDirect: boolean;
}

/** Sets the session's time-outs unless others may share it; PgBouncer refuses them as start-up parameters. */
export async function prepareSession(client: pg.ClientBase, settings: SessionSettings): Promise<PreparedSession> {
  const isDirect = `pg_backend_pid() = ${backendOf(client)}`;
  const changes = entriesOf(settings).map(([name, value]) => `set_config('${name}', '${value}', false)`);
  const { rows } = await client.query<PreparedSession>(`
    select current_setting('transaction_read_only')::boolean as "isReadOnly", ${isDirect} as "isDirect",
      case when ${isDirect} then ${changes.join(' || ')} end as settings`);
  const [session] = rows;
  if (!session) throw new Error('Postgres did not say what the session is');
  return session;
}

/** Returns the statement that sets the same for one transaction. */
export function transactionSettingsStatement(settings: SessionSettings): string {
  return entriesOf(settings)
    .map(([name, value]) => `set local ${name} = ${value}`)
    .join('; ');
}

function entriesOf({ statementTimeoutMs, lockTimeoutMs, idleInTransactionMs }: SessionSettings): [string, number][] {
  return [
    ['statement_timeout', statementTimeoutMs],
    ['lock_timeout', lockTimeoutMs],
    ['idle_in_transaction_session_timeout', idleInTransactionMs],
  ];
}

/** Returns the process id that the other end gave; PgBouncer makes one up. */
function backendOf(client: pg.ClientBase): number {
  return 'processID' in client && typeof client.processID === 'number' ? client.processID : 0;
}
