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
import { isFileNotFound, StartupError } from '../startup-error.ts';
import { canAccess, type FileOwner, findRunnableBinaries, type PostgresBinaries } from './binaries.ts';

export interface ServerPaths {
  folder: string;
  dataFolder: string;
  socketFolder: string;
  logFile: string;
  binaries: PostgresBinaries;
  /** The user who owns the server's files; set when this process is root, which Postgres refuses to run as. */
  owner: FileOwner | undefined;
}

const NOBODY = { uid: 65534, gid: 65534 };
const SYSTEM_DATA = '/var/lib';
/** The shortest limit on a socket's path is 103 bytes, on macOS. */
const MAX_SOCKET_FOLDER_BYTES = 103 - '/.s.PGSQL.5432'.length;

/** Finds or creates the folders of the server of `dataDir`. Throws a StartupError. */
export async function findOrCreateServerPaths(dataDir: string): Promise<ServerPaths> {
  await mkdir(dataDir, { recursive: true });
  const serverUser = process.getuid?.() === 0 ? NOBODY : undefined;
  const folder = await findFolder(await realpath(dataDir), serverUser);
  await createPrivateFolder(folder, serverUser);
  const owner = serverUser && (await ownerOf(folder, serverUser));
  return {
    folder,
    dataFolder: path.join(folder, 'data'),
    socketFolder: await findSocketFolder(folder, owner),
    logFile: path.join(folder, 'server.log'),
    binaries: await findRunnableBinaries(folder, owner),
    owner,
  };
}

/** Returns `postgres` in the data folder or, if the server's user cannot enter that, the one in `postgres-home`. */
async function findFolder(dataDir: string, serverUser: FileOwner | undefined): Promise<string> {
  const pointerFile = path.join(dataDir, 'postgres-home');
  const pointer = await readFile(pointerFile, 'utf8').catch(ignoreFileNotFound);
  if (pointer !== undefined) return requireFolder(pointer.trim(), pointerFile);
  const inside = path.join(dataDir, 'postgres');
  if (!serverUser || (await canAccess(dataDir, serverUser))) return inside;
  if (await exists(inside)) {
    throw new StartupError(
      `The database in ${inside} is out of reach for user ${serverUser.uid}, whom Postgres runs as when root starts it: ` +
        'a parent folder is closed to that user. Open it (chmod o+x) or set DATA_DIR to another folder.',
    );
  }
  return createSystemFolder(pointerFile);
}

async function createSystemFolder(pointerFile: string): Promise<string> {
  const folder = await mkdtemp(path.join(SYSTEM_DATA, 'flightline-'));
  try {
    await writeFile(pointerFile, `${folder}\n`, { flag: 'wx' });
    return folder;
  } catch {
    // Another start has written the pointer meanwhile.
    await rm(folder, { recursive: true });
    return (await readFile(pointerFile, 'utf8')).trim();
  }
}

async function requireFolder(folder: string, pointerFile: string): Promise<string> {
  if (await exists(folder)) return folder;
  throw new StartupError(
    `The database is gone: ${pointerFile} says it is in ${folder}, which does not exist. ` +
      `Put it back, or delete ${pointerFile} to begin with an empty database.`,
  );
}

async function createPrivateFolder(folder: string, owner: FileOwner | undefined): Promise<void> {
  try {
    const created = await mkdir(folder, { recursive: true, mode: 0o700 });
    const ownedByRoot = created !== undefined || (await stat(folder)).uid === 0;
    if (owner && ownedByRoot) await chown(folder, owner.uid, owner.gid);
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new StartupError(
      `The database's folder ${folder} cannot be made or opened: set DATA_DIR to a folder of your own.`,
      { cause },
    );
  }
}

/** Returns the folder's owner: an ordinary user may have created it before root started the server. */
async function ownerOf(folder: string, fallback: FileOwner): Promise<FileOwner> {
  const { uid, gid } = await stat(folder);
  return uid === 0 ? fallback : { uid, gid };
}

/** Returns the server's folder, or one in /tmp if its path is too long for a socket. */
async function findSocketFolder(folder: string, owner: FileOwner | undefined): Promise<string> {
  if (Buffer.byteLength(folder) <= MAX_SOCKET_FOLDER_BYTES) return folder;
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 16);
  const short = `/tmp/flightline-${name}`;
  await createPrivateFolder(short, owner);
  const found = await lstat(short);
  const uid = owner?.uid ?? process.getuid?.();
  if (!found.isDirectory() || found.uid !== uid || (found.mode & 0o077) !== 0) {
    throw new StartupError(`${short} belongs to somebody else: remove it, or set DATA_DIR to a shorter path.`);
  }
  return short;
}

async function exists(folder: string): Promise<boolean> {
  return (await stat(folder).catch(ignoreFileNotFound)) !== undefined;
}

function ignoreFileNotFound(error: unknown): undefined {
  if (!isFileNotFound(error)) throw error;
}

/** The role that created the cluster; only the launcher connects as it. */
export const SUPERUSER = 'flightline';

export function databaseUrl(paths: ServerPaths, database: string, role: string): string {
  return `postgres://${role}@localhost/${database}?host=${encodeURIComponent(paths.socketFolder)}`;
}
