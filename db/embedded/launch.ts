import pg from 'pg';
import { initCluster, launchServer, stopServer } from './cluster.ts';
import { type ServerPaths, findServerPaths } from './paths.ts';
import { acquire, release } from './server-lease.ts';

export interface EmbeddedPostgres {
  /** Where its database `flightline` answers: a unix socket that only this user can open. */
  url: string;
  /** Gives the server up; the last launcher out stops it. Calling twice is harmless. */
  stop(): Promise<void>;
}

/**
 * Starts the embedded Postgres of `dataDir`, or joins the one that already runs there, and keeps it running until
 * `stop()`. `settings` are Postgres' own (`fsync: 'off'`) and apply only where this call starts the server.
 * Throws a BootError whose sentence says what stands in the way.
 */
export async function startEmbeddedPostgres(
  dataDir: string,
  settings: Record<string, string> = {},
): Promise<EmbeddedPostgres> {
  const home = await findServerPaths(dataDir);
  await initCluster(home);
  const lease = keepLease(home, settings);
  await lease.held();
  await createDatabase(home, 'flightline');
  return { url: urlOf(home, 'flightline'), stop: lease.release };
}

/** The address of one database of this server. */
export function urlOf(home: ServerPaths, database: string): string {
  return `postgres://flightline@localhost/${database}?host=${encodeURIComponent(home.socketFolder)}`;
}

/** Holds a lease on the server and, when the server dies under it, starts the server again. */
function keepLease(home: ServerPaths, settings: Record<string, string>) {
  let released = false;
  let leaving: Promise<void> | undefined;
  let current = hold();

  async function hold(): Promise<pg.Client> {
    const client = await acquire(home, () => launchServer(home, settings));
    client.once('end', () => {
      if (released) return;
      current = hold();
      // Whoever waits for it sees the failure; nobody has to.
      current.catch(() => {});
    });
    return client;
  }

  async function endLease(): Promise<void> {
    released = true;
    const client = await current.catch(() => undefined);
    if (client) await release(client, () => stopServer(home));
  }

  return { held: () => current, release: () => (leaving ??= endLease()) };
}

async function createDatabase(home: ServerPaths, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: urlOf(home, 'postgres') });
  await client.connect();
  try {
    const found = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (found.rowCount === 0) await client.query(`create database ${pg.escapeIdentifier(name)}`);
  } catch (error) {
    // Another launcher made it between the question and the order.
    if (!(error instanceof pg.DatabaseError && ['42P04', '23505'].includes(error.code ?? ''))) throw error;
  } finally {
    await client.end();
  }
}
