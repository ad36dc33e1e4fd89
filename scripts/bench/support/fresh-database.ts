import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connect, type Db } from '#db/connect.server.ts';
import { startEmbeddedPostgres } from '#db/embedded/launch.ts';
import { migrateToLatest } from '#db/migrate.ts';

export interface FreshDatabase {
  db: Db;
  url: string;
  folder: string;
}

/** A migrated database on a Postgres of its own. */
export async function withFreshDatabase(work: (database: FreshDatabase) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'flightline-bench-'));
  if (process.getuid?.() === 0) await chmod(folder, 0o755);
  const postgres = await startEmbeddedPostgres(folder);
  const db = connect(postgres.url, { statementTimeoutMs: 0 });
  try {
    await migrateToLatest(db);
    await work({ db, url: postgres.url, folder });
  } finally {
    await db.destroy();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
