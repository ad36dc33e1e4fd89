import { sql } from 'kysely';
import { connect, type Db } from '#db/connect.server.ts';
import { findPendingMigrations } from '#db/migrate.ts';
import { DatabaseTimeoutError, waitAtMost } from '#db/waiting-budget.ts';
import { findBackupStatus, type BackupStatus } from '#app/domain/backups/backup-records.server.ts';
import { type Backlog, findBacklogs } from '#app/domain/jobs/queries.server.ts';
import { countFailingWebhooks } from '#app/domain/webhooks/queries.server.ts';
import { PROBE_TIMEOUT_MS } from '#app/limits.ts';

/** Results of a new connection: 'full' has none left, 'silent' gave no answer in time. */
export const DATABASE_STATES = ['up', 'read-only', 'unreachable', 'silent', 'full'] as const;
export type DatabaseState = (typeof DATABASE_STATES)[number];

export interface DatabaseProbe {
  state: DatabaseState;
  hasSchema: boolean;
  clockDifferenceS?: number;
  jobs?: Backlog[];
  failingWebhooks?: number;
  backup?: BackupStatus;
}

const FULL = /^(53300|53400)$/;

/** Asks over a connection of its own, which shows what the pool's connections cannot. */
export async function probeDatabase(url: string): Promise<DatabaseProbe> {
  const db = connect(url, { max: 1, poolWaitMs: PROBE_TIMEOUT_MS, statementTimeoutMs: PROBE_TIMEOUT_MS });
  try {
    return await waitAtMost(PROBE_TIMEOUT_MS, ask(db));
  } catch (error) {
    return { state: stateOf(error), hasSchema: false };
  } finally {
    void db.destroy().catch(() => {});
  }
}

async function ask(db: Db): Promise<DatabaseProbe> {
  // The first query opens the connection, so that the next one takes only its own time.
  await sql`select 1`.execute(db);
  const asked = Date.now();
  const { rows } = await sql<{ mode: string; clock: Date }>`
    select current_setting('transaction_read_only') as mode, clock_timestamp() as clock`.execute(db);
  const here = (asked + Date.now()) / 2;
  const clockDifferenceS = Math.abs((rows[0]?.clock.getTime() ?? here) - here) / 1000;
  const hasSchema = (await findPendingMigrations(db)).length === 0;
  const found = hasSchema
    ? {
        jobs: await findBacklogs(db),
        failingWebhooks: await countFailingWebhooks(db),
        backup: await findBackupStatus(db),
      }
    : {};
  return { state: rows[0]?.mode === 'on' ? 'read-only' : 'up', hasSchema, clockDifferenceS, ...found };
}

function stateOf(error: unknown): DatabaseState {
  if (error instanceof Error && 'code' in error && FULL.test(String(error.code))) return 'full';
  const isSilent = error instanceof DatabaseTimeoutError || (error instanceof Error && /timeout/.test(error.message));
  return isSilent ? 'silent' : 'unreachable';
}
