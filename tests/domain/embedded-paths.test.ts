import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { canAccess } from '#db/embedded/binaries.ts';
import { findOrCreateServerPaths } from '#db/embedded/paths.ts';

// Open to the user whom Postgres runs as when root starts it.
const folder = await mkdtemp('/tmp/embedded-paths-');
await chmod(folder, 0o711);
afterAll(() => rm(folder, { recursive: true }));

it('the socket of an embedded Postgres whose path is too long stands in a folder that nobody else may enter (B987)', async () => {
  const long = path.join(folder, 'x'.repeat(100));
  await mkdir(long);
  const { socketFolder, dataFolder } = await findOrCreateServerPaths(long);
  try {
    expect(dataFolder).toBe(path.join(long, 'postgres', 'data'));
    expect(socketFolder).toMatch(/^\/tmp\/flightline-[0-9a-f]{16}$/);
    expect((await stat(socketFolder)).mode & 0o777).toBe(0o700);
    for (const mode of [0o710, 0o701, 0o770, 0o777]) {
      await chmod(socketFolder, mode);
      await expect(findOrCreateServerPaths(long), mode.toString(8)).rejects.toThrow('belongs to somebody else');
    }
    await chmod(socketFolder, 0o700);
    expect((await findOrCreateServerPaths(long)).socketFolder).toBe(socketFolder);
  } finally {
    await rm(socketFolder, { recursive: true });
  }
});

it('a folder that a user may enter, and read or not, is one that Postgres may run in as that user (B987)', async () => {
  const inner = path.join(folder, 'inner');
  await mkdir(inner);
  const { uid, gid } = await stat(inner);
  const others = { uid: uid + 1, gid: gid + 1 };
  const group = { uid: uid + 1, gid };
  for (const [mode, mayEnter] of [
    [0o100, [true, false, false]],
    [0o600, [false, false, false]],
    [0o010, [false, true, false]],
    [0o040, [false, false, false]],
    [0o001, [false, false, true]],
    [0o004, [false, false, false]],
  ] as const) {
    await chmod(inner, mode);
    const found = await Promise.all([{ uid, gid }, group, others].map((user) => canAccess(inner, user)));
    expect([mode.toString(8), ...found]).toEqual([mode.toString(8), ...mayEnter]);
  }
  await chmod(inner, 0o700);
});

it('a database that is not where it was put is said to be gone, and no empty one takes its place (B987)', async () => {
  const moved = path.join(folder, 'moved');
  await mkdir(moved);
  const elsewhere = path.join(folder, 'elsewhere');
  await writeFile(path.join(moved, 'postgres-home'), `${elsewhere}\n`);
  await expect(findOrCreateServerPaths(moved)).rejects.toThrow(`says it is in ${elsewhere}, which does not exist`);
  expect(await readdir(moved)).toEqual(['postgres-home']);
});
