import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { PARTIAL_FILE_ENDING } from './startup-error.ts';

const HOUR_MS = 60 * 60_000;
const MACHINE = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);
/** A folder of this machine's, with the process that it was made by. */
const FOLDER = /^flightline-(?:verify|move)-(\d+)-/;

/**
 * Writes a file that gets its name once it is whole. A killed process leaves a `.partial` file, which the next
 * call removes for a file of this name, the time in it apart. Returns the names of those.
 */
export async function writeWholeFile(file: string, write: (partial: string) => Promise<void>): Promise<string[]> {
  const removed = await sweepPartialFiles(file);
  const partial = `${file}.${process.pid}-${MACHINE}-${randomUUID().slice(0, 4)}.partial`;
  try {
    await write(partial);
    await rename(partial, file);
    return removed;
  } catch (error) {
    await rm(partial, { force: true }).catch(() => {});
    throw error;
  }
}

/** Writes content that its owner alone may read, as `writeWholeFile` does. */
export function writePrivateFile(file: string, content: string | Uint8Array): Promise<string[]> {
  return writeWholeFile(file, (partial) => writeFile(partial, content, { mode: 0o600, flush: true }));
}

/** Removes what killed processes have left beside a file. Of another machine's, on a shared disk, an hour of silence tells. */
async function sweepPartialFiles(file: string): Promise<string[]> {
  const removed: string[] = [];
  const folder = path.dirname(file);
  for (const name of await readdir(folder).catch(() => [])) {
    if (
      !PARTIAL_FILE_ENDING.test(name) ||
      withoutTime(name.replace(PARTIAL_FILE_ENDING, '')) !== withoutTime(path.basename(file))
    )
      continue;
    if (await isLeft(path.join(folder, name))) removed.push(...(await remove(path.join(folder, name))));
  }
  return removed;
}

function withoutTime(name: string): string {
  return name.replaceAll(/\d{8}T\d{6,9}Z|\.enc$/g, '');
}

async function isLeft(file: string): Promise<boolean> {
  const [, pid, machine] = PARTIAL_FILE_ENDING.exec(file) ?? [];
  if (machine === MACHINE) return !isAlive(Number(pid));
  const written = await stat(file).catch(() => undefined);
  return written !== undefined && written.mtimeMs < Date.now() - HOUR_MS;
}

/** Makes the name of a folder in the temporary folder, whose leavings `sweepTemporaryFolders` finds; for mkdtemp. */
export function temporaryFolderPrefix(name: 'verify' | 'move'): string {
  return path.join(tmpdir(), `flightline-${name}-${process.pid}-`);
}

/** Removes the temporary folders of commands that were killed, and returns their names. */
export async function sweepTemporaryFolders(): Promise<string[]> {
  return sweepFoldersOfEndedProcesses(tmpdir(), FOLDER);
}

/** Removes the folders there whose processes, which `pattern` finds in their names, have ended. */
export async function sweepFoldersOfEndedProcesses(parent: string, pattern: RegExp): Promise<string[]> {
  const removed: string[] = [];
  for (const name of await readdir(parent)) {
    const pid = pattern.exec(name)?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    for (const folder of await postgresFoldersOf(path.join(parent, name))) removed.push(...(await remove(folder)));
  }
  return removed;
}

/** A folder that a throwaway Postgres runs in, and the other one where that lies if it could not be reached. */
export async function postgresFoldersOf(folder: string): Promise<string[]> {
  const elsewhere = await readFile(path.join(folder, 'postgres-home'), 'utf8').catch(() => '');
  return [elsewhere.trim(), folder].filter((place) => place !== '');
}

async function remove(target: string): Promise<string[]> {
  // A file of another user stays.
  return rm(target, { recursive: true, force: true, maxRetries: 5 }).then(
    () => [target],
    () => [],
  );
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
