import { createHash } from 'node:crypto';
import {
  access,
  chown,
  constants,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  realpath,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { StartupError } from '../startup-error.ts';
import { isMissing } from './errors.ts';
import { type PostgresBinaries, findRunnableBinaries } from './binaries.ts';
import { canAccess, type FileOwner } from './permissions.ts';

/** Everything one embedded server has on disk. */
export interface ServerPaths {
  folder: string;
  dataFolder: string;
  socketFolder: string;
  logFile: string;
  program: PostgresBinaries;
  /** The user Postgres runs as when this process is root, which Postgres refuses to be; undefined: as ourselves. */
  owner: FileOwner | undefined;
}

/** `nobody` on Linux and most others; any user but root does. */
const NOBODY = { uid: 65534, gid: 65534 };
const SYSTEM_DATA = '/var/lib';
/** A unix socket's path holds 103 bytes on macOS, 107 on Linux. */
const LONGEST_SOCKET_FOLDER = 103 - '/.s.PGSQL.5432'.length;

/**
 * Finds, or makes, the place of `dataDir`'s server. Throws a BootError with a sentence for people when the place is
 * closed to the user Postgres runs as.
 */
export async function findServerPaths(dataDir: string): Promise<ServerPaths> {
  await mkdir(dataDir, { recursive: true });
  const owner = process.getuid?.() === 0 ? NOBODY : undefined;
  const folder = await findFolder(await realpath(dataDir), owner);
  await makePrivate(folder, owner);
  const keeper = owner && (await ownerOf(folder, owner));
  return {
    folder,
    dataFolder: path.join(folder, 'data'),
    socketFolder: await socketFolderOf(folder, keeper),
    logFile: path.join(folder, 'server.log'),
    program: await findRunnableBinaries(folder, keeper),
    owner: keeper,
  };
}

/**
 * `postgres` inside the data folder. Root's server runs as another user, whom every parent of that place must let
 * through: where one does not, the place is under /var/lib, and the file `postgres-home` in the data folder names it.
 */
async function findFolder(dataDir: string, owner: FileOwner | undefined): Promise<string> {
  const record = path.join(dataDir, 'postgres-home');
  const recorded = await readFile(record, 'utf8').catch(ifMissing);
  if (recorded !== undefined) return existing(recorded.trim(), record);
  const inside = path.join(dataDir, 'postgres');
  if (!owner || (await canAccess(dataDir, owner))) return inside;
  if (await exists(inside)) {
    throw new StartupError(
      `The database in ${inside} is out of reach for user ${owner.uid}, whom Postgres runs as when root starts it: ` +
        'a parent folder is closed to that user. Open it (chmod o+x) or set DATA_DIR to another folder.',
    );
  }
  return outside(record);
}

async function outside(record: string): Promise<string> {
  const folder = await mkdtemp(path.join(SYSTEM_DATA, 'flightline-'));
  try {
    await writeFile(record, `${folder}\n`, { flag: 'wx' });
    return folder;
  } catch {
    // Another start was quicker and recorded its own.
    await rm(folder, { recursive: true });
    return (await readFile(record, 'utf8')).trim();
  }
}

async function existing(folder: string, record: string): Promise<string> {
  if (await exists(folder)) return folder;
  throw new StartupError(
    `The database is gone: ${record} says it is in ${folder}, which does not exist. ` +
      `Put it back, or delete ${record} to begin with an empty database.`,
  );
}

async function makePrivate(folder: string, owner: FileOwner | undefined): Promise<void> {
  try {
    const made = await mkdir(folder, { recursive: true, mode: 0o700 });
    const unclaimed = made !== undefined || (await stat(folder)).uid === 0;
    if (owner && unclaimed) await chown(folder, owner.uid, owner.gid);
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new StartupError(
      `The database's folder ${folder} cannot be made or opened: set DATA_DIR to a folder of your own.`,
      {
        cause,
      },
    );
  }
}

/** Whoever the folder belongs to: it may have been made by an ordinary user before root came. */
async function ownerOf(folder: string, fallback: FileOwner): Promise<FileOwner> {
  const { uid, gid } = await stat(folder);
  return uid === 0 ? fallback : { uid, gid };
}

/** The server's own folder, or a short one of the same privacy where that path is too long for a socket. */
async function socketFolderOf(folder: string, owner: FileOwner | undefined): Promise<string> {
  if (Buffer.byteLength(folder) <= LONGEST_SOCKET_FOLDER) return folder;
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 16);
  const short = `/tmp/flightline-${name}`;
  await makePrivate(short, owner);
  const found = await lstat(short);
  const uid = owner?.uid ?? process.getuid?.();
  if (!found.isDirectory() || found.uid !== uid || (found.mode & 0o077) !== 0) {
    throw new StartupError(`${short} belongs to somebody else: remove it, or set DATA_DIR to a shorter path.`);
  }
  return short;
}

async function exists(place: string): Promise<boolean> {
  return (await stat(place).catch(ifMissing)) !== undefined;
}

function ifMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}
