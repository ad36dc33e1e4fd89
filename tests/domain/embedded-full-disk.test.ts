import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { initCluster } from '#db/embedded/cluster.ts';
import { throwInWords } from '#db/embedded/full-disk.ts';
import { StartupError } from '#db/startup-error.ts';

const folder = await mkdtemp('/tmp/embedded-full-disk-');
afterAll(() => rm(folder, { recursive: true }));

const FULL = 'FATAL:  could not write to file "pg_wal/xlogtemp.1": No space left on device';
const HELP = 'make room.';

async function inWords(error: unknown): Promise<unknown> {
  return Promise.reject(error)
    .catch((caught: unknown) => throwInWords(caught, '/data', HELP))
    .catch((thrown: unknown) => thrown);
}

it('a database that a full disk keeps from being made says so in a sentence, and leaves nothing behind (B969)', async () => {
  const initdb = path.join(folder, 'initdb');
  await writeFile(initdb, `#!/bin/sh\necho '${FULL}' >&2\nexit 1\n`, { mode: 0o755 });
  const home = path.join(folder, 'postgres');
  await mkdir(home);
  await chmod(home, 0o700);
  const paths = {
    ...{ folder: home, socketFolder: home, owner: undefined, logFile: path.join(home, 'server.log') },
    ...{ dataFolder: path.join(home, 'data'), binaries: { initdb, postgres: initdb } },
  };
  const failed = await initCluster(paths).catch((error: unknown) => error);
  expect(await inWords(failed)).toEqual(
    new StartupError(`The disk of /data is full: make room.\n\ninitdb failed (1): ${FULL}`),
  );
  expect(await readdir(home)).toEqual([]);
});

it('a full disk is known by the system error that is told, or that is the cause of what is told (B969)', async () => {
  const refused = Object.assign(new Error("ENOSPC: no space left on device, mkdir '/data'"), { code: 'ENOSPC' });
  const caused = new StartupError('The folder cannot be made.', { cause: refused });
  for (const error of [refused, caused])
    expect(await inWords(error)).toEqual(new StartupError(`The disk of /data is full: make room.\n\n${error.message}`));
  const other = new StartupError('The embedded Postgres does not start.');
  expect(await inWords(other)).toBe(other);
});
