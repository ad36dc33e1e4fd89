import { APPLICATION_ROLE, prepareDatabase } from './application-role.ts';
import { initCluster, launchServer, stopServer } from './cluster.ts';
import { databaseUrl } from './connection.ts';
import { findServerPaths } from './paths.ts';
import { acquireLease, releaseLease } from './server-lease.ts';
import { type Supervision, superviseLease } from './supervision.ts';

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
  supervision: Supervision = {},
): Promise<EmbeddedPostgres> {
  const paths = await findServerPaths(dataDir);
  await initCluster(paths);
  const lease = superviseLease(
    {
      acquire: () => acquireLease(paths, () => launchServer(paths, settings)),
      release: (client) => releaseLease(client, () => stopServer(paths)),
    },
    supervision,
  );
  await lease.acquired();
  await prepareDatabase(paths, 'flightline');
  return { url: databaseUrl(paths, 'flightline', APPLICATION_ROLE), stop: lease.release };
}
