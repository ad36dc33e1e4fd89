import { APPLICATION_ROLE, OWNER_ROLE, prepareDatabase } from './application-role.ts';
import { initCluster, launchServer, stopServer } from './cluster.ts';
import { databaseUrl, findOrCreateServerPaths, type ServerPaths } from './paths.ts';
import { throwInWords } from './full-disk.ts';
import { acquireLease, releaseLease } from './server-lease.ts';
import { type SupervisionOptions, superviseLease } from './supervision.ts';

export interface EmbeddedPostgres {
  /** Address of the database `flightline` for the application, on a unix socket that only this user can open. */
  url: string;
  /** The same for the role that owns the tables. */
  ownerUrl: string;
  /** Releases the server; the last process to do so stops it. Calling it twice is harmless. */
  stop(): Promise<void>;
}

/** Starts the Postgres of `dataDir`, with `settings` of its own, or shares the running one. Throws a StartupError. */
export async function startEmbeddedPostgres(
  dataDir: string,
  settings: Record<string, string> = {},
  supervision: SupervisionOptions = {},
): Promise<EmbeddedPostgres> {
  const paths = await makeCluster(dataDir).catch((error: unknown) => throwInWords(error, dataDir, ROOM_TO_BEGIN));
  const launch = () => launchServer(paths, settings);
  const explain = (error: unknown) => throwInWords(error, dataDir, ROOM_TO_GO_ON);
  const lease = superviseLease(
    {
      acquire: () => acquireLease(paths, launch).catch(explain),
      release: (client) => releaseLease(paths, client, () => stopServer(paths)),
    },
    supervision,
  );
  await lease.acquired();
  await prepareDatabase(paths, 'flightline').catch(explain);
  const addressFor = (role: string) => databaseUrl(paths, 'flightline', role);
  return { url: addressFor(APPLICATION_ROLE), ownerUrl: addressFor(OWNER_ROLE), stop: lease.release };
}

const ROOM_TO_BEGIN = 'the database takes 50 MB to begin with. Make room, or set DATA_DIR to a folder on another disk.';
const ROOM_TO_GO_ON = 'make room for the database, a few hundred MB. Nothing that was saved is lost.';

async function makeCluster(dataDir: string): Promise<ServerPaths> {
  const paths = await findOrCreateServerPaths(dataDir);
  await initCluster(paths);
  return paths;
}
