import { readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { COMMAND_CONNECTION, connect, type Db } from '#db/connect.server.ts';

const HOUR_MS = 60 * 60_000;
const PARTIAL = /\.[\da-f]+\.partial$/;
/** A folder of this machine's, with the process that it was made by. */
const FOLDER = /^flightline-(?:verify|move)-(\d+)-/;

/** Makes the name of a folder in the temporary folder, whose leavings `sweepTemporaryFolders` finds; for mkdtemp. */
export function temporaryFolder(name: 'verify' | 'move'): string {
  return path.join(tmpdir(), `flightline-${name}-${process.pid}-`);
}

/** Removes what killed backups have left in the folder: one in the making is written to all the time, so an hour tells. */
export async function sweepPartialFiles(folder: string, isBackup: (name: string) => boolean): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!PARTIAL.test(name) || !isBackup(name.replace(PARTIAL, ''))) continue;
    const file = path.join(folder, name);
    const written = await stat(file).catch(() => undefined);
    if (written && written.mtimeMs < Date.now() - HOUR_MS) await remove(file);
  }
}

/** Removes the temporary folders of commands that were killed. */
export async function sweepTemporaryFolders(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = FOLDER.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) await remove(path.join(tmpdir(), name));
  }
}

async function remove(target: string): Promise<void> {
  // A file of another user stays.
  const isRemoved = await rm(target, { recursive: true, force: true, maxRetries: 5 }).then(
    () => true,
    () => false,
  );
  if (isRemoved) console.log(`Removed ${target}, which a command that was killed had left.`);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Records what became of a backup. The file stands without it, so a database that does not take it is told and no error. */
export async function record(findUrl: () => Promise<string>, write: (db: Db) => Promise<void>): Promise<void> {
  try {
    const db = connect(await findUrl(), { max: 1, applicationName: COMMAND_CONNECTION });
    await write(db).finally(() => db.destroy());
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    console.log(`Not recorded in the database, so its pages, doctor and metrics do not know of it: ${why}`);
  }
}
