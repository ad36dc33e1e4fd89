import type pg from 'pg';
import { APPLICATION_ROLE, prepareDatabase } from './application-role.ts';
import { initCluster, launchServer, stopServer } from './cluster.ts';
import { databaseUrl } from './connection.ts';
import { type ServerPaths, findServerPaths } from './paths.ts';
import { serverRestarts } from './restarts.ts';
import { acquireLease, releaseLease } from './server-lease.ts';

export interface EmbeddedPostgres {
  /** Address of the database `flightline` for its owner, on a unix socket that only this user can open. */
  url: string;
  /** Releases the server; the last process to do so stops it. Calling it twice is harmless. */
  stop(): Promise<void>;
}

/** Starts the Postgres of `dataDir`, with `settings` of its own, or shares the running one. Throws a StartupError. */
export async function startEmbeddedPostgres(
  dataDir: string,
  settings: Record<string, string> = {},
): Promise<EmbeddedPostgres> {
  const paths = await findServerPaths(dataDir);
  await initCluster(paths);
  const lease = maintainLease(paths, settings);
  await lease.acquired();
  await prepareDatabase(paths, 'flightline');
  return { url: databaseUrl(paths, 'flightline', APPLICATION_ROLE), stop: lease.release };
}

function maintainLease(paths: ServerPaths, settings: Record<string, string>) {
  let released = false;
  let releasing: Promise<void> | undefined;
  let current = acquire();

  async function acquire(): Promise<pg.Client> {
    const client = await acquireLease(paths, () => launchServer(paths, settings));
    client.once('end', () => {
      if (released) return;
      serverRestarts.publish({});
      current = acquire();
      // Prevents an unhandled rejection; `acquired` and `release` still see the error.
      current.catch(() => {});
    });
    return client;
  }

  async function release(): Promise<void> {
    released = true;
    const client = await current.catch(() => undefined);
    if (client) await releaseLease(client, () => stopServer(paths));
  }

  return { acquired: () => current, release: () => (releasing ??= release()) };
}
